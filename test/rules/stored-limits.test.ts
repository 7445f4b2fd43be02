import { describe, expect, it } from "vitest";
import { exportEngine, importEngine } from "../../src/export.js";
import { createMigrationRequest, mergeMigrationRequest, updateSchema } from "../../src/history.js";
import { type ColumnDefinition, createEngine, type EngineOptions } from "../../src/index.js";
import { expectRefusal } from "../refusal.js";

function open(profile: "documented" | "xata", limits?: EngineOptions["limits"]) {
  const engine = createEngine({ profile, limits, seed: 1, now: 0 });
  const db = engine.createWorkspace("acme").createDatabase("shop");
  return { engine, db, main: db.branch("main") };
}

function times<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

const ints = (count: number): ColumnDefinition[] =>
  times(count, (i) => ({ name: `c${i}`, type: "int" }));
const SCHEMA = { code: "invalid_schema", rule: "L-13" } as const;
const RECORD = { code: "invalid_record", rule: "L-13" } as const;

describe("L-13: columns of a table", () => {
  it("can be raised and lowered; a table that has more keeps them", () => {
    const { engine, main } = open("xata", { tableColumns: 300 });
    main.createTable("a", ints(300));
    const lowered = createEngine({ profile: "xata" });
    lowered.restore(engine.snapshot());
    const table = lowered.workspace("acme").database("shop").branch("main").table("a");
    table.renameColumn("c0", "renamed");
    table.removeColumn("c1");
    expectRefusal(() => table.addColumn({ name: "more", type: "int" }), {
      ...SCHEMA,
      message: /at most 256 columns \(limits\.tableColumns\)/,
    });
    for (const limits of [
      { tableColumns: 1001 },
      { branchTables: 10_001 },
      { recordBytes: 2 ** 27 },
    ]) {
      expectRefusal(() => createEngine({ limits }), { code: "invalid_request" });
    }
  });
});

describe("L-13: tables of a branch", () => {
  const tables = (count: number, head = "t") =>
    Object.fromEntries(times(count, (i) => [`${head}${i}`, []]));

  it("under documented are at most 10,000", () => {
    const most = 10_000;
    const { main, db } = open("documented");
    expectRefusal(() => main.createTables(tables(most + 1)), SCHEMA);
    expect(main.tables()).toEqual([]);
    main.createTables(tables(most));
    expectRefusal(() => main.createTable("more"), SCHEMA);
    const operations = [{ removeTable: { table: "t0" } }, { addTable: { table: "other" } }];
    updateSchema(main, { operations });
    expectRefusal(() => updateSchema(main, { operations: [{ addTable: { table: "more" } }] }), {
      ...SCHEMA,
      status: 400,
      path: "/operations/0",
    });
    db.createBranch("copy", { from: "main" });
    expect(db.branch("copy").tables()).toHaveLength(most);
  });

  it("holds for merging", () => {
    const { main, db } = open("xata");
    const source = db.createBranch("source");
    source.createTables(tables(60));
    main.createTables(tables(60, "own"));
    const request = createMigrationRequest(db, { source: "source", target: "main", title: "t" });
    expectRefusal(() => mergeMigrationRequest(db, request), { code: "schema_conflict" });
    expect(main.tables()).toHaveLength(60);
  });
});

describe("L-13: operations of a schema change", () => {
  const renames = (count: number) =>
    times(count, (i) => ({ renameColumn: { table: "a", oldName: `c${i}`, newName: `c${i + 1}` } }));

  it("can be raised", () => {
    const { main } = open("documented", { schemaOperations: 2000 });
    main.createTable("a", ints(1));
    updateSchema(main, { operations: renames(2000) });
  });

  it("may be more in what a merge applies", () => {
    const { main, db } = open("documented");
    const source = db.createBranch("source");
    source.createTables({ a: ints(700), b: ints(700) });
    const request = createMigrationRequest(db, { source: "source", target: "main", title: "t" });
    mergeMigrationRequest(db, request);
    expect(main.tables()).toEqual([{ name: "a" }, { name: "b" }]);
  });
});

describe("L-13: the bytes of a record", () => {
  const KIB = 1024;
  const columns: ColumnDefinition[] = [
    { name: "text", type: "text" },
    { name: "tags", type: "multiple" },
    { name: "doc", type: "json" },
    { name: "v", type: "vector", vector: { dimension: 9000 } },
  ];

  it("count short values of many columns, also of a batch", () => {
    const { main } = open("xata");
    const names = times(250, (i) => `c${i}`);
    const table = main.createTable("a", [
      ...names.slice(50).map((name) => ({ name, type: "string" }) as const),
      ...names.slice(0, 50).map((name) => ({ name, type: "text" }) as const),
    ]);
    const record = (text: string) => Object.fromEntries(names.map((name) => [name, text]));
    expectRefusal(() => table.load([record("x"), record("é".repeat(1500))]), RECORD);
    expectRefusal(() => table.insert(record("é".repeat(1500))), RECORD);
    table.load([record("x".repeat(2000)), { ...record("é".repeat(1150)), c0: null }]);
    expectRefusal(
      () => table.addColumn({ name: "more", type: "text", defaultValue: "y".repeat(60_000) }),
      RECORD,
    );
  });

  it("can be raised; exports and what was stored remain readable", () => {
    const { engine, main } = open("xata", { recordBytes: KIB * KIB });
    main.createTable("a", columns).insert({ id: "a", text: "x".repeat(1000 * KIB) });
    const copy = importEngine(exportEngine(engine));
    expect(copy.limits.recordBytes).toBe(KIB * KIB);
    const lowered = createEngine({ profile: "xata" });
    lowered.restore(engine.snapshot());
    const table = lowered.workspace("acme").database("shop").branch("main").table("a");
    expect(table.get("a")?.text).toHaveLength(1000 * KIB);
    table.update("a", { tags: ["short"] });
  });
});
