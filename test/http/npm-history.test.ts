import { afterEach, beforeEach, expect, it } from "vitest";
import {
  type ApiClient,
  type Client,
  describeClients,
  expectStatus,
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
  const makeRequest = async () => {
    const request = { pathParams: inDatabase, body: REQUEST };
    return (await api.migrationRequests.createMigrationRequest(request)).number;
  };

  it("K-1: pages through the history, latest first", async () => {
    await addSize(onMain);
    const [last, before] = await historyOf(onMain);
    expect(last).toMatchObject({ parentID: before!.id, createdAt: NOW, operations: [ADD_SIZE] });
    const pageOf = (page: { size: number; after?: string }) =>
      api.migrations.getBranchSchemaHistory({ pathParams: onMain, body: { page } });
    const first = await pageOf({ size: 1 });
    expect(first).toEqual({ meta: { cursor: last!.id, more: true }, logs: [last] });
    expect((await pageOf({ size: 1, after: first.meta.cursor })).logs).toEqual([before]);
    await makeTwig();
    expect(await historyOf(onTwig)).toEqual(await historyOf(onMain));
  });

  const lacksMigrations = version.lacks.includes("getBranchMigrationHistory");
  it.skipIf(lacksMigrations)("K-1: lists all migrations", async () => {
    await addSize(onMain);
    const { migrations } = await api.migrations.getBranchMigrationHistory({ pathParams: onMain });
    expect(migrations!.map(({ id }) => id)).toEqual((await historyOf(onMain)).map(({ id }) => id));
  });

  it("K-1: creates and executes a plan", async () => {
    const schema = {
      tables: [{ name: "teams", columns: [{ name: "name", type: "string" } as const, SIZE] }],
    };
    const plan = await api.migrations.getBranchMigrationPlan({ pathParams: onMain, body: schema });
    await api.migrations.executeBranchMigrationPlan({
      pathParams: onMain,
      body: plan as Parameters<typeof api.migrations.executeBranchMigrationPlan>[0]["body"],
    });
    expect((await api.branch.getBranchDetails({ pathParams: onMain })).schema).toEqual(schema);
  });

  it("K-1: previews an edit, and applies it if it follows the last migration", async () => {
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
    await expectStatus(422, update(before!.id));
    expect(await update(last!.id)).toMatchObject({
      parentMigrationID: last!.id,
      status: "completed",
    });
    expect(await columnsOf(onMain)).toEqual(["name", "size"]);
  });

  it("K-2: pushes migrations that follow the last of the branch", async () => {
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
    await expectStatus(422, push());
  });

  it("K-1: compares branches, with pending operations", async () => {
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

  it("K-3: creates, finds, compares, lists and merges a request", async () => {
    await makeTwig();
    await addSize(onTwig);
    const number = await makeRequest();
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
    const update = (status: "open" | "closed") =>
      api.migrationRequests.updateMigrationRequest({ pathParams, body: { status } });
    await update("closed");
    await update("open");
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
    await expectStatus(422, merge());
  });

  it("K-4: copies records to a branch, and counts reads and writes", async () => {
    await makeTwig();
    for (const id of ["a", "b"]) await client.db.teams.create(id, { name: id });
    const body = { destinationBranch: "twig", limit: 1 };
    expect(await api.branch.copyBranch({ pathParams: onMain, body })).toEqual({
      branchName: "twig",
      dbBranchID: "shop:twig",
      copyID: expect.stringMatching(/^copy_/),
    });
    const hour = (value: number) => [{ timestamp: NOW, value }];
    expect(await api.branch.getBranchStats({ pathParams: onMain })).toMatchObject({
      timestamp: NOW,
      numberOfRecords: hour(2),
      writesOverTime: hour(2),
      readsOverTime: hour(1),
    });
    expect(await api.branch.getBranchStats({ pathParams: onTwig })).toMatchObject({
      numberOfRecords: hour(1),
    });
  });

  const lacksAsync = version.lacks.includes("createBranchAsync");
  it.skipIf(lacksAsync)("K-4: creates a branch asynchronously", async () => {
    expect(
      await api.branch.createBranchAsync({ pathParams: onTwig, queryParams: { from: "main" } }),
    ).toMatchObject({ branchName: "twig", status: "completed" });
    expect(await columnsOf(onTwig)).toEqual(["name"]);
  });
});
