import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { subscribe } from "../../src/changes.js";
import {
  branchCommand,
  mapCommand,
  tableCommand,
} from "../../src/conformance/arbitraries/commands.js";
import {
  fillDatabase,
  type OracleCommand,
  type OracleWorld,
  type Outcome,
  runCommand,
} from "../../src/conformance/oracle/world.js";
import type { OracleWrite } from "../../src/conformance/oracle/write.js";
import { EngineContext } from "../../src/engine/context.js";
import type { Database } from "../../src/engine/database.js";
import { resolveSetup } from "../../src/engine/options.js";
import { createEngineContents, type EngineContents } from "../../src/engine/setup.js";
import { Engine } from "../../src/engine.js";
import { TwinbaseError } from "../../src/errors.js";
import { PROFILES } from "../../src/profile.js";
import { seed } from "../generated.js";
import { untyped } from "../rules/fixture.js";
import { refusalCode } from "../storage/table-model.js";

function createContext(): EngineContext {
  const setup = resolveSetup({ seed: 1, now: 0 });
  const context = new EngineContext(setup, createEngineContents(setup));
  const database = new Engine(context).createWorkspace("acme").createDatabase("shop");
  database.branch("main").createTable("t").insert({ id: "a" });
  return context;
}

const shopOf = (context: EngineContext): Database =>
  new Engine(context).workspace("acme").database("shop");

describe("the catalog", () => {
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

describe("shared state", () => {
  it("B-1: a branch shares the tables of its origin", () => {
    const context = createContext();
    shopOf(context).createBranch("dev", { from: "main" });
    const [main, dev] = ["main", "dev"].map((branch) =>
      context.readTable({ workspace: "acme", database: "shop", branch, table: "t" }),
    );
    expect(dev).toBe(main);
  });

  it("a snapshot and a fork share the state", () => {
    const context = createContext();
    const { state } = context;
    expect(context.share().state).toBe(state);
    expect(context.fork().state).toBe(state);
  });
});

describe("the state of an engine", () => {
  it("S-4: does not include the number of random orders", () => {
    const context = createContext();
    const saved = context.share();
    context.randomOrders = 3;
    context.restore(saved);
    expect(context.randomOrders).toBe(3);
    expect(context.fork().randomOrders).toBe(3);
  });

  it("a restore in an atomic batch undoes the changes that it reports", () => {
    const context = createContext();
    const engine = new Engine(context);
    const saved = engine.snapshot();
    const seen: string[] = [];
    subscribe(engine, (changes) => seen.push(...changes.map(({ kind }) => kind)));
    context.call(() => {
      const main = shopOf(context).branch("main");
      main.table("t").insert({ id: "b" });
      engine.restore(saved);
    });
    expect(seen).toEqual(["record_inserted", "record_deleted"]);
  });
});

type Single =
  | OracleCommand
  | { readonly kind: "rename branch"; readonly branch: string; readonly name: string };
type Step =
  | Single
  | { readonly kind: "snapshot" }
  | { readonly kind: "fork" }
  | { readonly kind: "restore"; readonly snapshot: number }
  | { readonly kind: "batch"; readonly steps: readonly Single[]; readonly fails: boolean };

const branch = fc.constantFrom("main", "dev", "__proto__");
const table = fc.constantFrom("t", "0", "__proto__");
const id = fc.constantFrom("a", "b");
const write: fc.Arbitrary<OracleWrite> = fc.oneof(
  fc.record({ kind: fc.constant("upsert" as const), table, id, record: fc.constant({}) }),
  fc.record({ kind: fc.constant("delete" as const), table, id }),
);
const single: fc.Arbitrary<Single> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("write" as const), branch, write }) },
  { weight: 5, arbitrary: tableCommand(table, branch) },
  { weight: 3, arbitrary: branchCommand(branch) },
  mapCommand(branch, branch),
  fc.record({ kind: fc.constant("rename branch" as const), branch, name: branch }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 15, arbitrary: single },
  fc.constantFrom<Step>({ kind: "snapshot" }, { kind: "fork" }),
  fc.record({ kind: fc.constant("restore" as const), snapshot: fc.nat(3) }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("batch" as const),
      steps: fc.array(single, { maxLength: 8 }),
      fails: fc.boolean(),
    }),
  },
);

/** A renamed branch keeps its position and its mappings. */
function renameBranch(world: OracleWorld, from: string, to: string): [OracleWorld, Outcome] {
  if (!world.branches.has(from)) return [world, "missing"];
  if (world.branches.has(to)) return [world, "taken"];
  const named = (name: string): string => (name === from ? to : name);
  const branches = new Map([...world.branches].map(([name, db]) => [named(name), db]));
  const mapping = new Map([...world.mapping].map(([git, name]) => [git, named(name)]));
  return [{ ...world, branches, mapping }, "changed"];
}

