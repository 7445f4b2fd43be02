// Indexes of large tables are built in slices, while rows are written. Small thresholds make an index of
// 500 rows take many queries.
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { createEngine, type Engine, type Snapshot } from "../../src/index.js";
import { defineColumns } from "../columns.js";
import { runs, seed } from "../generated.js";
import { NOW, openBranch, type UntypedTable, untyped } from "../rules/fixture.js";

vi.mock("../../src/query/thresholds.js", async (original) => ({
  ...(await original<typeof import("../../src/query/thresholds.js")>()),
  MIN_INDEXED_ROWS: 64,
  BUCKET_ROWS: 32,
  MIN_SLICE_ROWS: 100,
  SLICE_SHARE: 0,
  MAX_DIRTY_ROWS: 100,
}));

const COLUMNS = defineColumns({ n: "int", text: "string", team: "-> teams" });
const TEAMS = 9;
/** Later rows link to more teams, so the column's dictionary grows during a build. */
const LATER_TEAMS = 60;
const ROWS = 500;

const textOf = (n: number): string => `${"the same for long ".repeat(n % 3)}${(n * 7919) % 101}`;
const rowOf = (n: number, teams = TEAMS) => ({
  n: n % 7 === 0 ? null : n % 61,
  text: n % 11 === 0 ? null : textOf(n),
  team: n % 13 === 5 ? null : `t${n % teams}`,
});

const SORTS = [
  { n: "desc" },
  { text: "asc" },
  [{ team: "asc" }, { text: "desc" }],
  [{ text: "asc" }, { n: "asc" }],
];

type Step =
  | { readonly kind: "pages"; readonly sort: number; readonly team: number; readonly count: number }
  | { readonly kind: "update" | "insert" | "remove"; readonly count: number; readonly from: number }
  | { readonly kind: "fork" | "back" | "save" | "restore" };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant("pages" as const),
      sort: fc.nat(SORTS.length - 1),
      team: fc.integer({ min: -4, max: TEAMS + 3 }),
      count: fc.integer({ min: 1, max: 8 }),
    }),
  },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        "update" as const,
        "update" as const,
        "insert" as const,
        "remove" as const,
      ),
      count: fc.integer({ min: 1, max: 60 }),
      from: fc.nat(2 * ROWS),
    }),
  },
  fc.record({ kind: fc.constantFrom("fork" as const, "back" as const) }),
  fc.record({ kind: fc.constantFrom("save" as const, "restore" as const) }),
);

function each<T>(
  { count, from }: { readonly count: number; readonly from: number },
  act: (id: string, i: number) => T,
): T[] {
  return Array.from({ length: count }, (_, i) => act(`r${from + i}`, i));
}

