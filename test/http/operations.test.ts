import { operationsByTag } from "@xata.io/client";
import { describe, expect, it } from "vitest";
import { operationsByTag as earlierOperations } from "xata-client-0-26";
import { createFetch } from "../../src/http.js";
import { createEngine } from "../../src/index.js";
import { createFixture } from "./fixture.js";
import { VERSIONS } from "./npm-clients.js";

const UNBUILT: readonly string[] = [
  ...["getTasks", "getTaskStatus"],
  ...["listClusterBranches", "listClusterExtensions", "installClusterExtension"],
  ...["dropClusterExtension", "getClusterMetrics"],
  ...["listClusters", "createCluster", "getCluster", "updateCluster", "deleteCluster"],
  ...["getAuthorizationCode", "grantAuthorizationCode"],
  ...["getUserOAuthClients", "deleteUserOAuthClient", "getUserOAuthAccessTokens"],
  ...["deleteOAuthAccessToken", "updateOAuthAccessToken"],
  ...["getDatabaseGithubSettings", "updateDatabaseGithubSettings", "deleteDatabaseGithubSettings"],
  ...["getBranchMoveStatus", "moveBranch"],
  ...["applyMigration", "startMigration", "completeMigration", "rollbackMigration"],
  ...["adaptTable", "adaptAllTables", "getBranchMigrationJobStatus", "getMigrationJobs"],
  ...["getMigrationJobStatus", "getMigrationHistory", "getSchema", "getSchemas"],
  ...["askTable", "askTableSession", "sqlQuery", "sqlBatchQuery"],
];

type Operation = (variables: object) => Promise<unknown>;

const OPERATIONS: readonly (readonly [name: string, call: Operation])[] = Object.values(
  operationsByTag,
).flatMap((operations) => Object.entries(operations as unknown as Record<string, Operation>));

/** Names for whatever an operation's address has: all of what it may ask for. */
const PATH_PARAMS: Readonly<Record<string, string>> = {
  ...{ workspace: "acme", workspaceId: "acme", region: "us-east-1", dbName: "shop" },
  ...{ dbBranchName: "shop:main", branchName: "main", tableName: "teams", columnName: "name" },
  ...{ recordId: "t1", fileId: "f", sessionId: "s", userId: "usr_1", keyName: "k", token: "t" },
  ...{ inviteId: "i", inviteKey: "i", clientId: "c", clusterId: "c", taskId: "t", jobId: "j" },
  ...{ mrNumber: "1" },
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

describe("each operation of npm @xata.io/client 0.30.1", () => {
  it("O: is built or named as unbuilt, and the client has no other", () => {
    const names = OPERATIONS.map(([name]) => name);
    expect(names).toHaveLength(133);
    expect(new Set(names).size).toBe(133);
    expect(UNBUILT.filter((name) => !names.includes(name))).toEqual([]);
    expect(UNBUILT).toHaveLength(40);
  });

  it.each(OPERATIONS)("%s", async (name, call) => {
    const engine = createFixture("xata");
    const { url, method } = await requestOf(call);
    const { paths } = (await (
      await createFetch(engine)("https://api.xata.io/openapi.json")
    ).json()) as {
      paths: Record<string, Record<string, { operationId?: string }>>;
    };
    const described = Object.values(paths).some((path) =>
      Object.values(path).some(({ operationId }) => operationId === name),
    );
    expect(described).toBe(true);
    const before = engine.snapshot();
    const body = method === "GET" ? {} : { body: '{"nonsense":[]}' };
    const answer = await createFetch(engine)(url, { method, ...body });
    if (UNBUILT.includes(name)) {
      expect(answer.status).toBe(501);
      expect(await answer.json()).toMatchObject({
        code: "not_implemented",
        message: expect.stringContaining(name),
      });
    } else {
      expect([404, 405, 500, 501].includes(answer.status) && isNoRoute(await answer.json())).toBe(
        false,
      );
    }
    engine.restore(before);
  });
});

describe("calls that the API client of 0.26.6 lacks", () => {
  it("O: are those that the tests of both versions leave out", () => {
    const earlier = new Set(Object.values(earlierOperations).flatMap((all) => Object.keys(all)));
    const built = OPERATIONS.map(([name]) => name).filter((name) => !UNBUILT.includes(name));
    const missing = built.filter((name) => !earlier.has(name));
    const { lacks } = VERSIONS.find(({ version }) => version === "0.26.6")!;
    expect([...lacks].sort()).toEqual([...missing, "getBranchMigrationHistory"].sort());
  });
});

function isNoRoute(body: unknown): boolean {
  return ["route_not_found", "method_not_allowed", "not_implemented", "internal"].includes(
    (body as { code: string }).code,
  );
}

describe("known operations that are not implemented", () => {
  it("O: asks for a key first, in closed mode", async () => {
    const users = [{ email: "ann@example.com", fullname: "Ann", keys: ["k"] }];
    const fetch = createFetch(createEngine(), { users });
    const { status } = await fetch("https://api.xata.io/user/oauth/clients");
    expect(status).toBe(401);
  });

  it.each([
    "/db/nope:nope/migrations/start",
    "/db/nope/migrations/start?and=more",
    "/workspaces/nope/clusters",
  ])("O: is so before any name is looked up: %s", async (path) => {
    const answer = await createFetch(createEngine())(`https://api.xata.io${path}`, {
      method: "POST",
      body: "no JSON",
    });
    expect(answer.status).toBe(501);
  });

  it("O: differ from a typo", async () => {
    const fetch = createFetch(createEngine());
    const answer = await fetch("https://api.xata.io/user/oauth/client");
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: "route_not_found" });
  });
});