function perform(shop: Database, command: Single): unknown {
  const branchOf = (name: string) => untyped(shop.branch(name));
  switch (command.kind) {
    case "branch":
      return shop.createBranch(command.branch, { from: command.from });
    case "drop branch":
      return shop.deleteBranch(command.branch);
    case "rename branch":
      return shop.renameBranch(command.branch, command.name);
    case "map":
      return shop.gitBranches.add({ gitBranch: command.git, serviceBranch: command.branch });
    case "unmap":
      return shop.gitBranches.remove(command.git);
    case "table":
      return branchOf(command.branch).createTable(command.table);
    case "drop table":
      return branchOf(command.branch).deleteTable(command.table);
    case "rename table":
      return branchOf(command.branch).renameTable(command.table, command.name);
    case "write": {
      const found = branchOf(command.branch).table(command.write.table);
      if (command.write.kind === "upsert") return found.upsert(command.write.id, {});
      if (command.write.kind === "delete" && found.delete(command.write.id)) return;
      throw new TwinbaseError("record_not_found", "deleting a missing record is no error");
    }
  }
  throw new Error(`no such command: ${JSON.stringify(command)}`);
}

const REFUSALS: Partial<Record<Outcome, RegExp>> = {
  missing: /_not_found$/,
  taken: /_exists$|^last_branch$/,
  invalid: /^branch_not_found$/,
};

/** The table keys of the catalog, which are unique. */
function* keysOf({ state }: EngineContext): Generator<number> {
  for (const { databases } of state.workspaces.values()) {
    for (const { branches } of databases.values()) {
      for (const { tables } of branches.values()) yield* tables.values();
    }
  }
}

interface Twin {
  readonly context: EngineContext;
  world: OracleWorld;
}

function openTwin(): Twin {
  const { documented } = PROFILES;
  const main = fillDatabase(documented, [{ name: "t", columns: [], records: [{ id: "a" }] }], 0);
  const world = { profile: documented, branches: new Map([["main", main]]), mapping: new Map() };
  return { context: createContext(), world };
}

/** Compares the versions of all records and the mapping. */
function expectSame({ context, world }: Twin): void {
  expect([...context.tables.keys()].sort()).toEqual([...keysOf(context)].sort());
  const shop = shopOf(context);
  const found = shop.branches().map(({ name }) => {
    const branch = shop.branch(name);
    return [
      name,
      branch.tables().map((each) => [
        each.name,
        Array.from(branch.table(each.name).scan(), ({ id, service }) => [
          id,
          (service as { version: number }).version,
        ]),
      ]),
    ];
  });
  const expected = Array.from(world.branches, ([name, { tables }]) => [
    name,
    tables.map((each) => [
      each.name,
      each.records.map(({ id, metadata }) => [id, metadata.version]).sort(),
    ]),
  ]);
  expect(found).toEqual(expected);
  const { mappings = [] } = shop.gitBranches.list();
  const mapping = mappings.map(({ gitBranch, serviceBranch }) => [gitBranch, serviceBranch]);
  expect(mapping).toEqual([...world.mapping]);
}

/** Runs a command on the engine and the oracle. */
function play(twin: Twin, command: Single): void {
  const code = refusalCode(() => perform(shopOf(twin.context), command));
  const [world, outcome] =
    command.kind === "rename branch"
      ? renameBranch(twin.world, command.branch, command.name)
      : runCommand(twin.world, command, 0);
  twin.world = world;
  expect(code ?? "", JSON.stringify(command)).toMatch(REFUSALS[outcome] ?? /^$/);
}

describe("branches, snapshots and forks", () => {
  it("B-1: are independent, after any sequence of calls", () => {
    const course = fc.array(fc.tuple(fc.nat(2), step), { minLength: 1, maxLength: 40 });
    const property = fc.property(course, (steps) => {
      const twins = [openTwin()];
      const saved: { readonly contents: EngineContents; readonly world: OracleWorld }[] = [];
      for (const [at, step] of steps) {
        const twin = twins[at % twins.length]!;
        const { context, world } = twin;
        if (step.kind === "snapshot") saved.push({ contents: context.share(), world });
        else if (step.kind === "fork") {
          if (twins.length < 3) twins.push({ context: context.fork(), world });
        } else if (step.kind === "restore") {
          const before = saved[step.snapshot];
          if (before === undefined) continue;
          context.write(() => context.restore(before.contents));
          twin.world = before.world;
        } else if (step.kind === "batch") {
          refusalCode(() =>
            context.call(() => {
              for (const inner of step.steps) play(twin, inner);
              expectSame(twin);
              if (step.fails) throw new TwinbaseError("invalid_request", "the end of the batch");
            }),
          );
          if (step.fails) twin.world = world;
        } else play(twin, step);
        for (const each of twins) expectSame(each);
      }
      const context = createContext();
      for (const { contents, world } of saved) {
        context.write(() => context.restore(contents));
        expectSame({ context, world });
      }
    });
    fc.assert(property, { seed, numRuns: 500 });
  });
});
