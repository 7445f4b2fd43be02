import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addWorkspace } from "../../src/catalog/workspaces.js";
import { EngineContext } from "../../src/engine/context.js";
import { Database } from "../../src/engine/database.js";
import { resolveSetup } from "../../src/engine/options.js";
import { createContents, type EngineContents } from "../../src/engine/setup.js";
import { Workspace } from "../../src/engine/workspace.js";
import { TwinbaseError } from "../../src/errors.js";
import { createTableVersion } from "../../src/storage/table.js";

// Table versions are compared by identity: what a write does to rows is tested in test/storage.

const SHOP = { workspace: "acme", database: "shop" };

function createContext(): EngineContext {
  const setup = resolveSetup({ seed: 1, now: 0 });
  const context = new EngineContext(setup, createContents(setup));
  context.changeCatalog((draft) => addWorkspace(draft, "acme", undefined));
  new Workspace(context, "acme").createDatabase("shop").branch("main").createTable("t");
  return context;
}

function write(context: EngineContext, branch: string, table: string, value: string): void {
  const address = { ...SHOP, branch, table };
  const { schema } = context.readTable(address);
  context.write(() => context.writeTable(address, createTableVersion(value, schema)));
}

function read(context: EngineContext, branch: string, table: string): string {
  return context.readTable({ ...SHOP, branch, table }).identity;
}

function shopOf(context: EngineContext): Database {
  return new Database(context, SHOP);
}

describe("the tree", () => {
  it("cannot be changed in place", () => {
    const { state } = createContext();
    const { databases } = state.workspaces.get("acme")!;
    const { tables } = databases.get("shop")!.branches.get("main")!;
    for (const map of [state.workspaces, databases, tables] as Map<string, unknown>[]) {
      expect(() => map.set("x", 1)).toThrow("frozen");
      expect(() => map.clear()).toThrow("frozen");
    }
  });
});

describe("sharing costs nothing", () => {
  it("B-1: a branch has the very tables of the one it starts from", () => {
    const context = createContext();
    shopOf(context).createBranch("dev", { from: "main" });
    const [main, dev] = ["main", "dev"].map((branch) =>
      context.readTable({ ...SHOP, branch, table: "t" }),
    );
    expect(dev).toBe(main);
  });

  it("a snapshot and a fork have the very state", () => {
    const context = createContext();
    const { state } = context;
    expect(context.share().state).toBe(state);
    expect(context.fork().state).toBe(state);
  });
});

describe("the counters", () => {
  it("S-4: random orders are no part of the state", () => {
    const context = createContext();
    const saved = context.share();
    context.randomOrders = 3;
    context.restore(saved);
    expect(context.randomOrders).toBe(3);
    expect(context.fork().randomOrders).toBe(3);
  });
});

const BRANCHES = ["main", "dev", "__proto__"];
const TABLES = ["t", "0", "__proto__"];

type Step =
  | { kind: "write" | "create" | "drop"; engine: number; branch: string; table: string }
  | { kind: "rename"; engine: number; branch: string; table: string; to: string }
  | { kind: "branch"; engine: number; branch: string; from: string | undefined }
  | { kind: "prune"; engine: number; branch: string }
  | { kind: "move"; engine: number; branch: string; to: string }
  | { kind: "map"; engine: number; branch: string; gitBranch: string }
  | { kind: "snapshot" | "fork"; engine: number }
  | { kind: "restore"; engine: number; snapshot: number }
  | { kind: "batch"; engine: number; steps: readonly Step[]; fails: boolean };

