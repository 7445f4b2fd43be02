import { describe, expect, it } from "vitest";
import { exportEngine, importEngine } from "../../src/export.js";
import { enableFiles } from "../../src/files.js";
import { describeDifference } from "../../src/history/plans.js";
import {
  copyRecords,
  createMigrationRequest,
  getMigrationRequest,
  listMigrations,
  listRequestMigrations,
  mergeMigrationRequest,
  missingMigrations,
  pushMigrations,
  replay,
} from "../../src/history.js";
import { type AnyBranch, type AnyDatabase, type AnyEngine, createEngine } from "../../src/index.js";
import { defineColumns } from "../columns.js";
import { expectRefused, refused } from "../rules/fixture.js";

const NAME = { name: "name", type: "string" } as const;

function open(): { engine: AnyEngine; db: AnyDatabase; main: AnyBranch } {
  const engine = createEngine({ seed: 1, now: Date.parse("2024-01-31T12:00:00Z") });
  const db = engine.createWorkspace("acme").createDatabase("shop");
  return { engine, db, main: db.branch("main") };
}

describe("the history of a schema", () => {
  it("K-1: contains every change, by any call", () => {
    const { db, main } = open();
    expect(listMigrations(main)).toEqual([]);
    main.createTables({ teams: [NAME], users: [{ name: "o", type: "object", columns: [NAME] }] });
    const teams = main.table("teams");
    teams.addColumn({ name: "size", type: "int" });
    teams.renameColumn("size", "seats");
    main.table("users").removeColumn("o.name");
    teams.setSchema({ columns: [{ name: "name", type: "text" }] });
    teams.setSchema({ columns: [{ name: "name", type: "text" }] });
    teams.rename("crews");
    main.deleteTable("users");
    const migrations = listMigrations(main);
    expect(migrations.map(({ operations }) => operations)).toEqual([
      [
        { addTable: { table: "teams" } },
        { addColumn: { table: "teams", column: NAME } },
        { addTable: { table: "users" } },
        { addColumn: { table: "users", column: { name: "o", type: "object", columns: [NAME] } } },
      ],
      [{ addColumn: { table: "teams", column: { name: "size", type: "int" } } }],
      [{ renameColumn: { table: "teams", oldName: "size", newName: "seats" } }],
      [{ removeColumn: { table: "users", column: "o.name" } }],
      [
        { removeColumn: { table: "teams", column: "seats" } },
        { removeColumn: { table: "teams", column: "name" } },
        { addColumn: { table: "teams", column: { name: "name", type: "text" } } },
      ],
      [{ renameTable: { oldName: "teams", newName: "crews" } }],
      [{ removeTable: { table: "users" } }],
    ]);
    expect(new Set(migrations.map(({ id }) => id)).size).toBe(migrations.length);
    expect(migrations.map(({ parentID }) => parentID)).toEqual([
      undefined,
      ...migrations.slice(0, -1).map(({ id }) => id),
    ]);
    expect(migrations[0]).toMatchObject({ createdAt: "2024-01-31T12:00:00Z" });
    const twig = db.createBranch("twig", { from: "main" });
    expect(listMigrations(twig)).toEqual(migrations);
    twig.createTable("more");
    expect(listMigrations(main)).toHaveLength(migrations.length);
    expect(listMigrations(twig)).toHaveLength(migrations.length + 1);
  });

  it("K-5: values are lost by a schema or a merge only if it is asked to", () => {
    const { db, main } = open();
    const columns = defineColumns({ n: "int", o: { s: "string" }, v: "vector 2" });
    const table = main.createTable("t", columns);
    db.createBranch("twig", { from: "main" }).table("t").setSchema({ columns: [] });
    db.createBranch("bare", { from: "main" }).deleteTable("t");
    table.insert([{ n: 1, o: { s: "x" } }, { n: 2 }, {}]);
    const expectLost = (call: () => unknown, message: RegExp, path?: string): void =>
      expectRefused(call, "schema_conflict", "K-5", path, message);
    const before = table.query().records;
    const number = createMigrationRequest(db, { source: "twig", target: "main", title: "t" });
    const removal = createMigrationRequest(db, { source: "bare", target: "main", title: "t" });
    for (const request of [number, removal])
      expectLost(() => mergeMigrationRequest(db, request), /column \[n\]: values .*: 2$/);
    expectLost(() => table.setSchema({ columns: [] }), /column \[n\]: values .*: 2$/, "/columns");
    const retyped = defineColumns({ n: "int", o: { s: "int" } });
    const narrow = (): void => table.setSchema({ columns: retyped });
    expectLost(narrow, /column \[o.s\]: values .*: 1$/, "/columns");
    expect(table.query().records).toEqual(before);
    table.setSchema({ columns: columns.slice(0, 2) }); // no vector has a value
    table.setSchema({ columns });
    mergeMigrationRequest(db, number, { dropValues: true });
    expect(table.schema().columns).toEqual([]);
    table.setSchema({ columns });
    table.insert({ n: 1 });
    table.setSchema({ columns: [] }, { dropValues: true });
    expect(table.schema().columns).toEqual([]);
    mergeMigrationRequest(db, removal);
    expect(main.tables()).toEqual([]);
  });

  it("K-5: what `missingMigrations` gives, `pushMigrations` takes", () => {
    const { db, main: prod } = open();
    prod.createTable("t", defineColumns({ n: "int" })).insert({ n: 5 });
    const dev = db.createBranch("dev", { from: "main" });
    dev.table("t").alterColumn({ name: "n", type: "int", notNull: true });
    const feature = db.createBranch("feature", { from: "dev" });
    feature.createTable("u");
    dev.createTable("v");
    const request = { source: "feature", target: "dev", title: "u", body: "more" };
    mergeMigrationRequest(db, createMigrationRequest(db, request));
    pushMigrations(prod, missingMigrations(dev, prod));
    expect(listMigrations(prod)).toEqual(listMigrations(dev));
    expect(missingMigrations(feature, prod)).toEqual([]);
    expect(prod.table("t").query().records).toMatchObject([{ n: 5 }]);
    const migration = { id: "m", checksum: "", createdAt: "yesterday", operations: [] };
    expectRefused(
      () => pushMigrations(prod, [migration]),
      "invalid_request",
      "K-2",
      "/migrations/0/createdAt",
    );
  });

  it("K-2: survives an export, in which shared migrations are written once", () => {
    const { engine, db, main } = open();
    main.createTable("teams", [NAME]);
    const twig = db.createBranch("twig", { from: "main" });
    twig.createTable("more");
    createMigrationRequest(db, { source: "twig", target: "main", title: "more" });
    const text = [...exportEngine(engine)].join("");
    expect(text.match(/\["migration"/g)).toHaveLength(2);
    const copy = importEngine(text).workspace("acme").database("shop");
    expect(listMigrations(copy.branch("twig"))).toEqual(listMigrations(twig));
    expect(getMigrationRequest(copy, 1)).toEqual(getMigrationRequest(db, 1));
    mergeMigrationRequest(copy, 1);
    expect(getMigrationRequest(copy, 1).status).toBe("merged");
  });

  it("K-2: the error of a step contains the name of the branch", () => {
    const { main } = open();
    const refusal = refused(() => replay(main, [], [{ removeTable: { table: "a" } }], "/edits"));
    expect(refusal.message).toBe("table [shop:main/a] not found");
    expect(refusal.path).toBe("/edits/0");
  });
});

describe("migration requests", () => {
  it("K-3: list the migrations that each merged, also after later merges and an import", () => {
    const { engine, db, main } = open();
    main.createTable("a");
    const twig = db.createBranch("twig", { from: "main" });
    const merge = (): void => {
      const given = { source: "twig", target: "main", title: "t" };
      mergeMigrationRequest(db, createMigrationRequest(db, given));
    };
    twig.createTable("b");
    merge();
    twig.createTable("c");
    twig.createTable("d");
    merge();
    merge(); // without new migrations
    const copy = importEngine([...exportEngine(engine)].join(""));
    for (const from of [db, copy.workspace("acme").database("shop")]) {
      const brought = [1, 2, 3].map((number) =>
        listRequestMigrations(from, number).map(({ operations }) => operations),
      );
      const added = (table: string) => [{ addTable: { table } }];
      expect(brought).toEqual([[added("b")], [added("c"), added("d")], []]);
    }
    expect(getMigrationRequest(db, 1)).not.toHaveProperty("migration");
  });

  it("K-3: follow a renamed branch", () => {
    const { db, main } = open();
    main.createTable("a");
    db.createBranch("twig", { from: "main" }).createTable("b");
    createMigrationRequest(db, { source: "twig", target: "main", title: "t" });
    createMigrationRequest(db, { source: "main", target: "twig", title: "t" });
    db.renameBranch("twig", "stick");
    db.renameBranch("main", "trunk");
    expect(getMigrationRequest(db, 1)).toMatchObject({ source: "stick", target: "trunk" });
    expect(getMigrationRequest(db, 2)).toMatchObject({ source: "trunk", target: "stick" });
    mergeMigrationRequest(db, 1);
    expect(db.branch("trunk").tables()).toEqual([{ name: "a" }, { name: "b" }]);
  });
});

it("H-1, K-4: copyRecords copies files with contents and options", () => {
  const { engine, db, main } = open();
  enableFiles(engine);
  const table = main.createTable(
    "posts",
    defineColumns({ photo: "file", more: { papers: "file[]" } }),
  );
  db.createBranch("twig", { from: "main" });
  const photo = { name: "a.txt", base64Content: "YQ==", enablePublicUrl: true };
  table.insert({ id: "a", photo, more: { papers: [{ id: "one", base64Content: "Yg==" }] } });
  copyRecords(main, db.branch("twig"));
  expect(refused(() => copyRecords(main, main)).code).toBe("schema_conflict");
  const columns = ["photo.base64Content", "photo.enablePublicUrl", "more.papers.base64Content"];
  const expected = {
    photo: { base64Content: "YQ==", enablePublicUrl: true },
    more: { papers: [{ base64Content: "Yg==" }] },
  };
  for (const branch of [main, db.branch("twig")]) {
    expect([...branch.table("posts").scan({ columns })]).toMatchObject([expected]);
    expect(branch.table("posts").get("a", { columns })).toMatchObject(expected);
  }
});

describe("plans of migrations", () => {
  it("N-5: describe tables with names of prototype members", () => {
    const names = ["constructor", "toString", "__proto__"];
    const edits = names.flatMap((table) => [
      { addTable: { table } },
      { addColumn: { table, column: NAME } },
    ]);
    const { newTables } = describeDifference([], edits, names) as { newTables: object };
    expect(Object.entries(newTables)).toEqual(
      names.map((name) => [name, { name, columns: [NAME] }]),
    );
    const added = names.map((table) => ({ addColumn: { table, column: NAME } }));
    const { tableMigrations } = describeDifference([], added, names) as { tableMigrations: object };
    expect(Object.keys(tableMigrations)).toEqual(names);
  });
});
