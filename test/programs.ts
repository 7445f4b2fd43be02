import fc from "fast-check";
import {
  CALLS,
  createWorld,
  KINDS,
  type Options,
  runStep,
  type Step,
  type World,
} from "../scripts/programs/calls.mjs";
import * as accounts from "../src/accounts.js";
import * as changes from "../src/changes.js";
import { type QueryCase, queryCaseArbitrary } from "../src/conformance/arbitraries/cases.js";
import * as exporting from "../src/export.js";
import { enableFiles } from "../src/files.js";
import * as history from "../src/history.js";
import { type AnyBranch, type AnyEngine, createEngine } from "../src/index.js";

const API: object = { ...accounts, ...changes, ...exporting, ...history };

/** Calls after which the generated tables of `main` are as before, except for their records. */
const KEEPING: readonly string[] = Object.keys(CALLS).filter(
  (kind) =>
    !/^(deleteBranch|renameBranch|renameDatabase|reset|restore|import|setBaseline|listen|snapshot)$/.test(
      kind,
    ),
);

/** An engine after generated calls, and valid queries for one of its tables. */
export interface GeneratedEngine {
  readonly engine: AnyEngine;
  readonly case: QueryCase;
}

/** Engines with generated tables and records in several branches, users, mappings and settings. */
export function engineArbitrary(): fc.Arbitrary<GeneratedEngine> {
  const parts = fc.tuple(queryCaseArbitrary(), keepingSteps(), fc.integer());
  return parts.map(([given, steps, seed]) => {
    const engine = openEngine(given, seed);
    runSteps(openWorld(engine, { fixed: "main" }), steps);
    return { engine, case: given };
  });
}

/** Steps that change the schema only of other branches than `main`. */
export function keepingSteps(): fc.Arbitrary<readonly Step[]> {
  return fc.array(stepOf(KEEPING), { maxLength: 25, size: "max" });
}

export function stepOf(kinds: readonly string[]): fc.Arbitrary<Step> {
  return fc.noShrink(fc.tuple(fc.constantFrom(...kinds), fc.nat())); // programs only get shorter
}

/** Groups of up to twenty steps of any kind, each for one commit. */
export function groupsArbitrary(maxLength: number): fc.Arbitrary<readonly (readonly Step[])[]> {
  const [often, seldom] = [
    [...KINDS.records, "branch", "request", "gitBranch", "user", "settings", "restore"],
    Object.keys(CALLS),
  ];
  const step = fc.oneof(stepOf(often), { weight: 2, arbitrary: stepOf(seldom) });
  const group = fc.array(step, { minLength: 1, maxLength: 20, size: "max" });
  return fc.array(group, { minLength: 2, maxLength, size: "max" });
}

export function openWorld(engine: AnyEngine, options?: Options): World {
  return createWorld(API, engine, options);
}

export function runSteps(world: World, steps: readonly Step[]): void {
  for (const step of steps) runStep(world, step);
}

/** An engine with the tables and records of a case in the branch `main`. */
export function openEngine({ profile, fixture }: QueryCase, seed: number): AnyEngine {
  const engine: AnyEngine = enableFiles(createEngine({ profile, seed, now: 0 }));
  engine.createWorkspace("w", { name: "Wörkspace" }).createDatabase("d", { ui: { color: "red" } });
  for (const { name, columns, records } of fixture.tables) {
    // Links to tables that follow are not checked (T-17, T-18).
    mainOf(engine)
      .createTable(name, columns)
      .insert([...records]);
  }
  return engine;
}

export function mainOf(engine: AnyEngine): AnyBranch {
  return engine.workspace("w").database("d").branch("main");
}