const engine = fc.nat(2);
const branch = fc.constantFrom(...BRANCHES);
const table = fc.constantFrom(...TABLES);
const kind = <K extends Step["kind"]>(...kinds: K[]): fc.Arbitrary<K> => fc.constantFrom(...kinds);
const inBranch = { engine, branch };
const inTable = { engine, branch, table };
const from = fc.option(branch, { nil: undefined });
const single: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: kind("write"), ...inTable }) },
  { weight: 4, arbitrary: fc.record({ kind: kind("create", "drop"), ...inTable }) },
  { weight: 2, arbitrary: fc.record({ kind: kind("branch"), ...inBranch, from }) },
  { weight: 2, arbitrary: fc.record({ kind: kind("snapshot", "fork"), engine }) },
  fc.record({ kind: kind("rename"), ...inTable, to: table }),
  fc.record({ kind: kind("prune"), ...inBranch }),
  fc.record({ kind: kind("move"), ...inBranch, to: branch }),
  fc.record({ kind: kind("map"), ...inBranch, gitBranch: branch }),
  fc.record({ kind: kind("restore"), engine, snapshot: fc.nat(3) }),
);
const batch: fc.Arbitrary<Step> = fc.record({
  kind: kind("batch"),
  engine,
  steps: fc.array(single, { maxLength: 8 }),
  fails: fc.boolean(),
});
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof({ weight: 5, arbitrary: single }, { weight: 1, arbitrary: batch }),
  { minLength: 1, maxLength: 40 },
);

interface Model {
  branches: Map<string, Map<string, string>>;
  mapping: Map<string, string>;
}

function observe(context: EngineContext): Model {
  expect([...context.tables.keys()].sort()).toEqual([...keysOf(context)].sort());
  const { branches, branchesByGitBranch } = context.state.workspaces
    .get("acme")!
    .databases.get("shop")!;
  const tablesOf = (name: string) =>
    Array.from(
      branches.get(name)!.tables,
      ([name, key]) => [name, context.tableAt(key).identity] as const,
    );
  return {
    branches: new Map([...branches.keys()].map((name) => [name, new Map(tablesOf(name))])),
    mapping: new Map(branchesByGitBranch),
  };
}

/** The keys that the catalog has of tables, no two of which are the same. */
function* keysOf({ state }: EngineContext): Generator<number> {
  for (const { databases } of state.workspaces.values()) {
    for (const { branches } of databases.values()) {
      for (const { tables } of branches.values()) yield* tables.values();
    }
  }
}

/** The code of the refusal, or undefined where the call went through. */
function attempt(call: () => unknown): string | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    if (error instanceof TwinbaseError) return error.code;
    throw error;
  }
}

function inPlace<V>(map: Map<string, V>, from: string, to: string): Map<string, V> {
  return new Map([...map].map(([key, value]) => [key === from ? to : key, value]));
}

class Run {
  readonly engines: { context: EngineContext; model: Model }[] = [];
  readonly snapshots: { contents: EngineContents; model: Model }[] = [];
  #values = 0;

  constructor() {
    const context = createContext();
    this.engines.push({ context, model: observe(context) });
  }

