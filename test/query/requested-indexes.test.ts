import { describe, expect, it } from "vitest";
import { createEngine } from "../../src/index.js";
import { DEFAULT_LIMITS, PROFILES } from "../../src/profile.js";
import { tableScope } from "../../src/query/bind/scope.js";
import { bindSort } from "../../src/query/bind/sort.js";
import { availableIn } from "../../src/query/fetch/available.js";
import {
  type IndexRecipe,
  requestIndex as request,
  viewIndex,
} from "../../src/query/plan/indexes.js";
import { linkIndexRecipe, orderIndexRecipe } from "../../src/query/plan/row-index.js";
import { type QueryRun, viewOf } from "../../src/query/query-run.js";
import { compileSchema } from "../../src/schema/declare.js";
import type { TableIndex } from "../../src/storage/index-history.js";
import { createTableVersion, ordinalsOf, type TableVersion } from "../../src/storage/table.js";
import { TableWriter } from "../../src/storage/writer.js";
import { untyped } from "../rules/fixture.js";

const { documented } = PROFILES;
const runOf = (
  table: TableVersion,
  indexes: QueryRun["indexes"],
  checkTime?: () => void,
): QueryRun => ({
  ...viewOf(table, indexes, checkTime),
  profile: documented,
  limits: DEFAULT_LIMITS.documented,
  drawSeed: () => 0,
});
const schema = compileSchema([{ name: "n", type: "int" }], documented, "");

/** Contains the rows that existed when it was built. */
interface RowsIndex extends TableIndex {
  readonly rows: readonly number[];
}

function recipeOf(key: string, byteLength = 8) {
  const calls = { built: 0, refreshed: 0 };
  const make = (table: TableVersion): RowsIndex => ({
    position: table.position,
    byteLength,
    rows: [...ordinalsOf(table.chunks)],
  });
  const recipe: IndexRecipe<RowsIndex> = {
    key,
    // biome-ignore lint/correctness/useYield: it builds in one step
    *build({ table }) {
      calls.built++;
      return make(table);
    },
    refresh: (_, { table }) => {
      calls.refreshed++;
      return make(table);
    },
  };
  return { recipe, calls };
}

function requestIndex(
  table: TableVersion,
  recipe: IndexRecipe<RowsIndex>,
  option: "auto" | "always" | "never",
  weight?: number,
): void {
  request(runOf(table, option), recipe, weight);
}

let ids = 0;

function write(table: TableVersion, act: (writer: TableWriter) => void): TableVersion {
  const writer = new TableWriter(table, {
    table: "rows",
    profile: documented,
    now: { ms: 0, micros: 0 },
    nextId: () => `r${ids++}`,
    recordBytes: Number.POSITIVE_INFINITY,
  });
  act(writer);
  return writer.persist();
}

const insert = (table: TableVersion, count: number): TableVersion =>
  write(table, (writer) => {
    for (let i = 0; i < count; i++) writer.insert({ n: i });
  });

const tableOf = (count: number): TableVersion => insert(createTableVersion("t", schema), count);

/** The live rows of an index and of the writes since. */
function rowsOf(table: TableVersion, recipe: IndexRecipe<RowsIndex>): number[] | undefined {
  const view = viewIndex(table, recipe);
  if (view === undefined) return undefined;
  const rows = new Set([...view.index.rows, ...view.written.rows]);
  return [...rows].filter((row) => table.isLive(row)).sort((a, b) => a - b);
}

describe("requesting an index", () => {
  it("refreshes it after more than 2,048 written rows", () => {
    const { recipe, calls } = recipeOf("a");
    let table = tableOf(20_000);
    requestIndex(table, recipe, "always");
    table = insert(table, 2048);
    requestIndex(table, recipe, "always");
    expect(calls.refreshed).toBe(0);
    table = insert(table, 1);
    requestIndex(table, recipe, "always");
    expect(calls).toEqual({ built: 1, refreshed: 1 });
    expect(viewIndex(table, recipe)?.written.rows.size).toBe(0);
    expect(table.history.indexes.get("a"), "replaces the earlier one").toHaveLength(1);
  });

  it("counts requests for at most 4,096 keys", () => {
    const table = tableOf(4096);
    for (let i = 0; i < 10_000; i++) requestIndex(table, recipeOf(`order ${i}`).recipe, "auto");
    expect(table.history.demand.size).toBeLessThanOrEqual(4096);
    expect(table.history.indexes.size).toBe(0);
  });

  it("drops the oldest index when the memory limit is reached", () => {
    const table = tableOf(10);
    const half = 1 << 19; // half of the limit for a small table
    const [a, b, c] = ["a", "b", "c"].map((key) => recipeOf(key, half).recipe);
    for (const recipe of [a!, b!]) requestIndex(table, recipe, "always");
    expect([...table.history.indexes.keys()]).toEqual(["a", "b"]);
    requestIndex(table, c!, "always");
    expect([...table.history.indexes.keys()]).toEqual(["b", "c"]);
    const whole = recipeOf("d", 1 << 21).recipe;
    requestIndex(table, whole, "always");
    expect([...table.history.indexes.keys()], "larger than the limit").toEqual(["d"]);
  });
});

