// Ten calls of a client that is typed by the OpenAPI description.
import createClient from "openapi-fetch";
import type { paths } from "./description.js";

const baseUrl = process.argv[2] ?? "";
const client = createClient<paths>({ baseUrl, headers: { authorization: "Bearer any" } });
const path = { db_branch_name: "shop:main", table_name: "users" };

/** Returns the data of a response, or throws its error. */
function must<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const database = { workspace_id: "local", db_name: "shop" };
must(
  await client.PUT("/workspaces/{workspace_id}/dbs/{db_name}", {
    params: { path: database },
    body: {},
  }),
);
must(await client.PUT("/db/{db_branch_name}/tables/{table_name}", { params: { path } }));
must(
  await client.POST("/db/{db_branch_name}/tables/{table_name}/columns", {
    params: { path },
    body: { name: "name", type: "string" },
  }),
);
must(
  await client.POST("/db/{db_branch_name}/tables/{table_name}/columns", {
    params: { path },
    body: { name: "age", type: "int" },
  }),
);
const made = must(
  await client.POST("/db/{db_branch_name}/tables/{table_name}/data", {
    params: { path },
    body: { name: "Ada", age: 36 },
  }),
);
const { recordIDs = [] } = must(
  await client.POST("/db/{db_branch_name}/tables/{table_name}/bulk", {
    params: { path },
    body: { records: [{ id: "bob", name: "Bob", age: 4 }] },
  }),
) as { recordIDs?: string[] };
must(
  await client.PATCH("/db/{db_branch_name}/tables/{table_name}/data/{record_id}", {
    params: { path: { ...path, record_id: made.id } },
    body: { age: 37 },
  }),
);
const page = must(
  await client.POST("/db/{db_branch_name}/tables/{table_name}/query", {
    params: { path },
    body: { filter: { age: { $gt: 10 } }, page: { size: 5 } },
  }),
);
const name: unknown = page.records[0]?.name;
const { summaries } = must(
  await client.POST("/db/{db_branch_name}/tables/{table_name}/summarize", {
    params: { path },
    body: { summaries: { all: { count: "*" } } },
  }),
);
const refused = await client.POST("/db/{db_branch_name}/tables/{table_name}/query", {
  params: { path },
  body: { filter: { agee: 1 } },
});
const code: string | undefined = refused.error?.code;
const text = JSON.stringify({ name, recordIDs, more: page.meta.page.more, summaries, code });
if (
  text !==
  '{"name":"Ada","recordIDs":["bob"],"more":false,"summaries":[{"all":2}],"code":"unknown_column"}'
)
  throw new Error(text);
