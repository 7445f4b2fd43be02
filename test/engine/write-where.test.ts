import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { subscribe } from "../../src/changes.js";
import { type AnyBranch, type AnyEngine, createEngine } from "../../src/index.js";
import { runs, seed } from "../generated.js";
import { textOf } from "../persist/texts.js";
import { expectRefused, refused, untyped } from "../rules/fixture.js";
import {
  fillPeople,
  insertPeople,
  outcomeOf,
  whereCases,
  writeBefore,
  writeWhere,
} from "./where-cases.js";

interface Refusal {
  readonly message: string;
  readonly path?: string;
}

const mainOf = (engine: AnyEngine): AnyBranch => engine.workspace("w").database("d").branch("main");

function open(links: "free" | "checked" = "checked"): AnyEngine {
  const engine: AnyEngine = createEngine({ profile: { links }, seed: 1, now: 0 });
  const branch = engine.createWorkspace("w").createDatabase("d").branch("main");
  fillPeople(branch);
  insertPeople(branch);
  return engine;
}

/** Runs an act on a fork, with the changes that a listener gets. */
function observe(engine: AnyEngine, act: (branch: AnyBranch) => unknown) {
  const fork = engine.fork();
  const changes: unknown[] = [];
  subscribe(fork, (all) => changes.push(...all));
  const outcome = outcomeOf(() => act(mainOf(fork)));
  return { outcome, changes, text: textOf(fork) };
}

describe("updateWhere and deleteWhere", () => {
  it.each(["free", "checked"] as const)(
    `R-5, R-7, T-16, T-18: equal a loop over the records that scan yields, with %s links, seed ${seed}`,
    (links) => {
      let refusals = 0;
      const check = fc.property(whereCases, (given) => {
        const engine = open(links);
        writeBefore(mainOf(engine), given);
        const before = textOf(engine);
        const { filter, changes, limit } = given;
        const found = outcomeOf(() => mainOf(engine).table("people").count(filter));
        const isFound = found.error === undefined;
        const scanned = isFound ? [...mainOf(engine).table("people").scan({ filter })] : [];
        const records = scanned.slice(0, limit);
        const actual = observe(engine, (branch) => writeWhere(branch, given));
        const looped = outcomeOf(() => {
          const people = mainOf(engine.fork()).table("people");
          for (const { id } of records) {
            if (changes === null) people.delete(id);
            else people.update(id, changes);
          }
        });
        const expected = found.error ?? looped.error;
        if (expected === undefined) {
          expect(actual.outcome).toEqual({ value: records.length });
          const operations = records.map(({ id }) =>
            changes === null
              ? { delete: { table: "people", id } }
              : { update: { table: "people", id, fields: changes } },
          );
          const { changes: events, text } = observe(engine, (branch) => {
            if (operations.length > 0) branch.transaction(operations);
          });
          expect(actual.changes).toEqual(events);
          expect(actual.text).toBe(text);
          const selected = observe(engine, (branch) => writeWhere(branch, given, ["*"])).outcome;
          const after = mainOf(engine.fork());
          if (changes !== null && operations.length > 0) after.transaction(operations);
          expect(selected.value).toEqual(records.map(({ id }) => after.table("people").get(id)));
        } else {
          refusals++;
          // The path begins with the id of the record.
          const { message, path = "", ...others } = expected as Refusal;
          expect(actual.outcome.error).toMatchObject(others);
          expect(actual.outcome.error).toHaveProperty("message", expect.stringContaining(message));
          const { path: at = "" } = actual.outcome.error as Refusal;
          expect(at.slice(at.length - path.length)).toBe(path);
          expect(actual.changes).toEqual([]);
          expect(actual.text).toBe(before);
        }
      });
      fc.assert(check, { seed, numRuns: Math.ceil(400 * runs) });
      expect(refusals).toBeGreaterThan(10);
    },
  );

  it("E-1: names the first bad record, and refuses other options and a missing filter", () => {
    const people = untyped(mainOf(open())).table("people");
    const { message, path, errors } = refused(() =>
      people.updateWhere({ age: { $ge: 2 } }, { nick: "n" }),
    );
    expect(message).toMatch(/^\[1\] table \[people\]: column \[nick\].* \(and 2 more\)$/);
    expect([path, errors?.map((fault) => fault.path)]).toEqual([
      "/cyd/nick",
      ["/cyd/nick", "/eve/nick", "/gus/nick"],
    ]);
    expect(refused(() => people.deleteWhere({})).message).toMatch(
      /table \[people\]: record \[eve\] cannot be deleted/,
    );
    expectRefused(() => people.updateWhere(undefined, {}), "invalid_filter", "F-1", "");
    expectRefused(
      () => people.deleteWhere({}, { ifVersion: 1 }),
      "invalid_request",
      "E-3",
      "/ifVersion",
    );
    expectRefused(() => people.deleteWhere({}, { limit: -1 }), "invalid_request", "E-3", "/limit");
    expectRefused(
      () => people.updateWhere({}, { age: 1 }, { columns: ["x"] }),
      "unknown_column",
      "P-9",
      "/columns/0",
    );
    expect(people.count()).toBe(6);
  });

  it("L-10: ends at the time limit, and writes nothing", () => {
    const engine = createEngine({ limits: { queryMs: 10_000 } });
    const main = engine.createWorkspace("w").createDatabase("d").branch("main");
    const table = main.createTable("t", [{ name: "n", type: "int" }]);
    table.load(Array.from({ length: 4000 }, () => ({ n: 1 })));
    const before = textOf(engine);
    let now = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => (now += 100));
    try {
      expectRefused(() => table.updateWhere({}, { n: 2 }), "query_timeout", "L-10");
      expectRefused(() => table.deleteWhere({}), "query_timeout", "L-10");
    } finally {
      clock.mockRestore();
    }
    expect(textOf(engine)).toBe(before);
  });
});
