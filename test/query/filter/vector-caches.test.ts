import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AnyBranch, createEngine, type Filter } from "../../../src/index.js";
import { defineColumns } from "../../columns.js";
import { runs, seed } from "../../generated.js";

/**
 * A cache of a vector is valid for the rows that it was built from. Rows are inserted, changed and deleted
 * between queries that fill the caches, on branches that share vectors.
 */

interface Row {
  readonly id: string;
  readonly name: string | null;
  readonly tags: string[] | null;
}

/** Runs of each query, so that its cache is read. */
const USES = 6; // two queries use each vector, and fill its cache from the ninth use on

const NAMES = ["ana", "anb", "bana", "b", "ÿb", ""];
const TAGS = ["x", "y", "z"];

const QUERIES: readonly [Filter, (row: Row) => boolean][] = [
  [{ name: "ana" }, ({ name }) => name === "ana"],
  [{ name: { $startsWith: "an" } }, ({ name }) => name?.startsWith("an") ?? false],
  [{ name: { $contains: "an" } }, ({ name }) => name?.includes("an") ?? false],
  [{ $not: { name: { $contains: "b" } } }, ({ name }) => !(name?.includes("b") ?? false)],
  [{ tags: { $includes: "x" } }, ({ tags }) => tags?.includes("x") ?? false],
  [{ $not: { tags: { $includes: "y" } } }, ({ tags }) => !(tags?.includes("y") ?? false)],
];

const name = fc.constantFrom(null, ...NAMES);
const tags = fc.option(fc.subarray(TAGS), { nil: null });
const branch = fc.nat(2);
/** Texts are joined for a search from 384 rows on. */
const sizes = fc.oneof(fc.nat(70), fc.integer({ min: 390, max: 420 }));
const command = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("insert"), branch, name, tags }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("update"), branch, name, tags }) },
  fc.record({ kind: fc.constant("delete"), branch, name, tags }),
  fc.record({ kind: fc.constant("fail"), branch, name, tags }),
  fc.record({ kind: fc.constant("fork"), branch, name, tags }),
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("ask"), branch, name, tags }) },
);

function ask(place: AnyBranch, rows: readonly Row[]): void {
  for (let time = 0; time < USES; time++) {
    for (const [filter, holds] of QUERIES) {
      const found = place.table("t").query({ filter, columns: [], page: { size: 1000 } });
      const ids = found.records.map(({ id }) => id);
      const expected = rows.filter(holds).map(({ id }) => id);
      expect(ids.join(), JSON.stringify(filter)).toBe(expected.sort().join());
      expect(place.table("t").count(filter), JSON.stringify(filter)).toBe(expected.length);
    }
  }
}

describe("caches of a vector", () => {
  it("return current rows after inserts, updates, deletions, refused writes and forks", () => {
    fc.assert(
      fc.property(sizes, fc.array(command, { minLength: 8, maxLength: 25 }), (size, commands) => {
        const database = createEngine({ profile: { maxPageSize: 1000 } })
          .createWorkspace("w")
          .createDatabase("d");
        const main = database.branch("main");
        main.createTable("t", defineColumns({ name: "string", tags: "multiple" }));
        const first = Array.from({ length: size }, (_, i) => ({
          id: `r${i}`,
          name: NAMES[i % NAMES.length]!,
          tags: [TAGS[i % TAGS.length]!],
        }));
        main.table("t").load(first);
        const places: { place: AnyBranch; rows: Row[] }[] = [{ place: main, rows: first }];
        for (const [i, { kind, branch, ...values }] of commands.entries()) {
          const chosen = places[branch % places.length]!;
          const { place, rows } = chosen;
          const table = place.table("t");
          const at = (i * 7) % Math.max(1, rows.length);
          const row = rows[at];
          if (kind === "ask") ask(place, rows);
          else if (kind === "insert") {
            table.insert({ id: `n${i}`, ...values });
            rows.push({ id: `n${i}`, ...values });
          } else if (kind === "update" && row !== undefined) {
            table.update(row.id, values);
            rows[at] = { id: row.id, ...values };
          } else if (kind === "delete" && row !== undefined) {
            table.delete(row.id);
            rows.splice(at, 1);
          } else if (kind === "fail") {
            const record = { id: `n${i}`, ...values };
            const taken = { id: `n${i}`, name: null, tags: null };
            expect(() => table.insert([record, taken])).toThrow("already exists");
          } else if (kind === "fork") {
            const copy = database.createBranch(`b${i}`, { from: place.name });
            places.push({ place: copy, rows: [...rows] });
          }
        }
        for (const { place, rows } of places) ask(place, rows);
      }),
      { seed, numRuns: Math.ceil(80 * runs) },
    );
  });
});