describe("an index", () => {
  const { recipe } = recipeOf("a");

  it("serves one of two branches with equally many writes before it was built", () => {
    const first = tableOf(100);
    const one = insert(first, 1);
    const two = write(first, (writer) => writer.delete(first.idAt(0)));
    expect(one.position).toBe(two.position);
    requestIndex(one, recipe, "always");
    expect(viewIndex(one, recipe)).toBeDefined();
    expect(viewIndex(two, recipe)).toBeUndefined();
    requestIndex(two, recipe, "always");
    for (const table of [one, two, insert(one, 1), insert(two, 1)]) {
      expect(rowsOf(table, recipe)).toEqual([...ordinalsOf(table.chunks)]);
    }
  });

  it("serves no table after deleted rows are swept out: ordinals change", () => {
    let table = tableOf(4096);
    requestIndex(table, recipe, "always");
    const ids = [...ordinalsOf(table.chunks)].map((row) => table.idAt(row));
    for (let from = 0; from < 2100; from += 300) {
      table = write(table, (writer) => {
        for (const id of ids.slice(from, from + 300)) writer.delete(id);
      });
    }
    expect(table.isLive(4000), "row 4000 was swept").toBe(false);
    expect(viewIndex(table, recipe)).toBeUndefined();
    expect(table.position, "continues to count after the sweep").toBe(4096 + 2100);
    requestIndex(table, recipe, "always");
    table = insert(table, 5);
    expect(rowsOf(table, recipe)).toEqual([...ordinalsOf(table.chunks)]);
  });
});

describe("the indexes of columns", () => {
  it("are not reused for other columns at the same position after a restore", () => {
    const engine = createEngine({ indexes: "always" });
    const database = engine.createWorkspace("acme").createDatabase("shop");
    const link = { type: "link", link: { table: "rows" } };
    const table = untyped(database.branch("main")).createTable("rows", [{ name: "boss", ...link }]);
    table.insert([{ id: "a" }, { id: "b", boss: "a" }, { id: "c" }]);
    expect(table.count({ boss: "a" })).toBe(1);
    const saved = engine.snapshot();
    table.addColumn({ name: "empty", ...link });
    expect(table.count({ empty: "a" })).toBe(0);
    engine.restore(saved);
    table.addColumn({ name: "full", ...link, defaultValue: "a" });
    expect(table.count({ full: "a" })).toBe(3);
  });

  it("L-10: are not built again after a build exceeded the time limit", () => {
    const refused = new Error("too long");
    let looks = 0;
    const checkTime = (): void => {
      looks++;
      throw refused;
    };
    const table = tableOf(3000);
    const byNumber = bindSort(tableScope(runOf(table, "never")), { n: "asc" }, "/sort");
    const recipe = orderIndexRecipe(byNumber)!;
    for (const option of ["always", "auto"] as const) {
      const ask = () => {
        for (let i = 0; i < 4; i++) request(runOf(table, option, checkTime), recipe);
      };
      if (option === "always") expect(ask).toThrow(refused);
      expect(ask).not.toThrow();
    }
    expect(looks).toBe(1);
    expect(viewIndex(table, recipe)).toBeUndefined();
    const always = runOf(table, "always", checkTime);
    expect(availableIn(always).has(recipe.key)).toBe(false);
    for (const made of [linkIndexRecipe(4), orderIndexRecipe(byNumber, 4)!]) {
      expect(() => request(always, made)).toThrow(refused);
      expect(() => request(always, made)).not.toThrow();
    }
  });
});
