import { XataApiClient } from "@xata.io/client";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { ALL_WAYS, closeDatabases, type Setup, setUp, VERSIONS } from "./npm-clients.js";

afterAll(closeDatabases);

const AT = { workspace: "acme", region: "us-east-1" } as const;
const MAIN = { ...AT, dbBranchName: "shop:main" } as const;
const TWIG = { ...AT, dbBranchName: "shop:twig" } as const;
const SIZE = { name: "size", type: "int" } as const;

const connect = ({ fetch, host }: Setup, apiKey = "key") =>
  new XataApiClient({ apiKey, fetch, ...(host !== undefined && { host }) });

function expectStatus(status: number, call: Promise<unknown>): Promise<void> {
  return expect(call).rejects.toMatchObject({ status });
}

// Its calls are the requests of vectors: operations.test.ts holds that each of both versions has its route.
for (const way of ALL_WAYS) {
  describe(`the API client ${way}`, { tags: way === ALL_WAYS[0] ? [] : ["slow"] }, () => {
    let setup: Setup;
    let api: XataApiClient;

    beforeEach(async () => {
      setup = await setUp(VERSIONS[0]!, way);
      api = connect(setup);
    });
    afterEach(() => setup.close());

    it("D-1, U-2: creates, renames and deletes databases, as the user", async () => {
      const pathParams = { workspaceId: "acme", dbName: "mall" };
      const made = await api.databases.createDatabase({
        pathParams,
        body: { region: "eu-west-1" },
      });
      expect(made).toEqual({ databaseName: "mall", branchName: "main", status: "completed" });
      await api.databases.renameDatabase({ pathParams, body: { newName: "plaza" } });
      const { databases } = await api.databases.getDatabaseList({ pathParams });
      expect(databases.map(({ name }) => name)).toEqual(["shop", "plaza"]);
      await expect(api.databases.getDatabaseMetadata({ pathParams })).rejects.toMatchObject({
        status: 404,
        message: expect.stringMatching(/^database \[mall\] not found/),
      });
      const { workspaces } = await api.workspaces.getWorkspacesList({});
      expect(workspaces.map(({ id }) => id)).toEqual(["acme"]);
      const body = { email: "me@example.org", fullname: "Me", image: "me.png" };
      expect(await api.users.updateUser({ body })).toMatchObject(body);
    });

    it("X-4, X-1: changes tables and columns, and inserts in bulk", async () => {
      const pathParams = { ...MAIN, tableName: "teams" };
      await expectStatus(422, api.table.createTable({ pathParams }));
      await api.table.addTableColumn({ pathParams, body: SIZE });
      const columnParams = { ...pathParams, columnName: "size" };
      expect(await api.table.getColumn({ pathParams: columnParams })).toEqual(SIZE);
      await api.table.deleteColumn({ pathParams: columnParams });
      const body = { records: [{ id: "a", name: "A" }] };
      const insert = () => api.records.bulkInsertTableRecords({ pathParams, body });
      expect(await insert()).toEqual({ recordIDs: ["a"] });
      const errors = [{ message: 'record "a" already exists', status: 400 }];
      await expect(insert()).rejects.toMatchObject({ status: 400, errors });
    });

    it("B-2, K-3: maps a branch, and merges what it added", async () => {
      const inShop = { ...AT, dbName: "shop" };
      await api.branch.createBranch({ pathParams: TWIG, queryParams: { from: "main" } });
      const mapping = { gitBranch: "fix/bug", xataBranch: "twig" };
      await api.branch.addGitBranchesEntry({ pathParams: inShop, body: mapping });
      const queryParams = { gitBranch: "fix/bug" };
      const found = await api.branch.resolveBranch({ pathParams: inShop, queryParams });
      expect(found).toMatchObject({ branch: "twig", reason: { code: "FOUND_IN_MAPPING" } });
      const inTwig = { ...TWIG, tableName: "teams" };
      await api.table.addTableColumn({ pathParams: inTwig, body: SIZE });
      const request = { source: "twig", target: "main", title: "Sizes" };
      const { number } = await api.migrationRequests.createMigrationRequest({
        pathParams: inShop,
        body: request,
      });
      const pathParams = { ...inShop, mrNumber: number };
      await api.migrationRequests.mergeMigrationRequest({ pathParams });
      const merged = await api.migrationRequests.getMigrationRequest({ pathParams });
      expect(merged).toMatchObject({ ...request, number, status: "merged" });
      const { logs } = await api.migrations.getBranchSchemaHistory({ pathParams: MAIN, body: {} });
      expect(logs[0]).toMatchObject({
        operations: [{ addColumn: { table: "teams", column: SIZE } }],
      });
    });
  });
}

it("A-1: a key that the API client creates is that of a client until it is deleted", async () => {
  const setup = await setUp(VERSIONS[0]!, "in process", [], { auth: "closed" });
  const user = { email: "owner@example.com", fullname: "Owner", keys: ["key"] };
  setup.engine!.addMember("acme", setup.engine!.createUser(user).id, "owner");
  const { authentication } = connect(setup);
  const pathParams = { keyName: "ci" };
  const { key } = await authentication.createUserAPIKey({ pathParams });
  const client = setup.connect(key);
  const { id } = await client.db.teams.create({ name: "A" });
  expect(await client.db.teams.read(id)).toMatchObject({ name: "A" });
  await authentication.deleteUserAPIKey({ pathParams });
  await expectStatus(401, client.db.teams.read(id));
  await expectStatus(404, authentication.deleteUserAPIKey({ pathParams }));
  await setup.close();
});
