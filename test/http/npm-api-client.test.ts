/** @module-tag slow */
import { afterAll, afterEach, beforeEach, expect, it } from "vitest";
import {
  ALL_WAYS,
  type ApiClient,
  closeDatabases,
  describeClients,
  expectStatus,
  type Setup,
  setUp,
} from "./npm-clients.js";

afterAll(closeDatabases);

describeClients(ALL_WAYS, "the API client of $title", ({ version, way }) => {
  const at = { workspace: "acme", region: "us-east-1" } as const;
  const dbBranchName = "shop:main" as const;
  let setup: Setup;
  let api: ApiClient;

  beforeEach(async () => {
    setup = await setUp(version, way);
    ({ api } = setup);
  });

  afterEach(() => setup.close());

  it("D-1: creates, reads, updates, renames, lists and deletes databases", async () => {
    const pathParams = { workspaceId: "acme", dbName: "mall" };
    const region = "eu-west-1";
    expect(await api.databases.createDatabase({ pathParams, body: { region } })).toEqual({
      databaseName: "mall",
      branchName: "main",
      status: "completed",
    });
    expect(await api.databases.getDatabaseMetadata({ pathParams })).toMatchObject({
      name: "mall",
      region,
    });
    const body = { ui: { color: "RED" } };
    expect(await api.databases.updateDatabaseMetadata({ pathParams, body })).toMatchObject(body);
    await api.databases.renameDatabase({ pathParams, body: { newName: "plaza" } });
    const { databases } = await api.databases.getDatabaseList({ pathParams });
    expect(databases.map(({ name }) => name)).toEqual(["shop", "plaza"]);
    const renamed = { ...pathParams, dbName: "plaza" };
    expect(await api.databases.deleteDatabase({ pathParams: renamed })).toEqual({
      status: "completed",
    });
    await expect(api.databases.getDatabaseMetadata({ pathParams: renamed })).rejects.toMatchObject({
      status: 404,
      message: expect.stringMatching(/^database \[plaza\] not found/),
    });
  });

  it("D-7: lists the regions", async () => {
    const { regions } = await api.databases.listRegions({ pathParams: { workspaceId: "acme" } });
    expect(regions.map(({ id }) => id)).toEqual([
      "us-east-1",
      "us-west-2",
      "eu-central-1",
      "eu-west-1",
      "ap-southeast-2",
    ]);
  });

  it("X-5: creates, reads, annotates, lists and deletes branches", async () => {
    const pathParams = { ...at, dbBranchName: "shop:twig" } as const;
    const queryParams = { from: "main" };
    expect(await api.branch.createBranch({ pathParams, queryParams })).toEqual({
      databaseName: "shop",
      branchName: "twig",
      status: "completed",
    });
    const { schema } = await api.branch.getBranchDetails({ pathParams });
    expect(schema.tables).toHaveLength(2);
    await api.branch.updateBranchMetadata({ pathParams, body: { stage: "dev" } });
    expect(await api.branch.getBranchMetadata({ pathParams })).toEqual({ stage: "dev" });
    const inDatabase = { ...at, dbName: "shop" };
    const { branches } = await api.branch.getBranchList({ pathParams: inDatabase });
    expect(branches.map(({ name }) => name)).toEqual(["main", "twig"]);
    expect(await api.branch.deleteBranch({ pathParams })).toEqual({ status: "completed" });
  });

  it("M-1: creates, renames and deletes tables", async () => {
    const pathParams = { ...at, dbBranchName, tableName: "logs" };
    expect(await api.table.createTable({ pathParams })).toEqual({
      branchName: "shop:main",
      tableName: "logs",
      status: "completed",
    });
    await expectStatus(422, api.table.createTable({ pathParams }));
    await api.table.updateTable({ pathParams, body: { name: "lines" } });
    const renamed = { ...pathParams, tableName: "lines" };
    expect(await api.table.deleteTable({ pathParams: renamed })).toEqual({ status: "completed" });
  });

  it("X-4: reads and changes schemas and columns", async () => {
    const pathParams = { ...at, dbBranchName, tableName: "teams" };
    await api.table.addTableColumn({ pathParams, body: { name: "size", type: "int" } });
    const columnParams = { ...pathParams, columnName: "size" };
    expect(await api.table.getColumn({ pathParams: columnParams })).toEqual({
      name: "size",
      type: "int",
    });
    await api.table.updateColumn({ pathParams: columnParams, body: { name: "seats" } });
    const { columns } = await api.table.getTableColumns({ pathParams });
    expect(columns.map(({ name }) => name)).toEqual(["name", "seats"]);
    await api.table.deleteColumn({ pathParams: { ...pathParams, columnName: "seats" } });
    expect(await api.table.getTableSchema({ pathParams })).toEqual({
      columns: [{ name: "name", type: "string" }],
    });
    await api.table.setTableSchema({ pathParams, body: { columns: [] } });
    expect(await api.table.getTableSchema({ pathParams })).toEqual({ columns: [] });
  });

  it("X-4: compares and applies schemas", async () => {
    const pathParams = { ...at, dbBranchName };
    const schema = { tables: [{ name: "logs", columns: [{ name: "line", type: "text" }] }] };
    const compared = await api.migrations.compareBranchWithUserSchema({
      pathParams,
      body: { schema },
    });
    expect(compared.edits.operations).toHaveLength(4);
    await api.migrations.applyBranchSchemaEdit({ pathParams, body: { edits: compared.edits } });
    const after = await api.branch.getBranchDetails({ pathParams });
    expect(after.schema).toEqual(schema);
  });

  it("B-2: maps and resolves git branches", async () => {
    const pathParams = { ...at, dbName: "shop" };
    const body = { gitBranch: "fix/bug", xataBranch: "main" };
    expect(await api.branch.addGitBranchesEntry({ pathParams, body })).toEqual({});
    expect(await api.branch.addGitBranchesEntry({ pathParams, body })).toEqual({
      warning: expect.stringContaining("fix/bug"),
    });
    expect(await api.branch.getGitBranchesMapping({ pathParams })).toEqual({ mapping: [body] });
    const queryParams = { gitBranch: "fix/bug" };
    expect(await api.branch.resolveBranch({ pathParams, queryParams })).toMatchObject({
      branch: "main",
      reason: { code: "FOUND_IN_MAPPING" },
    });
    await api.branch.removeGitBranchesEntry({ pathParams, queryParams });
    await expectStatus(404, api.branch.removeGitBranchesEntry({ pathParams, queryParams }));
  });

  it("U-2: reads, changes and deletes the user", async () => {
    const body = { email: "me@example.org", fullname: "Me", image: "me.png" };
    const { id } = await api.users.getUser({});
    expect(await api.users.updateUser({ body })).toEqual({ id, ...body });
    await api.users.deleteUser({});
    expect(await api.users.getUser({})).toMatchObject({ fullname: "Built-in User" });
  });

  it.skipIf(version.lacks.includes("updateDatabaseSettings"))(
    "X-5: reads and stores settings",
    async () => {
      const pathParams = { ...at, dbName: "shop" };
      const body = { searchEnabled: false };
      expect(await api.database.updateDatabaseSettings({ pathParams, body })).toEqual(body);
      expect(await api.database.getDatabaseSettings({ pathParams })).toEqual(body);
      const { workspaces } = await api.workspaces.getWorkspacesList({});
      expect(workspaces.map(({ id }) => id)).toEqual(["acme"]);
    },
  );

  it("X-1: inserts in bulk", async () => {
    const pathParams = { ...at, dbBranchName, tableName: "teams" };
    const body = { records: [{ id: "a", name: "A" }, { name: "B" }] };
    expect(await api.records.bulkInsertTableRecords({ pathParams, body })).toEqual({
      recordIDs: ["a", expect.stringMatching(/^rec_/)],
    });
    const refused = { records: [{ id: "a" }] };
    await expect(
      api.records.bulkInsertTableRecords({ pathParams, body: refused }),
    ).rejects.toMatchObject({
      status: 400,
      errors: [{ message: 'record "a" already exists', status: 400 }],
    });
  });
});
