import { readFileSync } from "node:fs";
import { operationsByTag } from "@xata.io/client";
import { describe, expect, it } from "vitest";
import { operationsByTag as earlierOperations } from "xata-client-0-26";
import { UNBUILT_ROUTES } from "../../src/http/routes/unbuilt.js";
import { createFetch } from "../../src/http.js";
import { createEngine } from "../../src/index.js";
import { SQL_ROUTES } from "../../src/postgres/statements/routes.js";
import { createFixture } from "./fixture.js";

type Operation = (variables: object) => Promise<unknown>;

const listOperations = (byTag: object): readonly (readonly [name: string, call: Operation])[] =>
  Object.values(byTag).flatMap((operations) => Object.entries(operations as object));

const OPERATIONS = listOperations(operationsByTag);

/** Values of all path parameters. */
const PATH_PARAMS: Readonly<Record<string, string>> = {
  workspace: "acme",
  workspaceId: "acme",
  region: "us-east-1",
  dbName: "shop",
  dbBranchName: "shop:main",
  branchName: "main",
  tableName: "teams",
  columnName: "name",
  recordId: "t1",
  fileId: "f",
  sessionId: "s",
  userId: "usr_1",
  keyName: "k",
  token: "t",
  inviteId: "i",
  inviteKey: "i",
  clientId: "c",
  clusterId: "c",
  taskId: "t",
  jobId: "j",
  mrNumber: "1",
};

/** The request that the client makes of an operation. */
async function requestOf(call: Operation): Promise<{ method: string; url: string }> {
  let sent: { method: string; url: string } | undefined;
  await call({
    pathParams: PATH_PARAMS,
    queryParams: {},
    apiKey: "key",
    apiUrl: "https://api.xata.io",
    workspacesApiUrl: "https://{workspaceId}.{region}.xata.sh",
    trace: async (_: string, run: (options: object) => unknown) => run({ setAttributes() {} }),
    fetch: async (url: string, { method = "GET" }: { method?: string }) => {
      sent = { url, method };
      return new Response("{}", { headers: { "content-type": "application/json" } });
    },
  });
  return sent!;
}

const UNBUILT: ReadonlySet<string> = new Set(Object.keys(UNBUILT_ROUTES));

describe("operations of npm @xata.io/client 0.30.1", () => {
  const fetch = createFetch(createFixture("xata"));

  it("O: are 133, of which 40 are not implemented", () => {
    const names = new Set(OPERATIONS.map(([name]) => name));
    expect([OPERATIONS.length, names.size]).toEqual([133, 133]);
    expect([...UNBUILT].filter((name) => names.has(name))).toHaveLength(40);
  });

  it("O: are counted by docs/fidelity.md, as are the known differences", () => {
    const page = readFileSync(new URL("../../docs/fidelity.md", import.meta.url), "utf8");
    const isAnswered = (name: string): boolean => !UNBUILT.has(name);
    const names = OPERATIONS.map(([name]) => name);
    const inSql = SQL_ROUTES.filter(({ operation }) => names.includes(operation)).length;
    const answered = names.filter(isAnswered).length;
    expect(page).toContain(`answers ${answered} of the ${names.length} operations`);
    expect(page).toContain(`with [PostgreSQL](postgres.md#sql) ${answered + inSql}.`);
    const [, table = ""] = page.split("## Known differences");
    const rows = table.split("\n").filter((line) => line.startsWith("| ")).length - 1;
    expect(page).toContain(`We know ${rows} differences`);
  });

  it("O: are described", async () => {
    const { paths } = (await (await fetch("https://api.xata.io/openapi.json")).json()) as {
      paths: Record<string, Record<string, { operationId?: string }>>;
    };
    const described = Object.values(paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(described).toEqual(expect.arrayContaining(OPERATIONS.map(([name]) => name)));
  });

  const EARLIER = listOperations(earlierOperations).map(
    ([name, call]) => [`${name} of 0.26.6`, call] as const,
  );

  it.each([...OPERATIONS, ...EARLIER])("O: have a route: %s", async (title, call) => {
    const name = title.replace(" of 0.26.6", "");
    const { url, method } = await requestOf(call);
    const body = method === "GET" ? {} : { body: '{"nonsense":[]}' };
    const answer = await createFetch(createFixture("xata"))(url, { method, ...body });
    const text = await answer.text();
    expect(text).not.toMatch(/"code":"(?:route_not_found|method_not_allowed|internal)"/);
    expect(answer.status === 501).toBe(UNBUILT.has(name));
    if (answer.status === 501) expect(text).toContain(name);
  });
});

describe("operations that are not implemented", () => {
  it.each(["sql", "sql/batch"])("O: %s says which backends answer it", async (path) => {
    const fetch = createFetch(createEngine());
    const answer = await fetch(`https://api.xata.io/db/none:main/${path}`, { method: "POST" });
    expect([answer.status, await answer.text()]).toEqual([
      501,
      expect.stringMatching(/needs a PostgreSQL backend.*PGlite.*pglite:/),
    ]);
  });

  it("O: need a key in closed mode", async () => {
    const users = [{ email: "ann@example.com", fullname: "Ann", keys: ["k"] }];
    const fetch = createFetch(createEngine(), { users });
    expect((await fetch("https://api.xata.io/user/oauth/clients")).status).toBe(401);
  });

  it("O: answer before they look up names or read a body", async () => {
    const url = "https://api.xata.io/db/nope/migrations/start?and=more";
    const answer = await createFetch(createEngine())(url, { method: "POST", body: "no JSON" });
    expect(answer.status).toBe(501);
  });
});
