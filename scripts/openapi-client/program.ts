import createClient from "openapi-fetch";
import type { paths } from "./description.js";

/** Ten calls of a client that knows the service by its description alone. */
const baseUrl = process.argv[2] ?? "";
const client = createClient<paths>({ baseUrl, headers: { authorization: "Bearer any" } });
const path = { db_branch_name: "shop:main", table_name: "users" };

function must<T>(what: string, { data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(`${what}: ${JSON.stringify(error)}`);
  return data;
}

const database = { workspace_id: "local", db_name: "shop" };
must(
  "create a database",
  await client.PUT("/workspaces/{workspace_id}/dbs/{db_name}", {
    params: { path: database },
    body: {},
  }),
);
must(
  "create a table",
  await client.PUT("/db/{db_branch_name}/tables/{table_name}", { params: { path } }),
);
must(
  "add a column",
  await client.POST("/db/{db_branch_name}/tables/{table_name}/columns", {
    params: { path },
    body: { name: "name", type: "string" },
  }),
);
must(
  "add another",
  await client.POST("/db/{db_branch_name}/tables/{table_name}/columns", {
    params: { path },
    body: { name: "age", type: "int" },
  }),
);
const made = must(
  "insert",
  await client.POST("/db/{db_branch_name}/tables/{table_name}/data", {
    params: { path },
    body: { name: "Ada", age: 36 },
  }),
);
const { recordIDs = [] } = must(
  "insert several",
  await client.POST("/db/{db_branch_name}/tables/{table_name}/bulk", {
    params: { path },
    body: { records: [{ id: "bob", name: "Bob", age: 4 }] },
  }),
) as { recordIDs?: string[] };
must(
  "update",
  await client.PATCH("/db/{db_branch_name}/tables/{table_name}/data/{record_id}", {
    params: { path: { ...path, record_id: made.id } },
    body: { age: 37 },
  }),
);
const page = must(
  "query",
  await client.POST("/db/{db_branch_name}/tables/{table_name}/query", {
    params: { path },
    body: { filter: { age: { $gt: 10 } }, page: { size: 5 } },
  }),
);
const name: unknown = page.records[0]?.name;
const { summaries } = must(
  "summarize",
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
