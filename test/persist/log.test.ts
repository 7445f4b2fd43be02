import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Step } from "../../scripts/programs/calls.mjs";
import { queryCaseArbitrary } from "../../src/conformance/arbitraries/cases.js";
import type { Notice } from "../../src/engine/notice.js";
import { Engine } from "../../src/engine.js";
import { createMigrationRequest, updateMigrationRequest, updateSchema } from "../../src/history.js";
import { type AnyEngine, createEngine, TwinbaseError } from "../../src/index.js";
import { MigrationNumbers } from "../../src/persist/catalog-lines.js";
import { ChangeLog } from "../../src/persist/change-log.js";
import { openReplayed } from "../../src/persist/contexts.js";
import { LineReader } from "../../src/persist/lines.js";
import { runs, seed } from "../generated.js";
import { groupsArbitrary, mainOf, openEngine, openWorld, runSteps } from "../programs.js";
import { sealLines } from "../seal-lines.js";
import { openTexts, replayTexts, textOf } from "./texts.js";

describe(`a log (seed ${seed})`, () => {
  it("H-5: after an export, replays to the engine's state, byte for byte, at every commit", () => {
    let commits = 0;
    const property = fc.property(queryCaseArbitrary(), groupsArbitrary(5), (given, groups) => {
      commits += expectReplayed(openEngine(given, 1), groups);
    });
    fc.assert(property, { seed, numRuns: Math.ceil(120 * runs) });
    expect(commits).toBeGreaterThan(300 * runs);
  });
});

describe("a change of the catalog", () => {
  const column = { name: "a", type: "int" } as const;
  const databaseOf = (engine: AnyEngine) => engine.workspace("w").database("d");
  const made = (tables: number) => {
    const engine = createEngine({ seed: 1, now: 0 });
    const main = engine.createWorkspace("w").createDatabase("d").branch("main");
    for (let n = 0; n < tables; n++) main.createTable(`t${n}`, [column]).insert({});
    for (const name of ["b", "other"]) databaseOf(engine).createBranch(name, { from: "main" });
    for (let n = 0; n < tables; n++) {
      engine.createKey("usr_0", `k${n}`);
      const request = { source: "other", target: "main", title: `r${n}` };
      createMigrationRequest(databaseOf(engine), request);
    }
    for (let n = 0; n < tables; n++) engine.deleteKey("usr_0", `k${n}`);
    return logged(engine);
  };

  it.each([
    ["a table", (engine) => void mainOf(engine).createTable("new", [column])],
    [
      "a column",
      (engine) =>
        void mainOf(engine)
          .table("t1")
          .addColumn({ ...column, name: "b" }),
    ],
    ["a renamed table", (engine) => mainOf(engine).table("t1").rename("new")],
    ["a deleted table", (engine) => void mainOf(engine).deleteTable("t1")],
    ["a renamed branch", (engine) => void databaseOf(engine).renameBranch("b", "c")],
    ["a key", (engine) => void engine.createKey("usr_0", "new")],
    [
      "a deleted key",
      (engine) => {
        engine.createKey("usr_0", "new");
        engine.deleteKey("usr_0", "new");
      },
    ],
    ["a record", (engine) => void mainOf(engine).table("t1").insert({})],
    [
      "a migration request",
      (engine) => updateMigrationRequest(databaseOf(engine), 2, { title: "changed" }),
    ],
    ["settings", (engine) => void databaseOf(engine).updateSettings({ a: 1 })],
    [
      "a migration of several steps",
      (engine) => {
        const operations = ["x", "y", "z"].map((table) => ({ addTable: { table } }));
        updateSchema(mainOf(engine), { operations });
      },
    ],
  ] satisfies [string, (engine: AnyEngine) => void][])("logs only %s", (_, act) => {
    const [few, many] = [made(10), made(200)].map(({ engine, log, base, header }) => {
      act(engine);
      const text = log.commit().join("");
      expect(textOf(openTexts(base, header + text))).toBe(textOf(engine));
      return text.length;
    });
    expect(many).toBeLessThan(few! + 60);
    expect(few).toBeLessThan(1500);
  });

  it("K-3: logs all migration requests of a renamed branch", () => {
    const { engine, log, base, header } = made(3);
    databaseOf(engine).renameBranch("other", "last");
    expect(textOf(openTexts(base, header + log.commit().join("")))).toBe(textOf(engine));
  });

  it("is refused if a replay would refuse it", () => {
    const { engine, log, base, header } = made(2);
    const before = textOf(engine);
    const labels = ["a", "", "b"];
    delete labels[1];
    expect(() => mainOf(engine).setMetadata({ labels })).toThrow(TwinbaseError);
    expect(textOf(engine)).toBe(before);
    mainOf(engine).createTable("new");
    expect(textOf(openTexts(base, header + log.commit().join("")))).toBe(textOf(engine));
  });
});

/** A copy of an engine that logs its changes. */
function logged(given: AnyEngine) {
  const base = textOf(given);
  const { replay, replayed: found } = replayTexts(base);
  const context = openReplayed(found);
  const numbers = new MigrationNumbers();
  for (const [number, migration] of replay.migrations) numbers.set(migration, number);
  const header = sealLines([["twinbase-log", 1, { commits: 1 }]]);
  const reader = new LineReader(() => {});
  reader.write(header);
  const log = new ChangeLog(context, { commits: 1, numbers, sum: reader.sum });
  const persist = (notice: Notice) => log.add(notice);
  context.feed.sink = { requireReady: () => {}, persist, flushed: () => undefined };
  return { engine: new Engine(context), base, log, header };
}

/** Runs groups of steps on a logged copy, and compares the replay after each. Returns their number. */
function expectReplayed(given: AnyEngine, groups: readonly (readonly Step[])[]): number {
  const { engine, base, log, header } = logged(given);
  const world = openWorld(engine, { base });
  let text = header;
  for (const group of groups) {
    runSteps(world, group);
    text += log.commit().join("");
    expect(textOf(openTexts(base, text))).toBe(textOf(engine));
  }
  return groups.length;
}
