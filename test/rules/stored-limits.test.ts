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
  it.each([
    ["xata", 256],
    ["documented", 1000],
  ] as const)("under %s at most %i", (profile, most) => {
    const { main } = open(profile);
    const rule = most === 1000 ? "L-6" : "L-13";
    const refusal = { code: "invalid_schema", rule } as const;
    expectRefusal(() => main.createTable("a", ints(most + 1)), refusal);
    expectRefusal(() => main.createTables({ a: ints(most + 1) }), { ...refusal, path: "/a" });
    const table = main.createTable("a", ints(most));
    expectRefusal(() => table.addColumn({ name: "more", type: "int" }), refusal);
    expectRefusal(() => table.setSchema({ columns: ints(most + 1) }), refusal);
    expect(table.schema().columns).toHaveLength(most);
    table.removeColumn("c0");
    table.addColumn({ name: "more", type: "int" });
  });

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

  it.each([
    ["xata", 100],
    ["documented", 10_000],
  ] as const)("under %s at most %i", (profile, most) => {
    const { main, db } = open(profile);
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

  it("are at most 1,000", () => {
    const { main } = open("documented");
    main.createTable("a", ints(1));
    expectRefusal(() => updateSchema(main, { operations: renames(1001) }), {
      code: "invalid_request",
      rule: "L-13",
      path: "/operations",
    });
    updateSchema(main, { operations: renames(1000) });
    expect(main.table("a").schema().columns).toEqual([{ name: "c1000", type: "int" }]);
  });

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

  it("under xata are at most 600 KiB", () => {
    const { main } = open("xata");
    const table = main.createTable("a", columns);
    expectRefusal(() => table.insert({ text: "x".repeat(600 * KIB) }), RECORD);
    expectRefusal(() => table.load([{ text: "é".repeat(300 * KIB) }]), RECORD);
    expectRefusal(() => table.insert({ text: "\n".repeat(300 * KIB) }), RECORD);
    expectRefusal(() => table.insert({ tags: times(110_000, () => "tag") }), RECORD);
    expectRefusal(
      () => table.insert({ doc: JSON.stringify({ a: "x".repeat(600 * KIB) }) }),
      RECORD,
    );
    const whole = { text: "x".repeat(600 * KIB - '"text":"",'.length) };
    const { id } = table.insert(whole);
    expectRefusal(() => table.update(id, { doc: `"${"x".repeat(5000)}"` }), RECORD);
    expectRefusal(() => table.replace(id, { ...whole, text: `${whole.text}x` }), RECORD);
    expectRefusal(
      () => main.transaction([{ insert: { table: "a", record: { text: `${whole.text}x` } } }]),
      RECORD,
    );
    expect(table.count()).toBe(1);
  });

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