/** Plays steps on an engine with one table, and returns its answers. */
function openPlayer(indexes: "auto" | "never") {
  const engine: Engine = createEngine({ indexes, seed: 1, now: NOW });
  const database = engine.createWorkspace("acme").createDatabase("shop");
  const teams = untyped(database.branch("main")).createTable("teams", []);
  teams.insert(Array.from({ length: LATER_TEAMS }, (_, i) => ({ id: `t${i}` })));
  const rows = untyped(database.branch("main")).createTable("rows", COLUMNS);
  rows.load(Array.from({ length: ROWS }, (_, i) => ({ id: `r${i}`, ...rowOf(i) })));
  let branch = "main";
  let branches = 0;
  let added = ROWS;
  let saved: Snapshot = engine.snapshot();
  const cursors = new Map<string, string>();
  const uses = { "order-index": 0, "link-index": 0 };
  const table = (): UntypedTable => untyped(database.branch(branch)).table("rows");
  return {
    uses,
    nextPage(sort: number, team: number): unknown {
      const key = `${branch} ${sort} ${team}`;
      const after = cursors.get(key);
      const first = { sort: SORTS[sort], ...(team >= 0 && { filter: { team: `t${team}` } }) };
      const request =
        after === undefined ? { ...first, page: { size: 2 } } : { page: { after, size: 2 } };
      const { access } = table().explain(request) as { access: { kind: keyof typeof uses } };
      if (access.kind in uses) uses[access.kind]++;
      const { records, meta } = table().query(request);
      if (meta.page.more) cursors.set(key, meta.page.cursor);
      else cursors.delete(key);
      return [records, meta.page.more];
    },
    play(act: Step): unknown {
      switch (act.kind) {
        case "pages":
          return Array.from({ length: act.count }, () => this.nextPage(act.sort, act.team));
        case "update":
          return each(
            act,
            (id, i) => table().get(id) && table().update(id, rowOf(act.from * 3 + i, LATER_TEAMS)),
          );
        case "insert":
          added += act.count;
          return table().insert(
            each(act, (_, i) => ({ id: `r${added - i}`, ...rowOf(act.from + i, LATER_TEAMS) })),
          );
        case "remove":
          return each(act, (id) => table().delete(id));
        case "fork":
          branch = database.createBranch(`b${branches++}`, { from: branch }).name;
          return branch;
        case "back":
          branch = "main";
          return branch;
        case "save":
          saved = engine.snapshot();
          return undefined;
        case "restore":
          engine.restore(saved);
          branch = "main";
          cursors.clear();
          return undefined;
      }
    },
  };
}

describe("an index built in slices", () => {
  it("is complete after several queries, which run without it", () => {
    const branch = openBranch({ indexes: "auto" });
    const table = branch.createTable("rows", COLUMNS.slice(0, 2));
    table.load(
      Array.from({ length: ROWS }, (_, i) => ({ id: `r${i}`, n: i % 61, text: textOf(i) })),
    );
    const kinds: string[] = [];
    let request: object = { sort: { text: "asc" }, page: { size: 1 } };
    const walked: unknown[] = [];
    for (let i = 0; i < 100; i++) {
      kinds.push((table.explain(request) as { access: { kind: string } }).access.kind);
      const { records, meta } = table.query(request);
      walked.push(...records.map(({ id }) => id));
      request = { page: { after: meta.page.cursor, size: 1 } };
    }
    const begun = kinds.indexOf("order-index");
    expect(begun).toBeGreaterThan(5);
    expect(new Set(kinds.slice(begun))).toEqual(new Set(["order-index"]));
    const all = table.query({ sort: { text: "asc" }, page: { size: 100 } }).records;
    expect(walked).toEqual(all.map(({ id }) => id));
  });

  it("groups rows whose link is new during the build", () => {
    const [sliced, plain] = [openPlayer("auto"), openPlayer("never")];
    for (let i = 0; i < 400; i++) {
      for (const act of [
        { kind: "pages", sort: 1, team: i % 4, count: 1 },
        { kind: "update", count: 3, from: ROWS - 4 - ((i * 3) % 480) }, // the last rows first: not grouped yet
      ] as const) {
        expect(sliced.play(act)).toEqual(plain.play(act));
      }
    }
    expect(sliced.uses["link-index"]).toBeGreaterThan(100);
  });

  it(`gives the same answers as no index, during any writes (seed ${seed})`, () => {
    const total = { "order-index": 0, "link-index": 0 };
    const property = fc.property(
      fc.array(step, { minLength: 60, maxLength: 200, size: "max" }),
      (steps) => {
        const [sliced, plain] = [openPlayer("auto"), openPlayer("never")];
        for (const act of steps) expect(sliced.play(act)).toEqual(plain.play(act));
        for (const kind of ["order-index", "link-index"] as const) total[kind] += sliced.uses[kind];
      },
    );
    fc.assert(property, { seed, numRuns: Math.ceil(14 * runs) });
    expect(total["order-index"]).toBeGreaterThan(50 * runs);
    expect(total["link-index"]).toBeGreaterThan(50 * runs);
  });
});
