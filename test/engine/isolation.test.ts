import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Snapshot } from "../../src/engine/snapshot.js";
import { createEngine, type Engine } from "../../src/engine.js";
import type { AnyTable } from "../../src/typed/table.js";
import type { ColumnDefinition } from "../../src/types.js";

const COLUMNS: ColumnDefinition[] = [
  { name: "word", type: "string" },
  { name: "code", type: "string", unique: true },
  { name: "size", type: "int" },
  { name: "tags", type: "multiple" },
];

/** Records by id; a place is an engine's branch. */
type Rows = Map<string, Record<string, unknown>>;
type Step =
  | { kind: "insert" | "update" | "delete"; engine: number; dev: boolean; id: number; fill: number }
  | { kind: "load"; engine: number; dev: boolean; count: number }
  | { kind: "branch" | "snapshot" | "fork"; engine: number }
  | { kind: "restore"; engine: number; snapshot: number };

const engine = fc.nat(2);
const dev = fc.boolean();
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constantFrom("insert" as const, "update" as const, "delete" as const),
        engine,
        dev,
        id: fc.nat(30),
        fill: fc.nat(3),
      }),
    },
    fc.record({ kind: fc.constant("load" as const), engine, dev, count: fc.nat(300) }),
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom("branch" as const, "snapshot" as const, "fork" as const),
        engine,
      }),
    },
    fc.record({ kind: fc.constant("restore" as const), engine, snapshot: fc.nat(3) }),
  ),
  { minLength: 1, maxLength: 30 },
);

class Run {
  readonly engines: { engine: Engine; places: Map<string, Rows> }[] = [];
  readonly snapshots: { snapshot: Snapshot; places: Map<string, Rows> }[] = [];
  #made = 0;

  constructor() {
    const engine = createEngine({ seed: 1, now: 0 });
    const main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
    main.createTable("t", COLUMNS);
    this.engines.push({ engine, places: new Map([["main", new Map()]]) });
  }

  take(step: Step): void {
    const held = this.engines[step.engine % this.engines.length]!;
    switch (step.kind) {
      case "snapshot":
        this.snapshots.push({ snapshot: held.engine.snapshot(), places: copy(held.places) });
        return;
      case "restore": {
        const saved = this.snapshots[step.snapshot];
        if (saved === undefined) return;
        held.engine.restore(saved.snapshot);
        held.places = copy(saved.places);
        return;
      }
      case "fork":
        if (this.engines.length === 3) return;
        this.engines.push({ engine: held.engine.fork(), places: copy(held.places) });
        return;
      case "branch": {
        const shop = held.engine.workspace("acme").database("shop");
        if (held.places.has("dev")) shop.deleteBranch("dev");
        shop.createBranch("dev", { from: "main" });
        held.places.set("dev", new Map(held.places.get("main")));
        return;
      }
      default: {
        const branch = step.dev && held.places.has("dev") ? "dev" : "main";
        this.#write(tableOf(held.engine, branch), held.places.get(branch)!, step);
      }
    }
  }

  #write(table: AnyTable, rows: Rows, step: Step): void {
    if (step.kind === "load") {
      const records = Array.from({ length: step.count }, (_, i) => this.#record(i % 7));
      table.load(records);
      for (const { id, ...columns } of records) rows.set(id, columns);
    } else if (step.kind === "insert") {
      const { id, ...columns } = this.#record(step.fill);
      table.insert({ id, ...columns });
      rows.set(id, columns);
    } else if (step.kind === "update" || step.kind === "delete") {
      const id = [...rows.keys()][step.id];
      if (id === undefined) return;
      if (step.kind === "delete") {
        table.delete(id);
        rows.delete(id);
        return;
      }
      const { id: _, ...columns } = this.#record(step.fill);
      table.update(id, columns);
      rows.set(id, columns);
    }
  }

  #record(fill: number): { id: string; word: string; code: string; size: number; tags: string[] } {
    const n = this.#made++;
    const tags = Array.from({ length: fill }, (_, i) => `tag${i}`);
    return { id: `r${n}`, word: `word${fill}`, code: `code${n}`, size: n, tags };
  }
}

