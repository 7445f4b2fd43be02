import { describe, expect, it } from "vitest";
import { exportEngine, importEngine } from "../../src/export.js";
import { createEngine, type ShapeOf, type TypedTable } from "../../src/index.js";

const COLUMNS = [
  { name: "v", type: "vector", vector: { dimension: 3 }, unique: true },
  { name: "w", type: "vector", vector: { dimension: 2 }, defaultValue: [1, 2] },
  { name: "any", type: "json" },
] as const;

const open = () => {
  const engine = createEngine({ seed: 1, now: 0 });
  const database = engine.createWorkspace("w").createDatabase("d");
  return { engine, database, table: database.branch("main").createTable("t", COLUMNS) };
};

type Shape = ShapeOf<ReturnType<typeof open>["table"]>;
type Table = TypedTable<Shape>;

const vectorOf = (table: Table, id: string): number[] | undefined => table.get(id)?.v;

describe("T-12: a vector column", () => {
  it("returns stored values as lists that belong to the caller", () => {
    const { table } = open();
    table.insert([{ id: "a", v: [1, -0, 2.5], any: [1, 2] }, { id: "b" }]);
    expect(table.get("a")).toMatchObject({ v: [1, 0, 2.5], w: [1, 2], any: [1, 2] });
    vectorOf(table, "a")![0] = 9;
    expect(vectorOf(table, "a")).toEqual([1, 0, 2.5]);
    expect(table.get("b")).not.toHaveProperty("v");
    table.update("a", { v: null });
    expect(table.get("a")).not.toHaveProperty("v");
  });

  it("is independent in branches and snapshots", () => {
    const { engine, database, table } = open();
    table.load(Array.from({ length: 5000 }, (_, i) => ({ id: `r${i}`, v: [i, i, i] })));
    const saved = engine.snapshot();
    const feature = database.createBranch("feature", { from: "main" }).table<Shape>("t");
    feature.update("r7", { v: [7, 7, 8] });
    table.update("r7", { v: [7, 7, 9] });
    expect([vectorOf(table, "r7"), vectorOf(feature, "r7")]).toEqual([
      [7, 7, 9],
      [7, 7, 8],
    ]);
    engine.restore(saved);
    expect(vectorOf(table, "r7")).toEqual([7, 7, 7]);
    expect(vectorOf(table, "r4999")).toEqual([4999, 4999, 4999]);
  });

  it("T-16: may be unique", () => {
    const { table } = open();
    table.insert({ v: [1, 2, 3] });
    expect(() => table.insert({ v: [1, 2, 3] })).toThrow(/unique/);
    expect(table.insert({ v: [1, 2, 4] }).v).toEqual([1, 2, 4]);
  });

  it("is exported and imported", () => {
    const { engine, table } = open();
    table.insert({ id: "a", v: [0.1, 1e300, -5] });
    const copy = importEngine(exportEngine(engine));
    const again = copy.workspace("w").database("d").branch("main").table<Shape>("t");
    expect(vectorOf(again, "a")).toEqual([0.1, 1e300, -5]);
  });
});