  /** Does a step to an engine and its model; both answer with the code of the refusal, if any. */
  take(step: Step): { actual: string | undefined; expected: string | undefined } {
    const engine = this.engines[step.engine % this.engines.length]!;
    const { context, model } = engine;
    const shop = shopOf(context);
    const tables = "branch" in step ? model.branches.get(step.branch) : undefined;
    switch (step.kind) {
      case "write": {
        const value = `v${this.#values++}`;
        const actual = attempt(() => write(context, step.branch, step.table, value));
        const expected = missing(tables, step.table);
        if (expected === undefined) tables?.set(step.table, value);
        return { actual, expected };
      }
      case "create": {
        const actual = attempt(() => shop.branch(step.branch).createTable(step.table));
        const expected =
          tables === undefined
            ? "branch_not_found"
            : tables.has(step.table)
              ? "table_exists"
              : undefined;
        if (expected === undefined) tables?.set(step.table, read(context, step.branch, step.table));
        return { actual, expected };
      }
      case "drop": {
        const actual = attempt(() => shop.branch(step.branch).deleteTable(step.table));
        const expected = missing(tables, step.table);
        if (expected === undefined) tables?.delete(step.table);
        return { actual, expected };
      }
      case "rename": {
        const actual = attempt(() => shop.branch(step.branch).renameTable(step.table, step.to));
        const expected =
          missing(tables, step.table) ?? (tables?.has(step.to) ? "table_exists" : undefined);
        if (expected === undefined) {
          model.branches.set(step.branch, inPlace(tables!, step.table, step.to));
        }
        return { actual, expected };
      }
      case "branch": {
        const actual = attempt(() => shop.createBranch(step.branch, { from: step.from }));
        const source = step.from === undefined ? new Map() : model.branches.get(step.from);
        const expected =
          tables !== undefined
            ? "branch_exists"
            : source === undefined
              ? "branch_not_found"
              : undefined;
        if (expected === undefined) model.branches.set(step.branch, new Map(source));
        return { actual, expected };
      }
      case "prune": {
        const actual = attempt(() => shop.deleteBranch(step.branch));
        const expected =
          tables === undefined
            ? "branch_not_found"
            : model.branches.size === 1
              ? "last_branch"
              : undefined;
        if (expected === undefined) {
          model.branches.delete(step.branch);
          model.mapping = new Map([...model.mapping].filter(([, to]) => to !== step.branch));
        }
        return { actual, expected };
      }
      case "move": {
        const actual = attempt(() => shop.renameBranch(step.branch, step.to));
        const expected =
          tables === undefined
            ? "branch_not_found"
            : model.branches.has(step.to)
              ? "branch_exists"
              : undefined;
        if (expected === undefined) {
          model.branches = inPlace(model.branches, step.branch, step.to);
          for (const [key, to] of model.mapping) {
            if (to === step.branch) model.mapping.set(key, step.to);
          }
        }
        return { actual, expected };
      }
      case "map": {
        const mapping = { gitBranch: step.gitBranch, serviceBranch: step.branch };
        const actual = attempt(() => shop.gitBranches.add(mapping));
        const expected = tables === undefined ? "branch_not_found" : undefined;
        if (expected === undefined) model.mapping.set(step.gitBranch, step.branch);
        return { actual, expected };
      }
      case "snapshot":
        this.snapshots.push({ contents: context.share(), model: structuredClone(model) });
        break;
      case "restore": {
        const snapshot = this.snapshots[step.snapshot];
        if (snapshot === undefined) break;
        context.write(() => context.restore(snapshot.contents));
        engine.model = structuredClone(snapshot.model);
        break;
      }
      case "batch": {
        const before = structuredClone(model);
        attempt(() =>
          context.atomic(() => {
            for (const inner of step.steps) {
              const { actual, expected } = this.take({ ...inner, engine: step.engine });
              expect(actual).toBe(expected);
              expect(observe(context)).toEqual(engine.model);
            }
            if (step.fails) throw new TwinbaseError("invalid_request", "the end of the batch");
          }),
        );
        if (step.fails) engine.model = before;
        break;
      }
      case "fork":
        if (this.engines.length === 3) break;
        this.engines.push({ context: context.fork(), model: structuredClone(model) });
        break;
      default:
        throw new Error(`no such step: ${JSON.stringify(step)}`);
    }
    return { actual: undefined, expected: undefined };
  }
}

function missing(tables: Map<string, string> | undefined, table: string): string | undefined {
  if (tables === undefined) return "branch_not_found";
  return tables.has(table) ? undefined : "table_not_found";
}

describe("branches, snapshots and forks", () => {
  it("B-1: are as separate as whole copies, through any course of calls", () => {
    fc.assert(
      fc.property(steps, (course) => {
        const run = new Run();
        for (const step of course) {
          const { actual, expected } = run.take(step);
          expect(actual).toBe(expected);
          for (const { context, model } of run.engines) expect(observe(context)).toEqual(model);
        }
        const fresh = createContext();
        for (const { contents, model } of run.snapshots) {
          fresh.write(() => fresh.restore(contents));
          expect(observe(fresh)).toEqual(model);
        }
      }),
      { numRuns: 500 },
    );
  });
});