function copy(places: ReadonlyMap<string, Rows>): Map<string, Rows> {
  return new Map(Array.from(places, ([branch, rows]) => [branch, new Map(rows)]));
}

function tableOf(engine: Engine, branch: string): AnyTable {
  return engine.workspace("acme").database("shop").branch(branch).table("t");
}

function expectRows(table: AnyTable, rows: Rows): void {
  const found = new Map<string, unknown>();
  for (const { id, service: _, ...columns } of table.scan({})) found.set(id, columns);
  expect(found.size).toBe(rows.size);
  for (const [id, columns] of rows) expect(found.get(id)).toEqual(columns);
  expect(table.count({ word: "word1" })).toBe(
    [...rows.values()].filter(({ word }) => word === "word1").length,
  );
  const [id, columns] = [...rows].at(-1) ?? [];
  if (id === undefined) return;
  expect(table.get(id)).toMatchObject({ id, ...columns });
  expect(table.count({ code: columns?.code })).toBe(1);
}

describe("records of branches, snapshots and forks", () => {
  it("B-1: are as separate as whole copies, through any course of writes", () => {
    fc.assert(
      fc.property(steps, (course) => {
        const run = new Run();
        for (const step of course) run.take(step);
        const check = (engine: Engine, places: Map<string, Rows>) => {
          for (const [branch, rows] of places) expectRows(tableOf(engine, branch), rows);
        };
        for (const { engine, places } of run.engines) check(engine, places);
        const fresh = createEngine();
        for (const { snapshot, places } of run.snapshots) {
          fresh.restore(snapshot);
          check(fresh, places);
        }
      }),
      { numRuns: 150 },
    );
  });

  it("a scan under way sees the table as it was when it began", () => {
    const engine = createEngine({ seed: 1, now: 0 });
    const main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
    const table = main.createTable("t", COLUMNS);
    table.load(Array.from({ length: 100 }, (_, size) => ({ id: `r${size + 100}`, size })));
    const sizes: unknown[] = [];
    for (const { size } of table.scan({ columns: ["size"] })) {
      if (size === 0) table.delete("r199");
      sizes.push(size);
      table.update(`r${198 - (sizes.length % 50)}`, { size: -1 });
      table.insert({ size: -2 });
    }
    expect(sizes).toEqual(Array.from({ length: 100 }, (_, size) => size));
    expect(table.count()).toBe(199);
  });

  it("R-3: a restore gives ids again, never taken ones", () => {
    const engine = createEngine({ seed: 1, now: 0 });
    const main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
    const table = main.createTable("t");
    const saved = engine.snapshot();
    const { id } = table.insert({});
    engine.restore(saved);
    table.insert({ id });
    const next = table.insert({}).id;
    expect(next > id).toBe(true);
    expect(table.count()).toBe(2);
  });

  it("G-13: a cursor outlives rename, branch and snapshot, not a table made again", () => {
    const engine = createEngine({ seed: 1, now: 0 });
    const shop = engine.createWorkspace("acme").createDatabase("shop");
    const main = shop.branch("main");
    const before = engine.snapshot();
    main.createTable("t").insert([{ id: "a" }, { id: "b" }]);
    const { cursor } = main.table("t").query({ page: { size: 1 } }).meta.page;
    const after = { page: { after: cursor } };
    main.renameTable("t", "u");
    shop.createBranch("dev", { from: "main" });
    const saved = engine.snapshot();
    engine.deleteWorkspace("acme");
    engine.restore(saved);
    for (const branch of ["main", "dev"]) {
      expect(shop.branch(branch).table("u").query(after).records).toHaveLength(1);
    }
    engine.restore(before);
    const again = main.createTable("t");
    again.insert([{ id: "a" }, { id: "b" }]);
    expect(() => again.query(after)).toThrow(expect.objectContaining({ code: "invalid_cursor" }));
  });
});
