import { afterEach, beforeEach, expect, it } from "vitest";
import {
  type ApiClient,
  type Client,
  describeClients,
  type Setup,
  setUp,
  WAYS,
} from "./npm-clients.js";

const NOW = "2024-01-31T12:00:00Z";
const REQUEST = { source: "twig", target: "main", title: "Sizes" } as const;
const SIZE = { name: "size", type: "int" } as const;
const ADD_SIZE = { addColumn: { table: "teams", column: SIZE } };

describeClients(WAYS, "the history of a schema by the API client of $title", ({ version, way }) => {
  const at = { workspace: "acme", region: "us-east-1" } as const;
  const inDatabase = { ...at, dbName: "shop" } as const;
  const onMain = { ...at, dbBranchName: "shop:main" } as const;
  const onTwig = { ...at, dbBranchName: "shop:twig" } as const;
  let setup: Setup;
  let api: ApiClient;
  let client: Client;

  beforeEach(async () => {
    setup = await setUp(version, way);
    ({ api, client } = setup);
  });

  afterEach(() => setup.close());

  const historyOf = async (pathParams: typeof onMain | typeof onTwig) =>
    (await api.migrations.getBranchSchemaHistory({ pathParams, body: { page: { size: 200 } } }))
      .logs;
  const addSize = (pathParams: typeof onMain | typeof onTwig) =>
    api.table.addTableColumn({ pathParams: { ...pathParams, tableName: "teams" }, body: SIZE });
  const makeTwig = () =>
    api.branch.createBranch({ pathParams: onTwig, queryParams: { from: "main" } });
  const columnsOf = async (pathParams: typeof onMain | typeof onTwig) =>
    (
      await api.table.getTableColumns({ pathParams: { ...pathParams, tableName: "teams" } })
    ).columns.map(({ name }) => name);
  const refused = { status: 422 };

  it("K-1: each change is a migration, in pages, the latest first", async () => {
    await addSize(onMain);
    const [last, before] = await historyOf(onMain);
    expect(last).toMatchObject({ parentID: before!.id, createdAt: NOW, operations: [ADD_SIZE] });
    const first = await api.migrations.getBranchSchemaHistory({
      pathParams: onMain,
      body: { page: { size: 1 } },
    });
    expect(first).toEqual({ meta: { cursor: last!.id, more: true }, logs: [last] });
    const second = await api.migrations.getBranchSchemaHistory({
      pathParams: onMain,
      body: { page: { size: 1, after: first.meta.cursor } },
    });
    expect(second.logs).toEqual([before]);
    await makeTwig();
    expect(await historyOf(onTwig)).toEqual(await historyOf(onMain));
  });

  const lacksMigrations = version.lacks.includes("getBranchMigrationHistory");
  it.skipIf(lacksMigrations)("K-1: all changes are listed as migrations", async () => {
    await addSize(onMain);
    const { migrations } = await api.migrations.getBranchMigrationHistory({ pathParams: onMain });
    expect(migrations!.map(({ id }) => id)).toEqual((await historyOf(onMain)).map(({ id }) => id));
  });

  it("K-1: a plan is made and executed", async () => {
    const schema = {
      tables: [{ name: "teams", columns: [{ name: "name", type: "string" } as const, SIZE] }],
    };
    const plan = await api.migrations.getBranchMigrationPlan({
      pathParams: onMain,
      body: schema,
    });
    await api.migrations.executeBranchMigrationPlan({
      pathParams: onMain,
      body: plan as Parameters<typeof api.migrations.executeBranchMigrationPlan>[0]["body"],
    });
    expect((await api.branch.getBranchDetails({ pathParams: onMain })).schema).toEqual(schema);
  });

  it("K-1: an edit is looked at before it is made, and made if nothing came between", async () => {
    const operations = [ADD_SIZE];
    const { original, updated } = (await api.migrations.previewBranchSchemaEdit({
      pathParams: onMain,
      body: { edits: { operations } },
    })) as { original: { tables: object[] }; updated: { tables: object[] } };
    expect(original.tables[0]).toMatchObject({ columns: [{ name: "name" }] });
    expect(updated.tables[0]).toMatchObject({ columns: [{ name: "name" }, SIZE] });
    expect(await columnsOf(onMain)).toEqual(["name"]);
    const [last, before] = await historyOf(onMain);
    const update = (parentID: string) =>
      api.migrations.updateBranchSchema({ pathParams: onMain, body: { parentID, operations } });
    await expect(update(before!.id)).rejects.toMatchObject(refused);
    expect(await update(last!.id)).toMatchObject({
      parentMigrationID: last!.id,
      status: "completed",
    });
    expect(await columnsOf(onMain)).toEqual(["name", "size"]);
  });

  it("K-2: pushes migrations of one branch to another only if they follow its last", async () => {
    await makeTwig();
    await addSize(onTwig);
    const [added] = await historyOf(onTwig);
    const { createdAt: _, ...migration } = added!;
    const push = () =>
      api.migrations.pushBranchMigrations({
        pathParams: onMain,
        body: { migrations: [migration] },
      });
    expect(await push()).toMatchObject({ migrationID: added!.id, status: "completed" });
    expect(await columnsOf(onMain)).toEqual(["name", "size"]);
    expect((await historyOf(onMain))[0]).toMatchObject(migration);
    await expect(push()).rejects.toMatchObject(refused);
  });

  it("K-1: branches are compared, with steps that were not made yet", async () => {
    await makeTwig();
    const compare = (body: { sourceBranchOperations?: (typeof ADD_SIZE)[] }) =>
      api.migrations.compareBranchSchemas({
        pathParams: { ...onMain, branchName: "twig" },
        body,
      });
    expect((await compare({})).edits.operations).toEqual([]);
    await addSize(onTwig);
    const { source, target, edits } = await compare({});
    expect(source.tables[0]!.columns).toHaveLength(1);
    expect(target.tables[0]!.columns).toHaveLength(2);
    expect(edits.operations).toEqual([ADD_SIZE]);
    const pending = await compare({ sourceBranchOperations: [ADD_SIZE] });
    expect(pending.edits.operations).toEqual([]);
  });

  it("K-3: a request is made, found, compared, listed and merged", async () => {
    await makeTwig();
    await addSize(onTwig);
    const { number } = await api.migrationRequests.createMigrationRequest({
      pathParams: inDatabase,
      body: REQUEST,
    });
    expect(number).toBe(1);
    const pathParams = { ...inDatabase, mrNumber: number };
    const request = await api.migrationRequests.getMigrationRequest({ pathParams });
    expect(request).toMatchObject({ ...REQUEST, number, status: "open", createdAt: NOW });
    const found = await api.migrationRequests.queryMigrationRequests({
      pathParams: inDatabase,
      body: { filter: { status: "open" } },
    });
    expect(found.migrationRequests.map((one) => one.number)).toEqual([1]);
    const { edits } = await api.migrationRequests.compareMigrationRequest({ pathParams });
    expect(edits.operations).toEqual([ADD_SIZE]);
    const { logs } = await api.migrationRequests.listMigrationRequestsCommits({ pathParams });
    expect(logs.map(({ operations }) => operations)).toEqual([[ADD_SIZE]]);
    const isMerged = () => api.migrationRequests.getMigrationRequestIsMerged({ pathParams });
    expect(await isMerged()).toEqual({ merged: false });

    const merge = () => api.migrationRequests.mergeMigrationRequest({ pathParams });
    expect(await merge()).toMatchObject({
      title: "Sizes",
      status: "completed",
      migration: { operations: [ADD_SIZE] },
    });
    expect(await columnsOf(onMain)).toEqual(["name", "size"]);
    expect(await isMerged()).toEqual({ merged: true });
    expect(await api.migrationRequests.getMigrationRequest({ pathParams })).toMatchObject({
      status: "merged",
      mergedAt: NOW,
    });
    await expect(merge()).rejects.toMatchObject(refused);
  });

  it("K-3: a request that is closed or clashes is not merged", async () => {
    await makeTwig();
    await addSize(onTwig);
    const { number: mrNumber } = await api.migrationRequests.createMigrationRequest({
      pathParams: inDatabase,
      body: REQUEST,
    });
    const pathParams = { ...inDatabase, mrNumber };
    const update = (body: { title?: string; status?: "open" | "closed" }) =>
      api.migrationRequests.updateMigrationRequest({ pathParams, body });
    const merge = () => api.migrationRequests.mergeMigrationRequest({ pathParams });
    await update({ title: "Later", status: "closed" });
    expect(await api.migrationRequests.getMigrationRequest({ pathParams })).toMatchObject({
      title: "Later",
      status: "closed",
      closedAt: NOW,
    });
    await expect(merge()).rejects.toMatchObject(refused);
    await update({ status: "open" });
    await api.table.addTableColumn({
      pathParams: { ...onMain, tableName: "teams" },
      body: { name: "size", type: "string" },
    });
    const before = await historyOf(onMain);
    await expect(merge()).rejects.toMatchObject(refused);
    expect(await historyOf(onMain)).toEqual(before);
  });

  it("K-4: records are copied into a branch of equal schema", async () => {
    await makeTwig();
    for (const id of ["a", "b", "c"]) await client.db.teams.create(id, { name: id });
    const copy = (body: { destinationBranch: string; limit?: number }) =>
      api.branch.copyBranch({ pathParams: onMain, body });
    const idsInTwig = async () => {
      const { records } = await api.searchAndFilter.queryTable({
        pathParams: { ...onTwig, tableName: "teams" },
        body: {},
      });
      return records.map((record) => (record as { id: string }).id);
    };
    expect(await copy({ destinationBranch: "twig", limit: 2 })).toEqual({
      branchName: "twig",
      dbBranchID: "shop:twig",
      copyID: expect.stringMatching(/^copy_/),
    });
    expect(await idsInTwig()).toEqual(["a", "b"]);
    await copy({ destinationBranch: "twig" });
    expect(await idsInTwig()).toEqual(["a", "b", "c"]);
    await addSize(onTwig);
    await expect(copy({ destinationBranch: "twig" })).rejects.toMatchObject(refused);
  });

  const lacksAsync = version.lacks.includes("createBranchAsync");
  it.skipIf(lacksAsync)("K-4: a branch is made, though the client does not wait", async () => {
    expect(
      await api.branch.createBranchAsync({ pathParams: onTwig, queryParams: { from: "main" } }),
    ).toMatchObject({ branchName: "twig", status: "completed" });
    expect(await columnsOf(onTwig)).toEqual(["name"]);
  });

  it("K-4: a branch has true figures", async () => {
    await makeTwig();
    for (const name of ["A", "B"]) await client.db.teams.create({ name });
    await client.db.teams.getAll();
    const hour = (value: number) => [{ timestamp: NOW, value }];
    expect(await api.branch.getBranchStats({ pathParams: onMain })).toMatchObject({
      timestamp: NOW,
      numberOfRecords: hour(2),
      writesOverTime: hour(2),
      readsOverTime: hour(1),
    });
    expect(await api.branch.getBranchStats({ pathParams: onTwig })).toMatchObject({
      numberOfRecords: hour(0),
      writesOverTime: [],
    });
  });
});
