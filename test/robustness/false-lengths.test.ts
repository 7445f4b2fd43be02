import { expect, it } from "vitest";
import { enableFiles } from "../../src/files.js";
import { pushMigrations, updateSchema } from "../../src/history.js";
import { type AnyBranch, type AnyTable, createEngine, TwinbaseError } from "../../src/index.js";
import { searchBranch, searchTable, vectorSearch } from "../../src/search.js";

const LENGTHS: readonly unknown[] = [
  -1,
  Number.NaN,
  1.5,
  2 ** 53,
  Number.POSITIVE_INFINITY,
  "2",
  null,
  Symbol("length"),
];

/** An array whose length is another. */
function lie<T>(members: T[], length: unknown): T[] {
  return new Proxy(members, {
    get: (target, key) => (key === "length" ? length : Reflect.get(target, key)),
  });
}

interface World {
  readonly main: AnyBranch;
  readonly table: AnyTable;
}

function open(): World {
  const engine = createEngine({ seed: 1, now: 0 });
  enableFiles(engine);
  const main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
  const table = main.createTable("items", [
    { name: "n", type: "int" },
    { name: "s", type: "string" },
    { name: "tags", type: "multiple" },
    { name: "doc", type: "json" },
    { name: "v", type: "vector", vector: { dimension: 2 } },
    { name: "files", type: "file[]" },
    { name: "to", type: "link", link: { table: "items" } },
  ]);
  table.insert({ id: "a", n: 1, tags: ["x"], v: [1, 2], to: "a" });
  return { main, table };
}

/** Calls by the array whose length is false. */
const CALLS: Readonly<Record<string, (world: World, of: <T>(members: T[]) => T[]) => unknown>> = {
  "a multiple": ({ table }, of) => table.insert({ tags: of(["x"]) }),
  "a multiple of a batch": ({ table }, of) => table.load([{ tags: of(["x"]) }]),
  json: ({ table }, of) => table.insert({ doc: { deep: of([1]) } }),
  "a vector": ({ table }, of) => table.insert({ v: of([1, 2]) }),
  files: ({ table }, of) => table.insert({ files: of([{ name: "a" }]) }),
  records: ({ table }, of) => table.insert(of([{ n: 1 }])),
  "records to load": ({ table }, of) => table.load(of([{ n: 1 }])),
  operations: ({ main }, of) => main.transaction(of([{ get: { table: "items", id: "a" } }])),
  "columns of a table": ({ main }, of) =>
    main.createTable("more", of([{ name: "a", type: "int" }])),
  "columns of a schema": ({ table }, of) =>
    table.setSchema({ columns: of([{ name: "a", type: "int" }]) }),
  "a default": ({ table }, of) =>
    table.addColumn({ name: "m", type: "multiple", defaultValue: of(["x"]) }),
  "selected columns": ({ table }, of) => table.query({ columns: of(["n"]) }),
  "columns of a get": ({ table }, of) => table.get("a", { columns: of(["n"]) }),
  "a sort": ({ table }, of) => table.query({ sort: of(["n"]) }),
  "parts of a filter": ({ table }, of) => table.count({ $any: of([{ n: 1 }]) }),
  "a list of values": ({ table }, of) => table.count({ n: { $any: of([1]) } }),
  "a value that is a list": ({ table }, of) => table.count({ tags: of(["x"]) }),
  "a list of items": ({ table }, of) => table.count({ tags: { $includes: of(["x"]) } }),
  "a json value": ({ table }, of) => table.count({ doc: { $is: { deep: of([1]) } } }),
  paths: ({ table }, of) => table.count({ $exists: of(["n"]) }),
  "reverse links": ({ table }, of) =>
    table.query({ columns: [{ name: "<-items.to", columns: of(["n"]), sort: of(["n"]) }] }),
  "grouping columns": ({ table }, of) => table.summarize({ columns: of(["n"]), summaries: {} }),
  percentiles: ({ table }, of) =>
    table.aggregate({ aggs: { p: { percentiles: { column: "n", percentiles: of([50]) } } } }),
  "a search's target": ({ table }, of) => searchTable(table, { query: "x", target: of(["s"]) }),
  "a search's boosters": ({ table }, of) =>
    searchTable(table, {
      query: "x",
      boosters: of([{ valueBooster: { column: "s", value: "x", factor: 1 } }]),
    }),
  "a search's tables": ({ main }, of) => searchBranch(main, { query: "x", tables: of(["items"]) }),
  "a vector to search": ({ table }, of) =>
    vectorSearch(table, { column: "v", queryVector: of([1, 2]) }),
  edits: ({ main }, of) => updateSchema(main, { operations: of([{ addTable: { table: "b" } }]) }),
  migrations: ({ main }, of) => pushMigrations(main, of([])),
};

for (const [name, call] of Object.entries(CALLS)) {
  it(`E-5: a false length of ${name} is refused, or changes nothing`, () => {
    for (const length of LENGTHS) {
      const world = open();
      let error: unknown;
      try {
        call(world, (members) => lie(members as never[], length));
      } catch (thrown) {
        error = thrown;
      }
      if (error !== undefined) expect(error, `${String(length)}`).toBeInstanceOf(TwinbaseError);
      expect(world.main.tables()).toEqual([{ name: "items" }]);
      expect(world.table.count()).toBe(1);
    }
  });
}
