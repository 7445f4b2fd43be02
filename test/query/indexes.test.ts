import { describe, expect, it, vi } from "vitest";
import { createEngine } from "../../src/index.js";
import { defineColumns } from "../columns.js";
import {
  idsOf,
  idsOfPages,
  openBranch,
  openShop,
  type UntypedTable,
  untyped,
} from "../rules/fixture.js";

interface Row {
  readonly id: string;
  readonly n: number;
  readonly team: string;
}

const makeRows = (count: number, prefix = "r"): Row[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `${prefix}${String((i * 11) % count).padStart(5, "0")}`,
    n: (i * 31) % 101,
    team: `t${i % 40}`,
  }));

function openRows(indexes: "auto" | "always", rows: readonly Row[]) {
  const { engine, main: branch } = openShop({ indexes });
  const teams = branch.createTable("teams", defineColumns({ size: "int" }));
  teams.insert(Array.from({ length: 40 }, (_, i) => ({ id: `t${i}`, size: i })));
  const table = branch.createTable("rows", defineColumns({ n: "int", team: "-> teams" }));
  table.load(rows);
  return { engine, branch, table };
}

const accessOf = (table: UntypedTable, request: object): string =>
  (table.explain(request) as { access: { kind: string } }).access.kind;

const sortByHand = (rows: Iterable<Row>): string[] =>
  idsOf([...rows].sort((a, b) => b.n - a.n || (a.id < b.id ? -1 : 1)));

describe("indexes on demand", () => {
  it("are built for a large table, and change no answer", () => {
    const { table } = openRows("auto", makeRows(4096));
    const byN = { sort: { n: "desc" } };
    expect(idsOfPages(table, byN)).toEqual(sortByHand(makeRows(4096)));
    expect(accessOf(table, byN)).toBe("order-index");
    expect(accessOf(table, { sort: { n: "asc" } }), "another order").toBe("scan");
    const ofTeam = { filter: { team: "t3" } };
    const counts = Array.from({ length: 5 }, () => table.count(ofTeam.filter));
    expect(new Set(counts)).toEqual(
      new Set([makeRows(4096).filter((r) => r.team === "t3").length]),
    );
    expect(accessOf(table, ofTeam)).toBe("link-index");
  });

  it("are not built for less than 4,096 rows", () => {
    const { table } = openRows("auto", makeRows(4095));
    const request = { filter: { team: "t3" }, sort: { n: "desc" }, page: { size: 1 } };
    for (let i = 0; i < 300; i++) table.query(request);
    idsOfPages(table, { sort: { n: "desc" } });
    expect(accessOf(table, { sort: { n: "desc" } })).toBe("scan");
    expect(accessOf(table, request)).toBe("scan");
  });

  it("sort linked rows after many pages of them", () => {
    const { table } = openRows("auto", makeRows(4096));
    const request = { filter: { team: "t3" }, sort: { n: "desc" }, page: { size: 5 } };
    const expected = sortByHand(makeRows(4096).filter(({ team }) => team === "t3")).slice(0, 5);
    for (let i = 0; i < 600; i++) expect(idsOf(table.query(request).records)).toEqual(expected);
    expect(table.explain(request)).toMatchObject({ access: { kind: "link-index", sorted: true } });
  });
});

it("a link index finds rows written later for an id that is new", () => {
  const branch = openBranch({ indexes: "always" });
  branch.createTable("teams", []);
  const table = branch.createTable("rows", defineColumns({ team: "-> teams" }));
  table.insert(Array.from({ length: 32 }, (_, i) => ({ id: `r${10 + i}`, team: `t${i % 16}` })));
  const idsWhere = (filter: object): string[] => {
    expect(accessOf(table, { filter })).toBe("link-index");
    return idsOf(table.query({ filter, columns: [] }).records);
  };
  expect(idsWhere({ team: "t3" })).toEqual(["r13", "r29"]);
  table.insert([
    { id: "r90", team: "new" },
    { id: "r91", team: "newer" },
  ]);
  expect(idsWhere({ team: "new" })).toEqual(["r90"]);
  expect(idsWhere({ team: "newer" })).toEqual(["r91"]);
});

describe("a condition on linked records", () => {
  /** 8,192 teams: the last ten have one row each, the first one all others. */
  function openTeams(): UntypedTable {
    const branch = openBranch({ indexes: "always" });
    const teams = branch.createTable("teams", [{ name: "size", type: "int" }]);
    teams.load(Array.from({ length: 8192 }, (_, size) => ({ id: `t${size}`, size })));
    const table = branch.createTable("rows", defineColumns({ team: "-> teams" }));
    const teamOf = (i: number): string => (i < 10 ? `t${8191 - i}` : "t0");
    table.load(Array.from({ length: 100 }, (_, i) => ({ id: `r${i}`, team: teamOf(i) })));
    return table;
  }

  it("uses the link index where it matches at most 4,096 of them", () => {
    const table = openTeams();
    const ten = Array.from({ length: 10 }, (_, i) => `r${i}`);
    for (const [least, access] of [
      [8190, "link-index"],
      [4096, "link-index"],
      [4095, "order-index"],
      [1, "order-index"],
    ] as const) {
      const filter = { "team.size": { $ge: least } };
      expect(accessOf(table, { filter }), `from ${least} on`).toBe(access);
      const expected = least === 8190 ? ["r0", "r1"] : ten;
      expect(idsOf(table.query({ filter, columns: [] }).records)).toEqual(expected);
      expect(table.count(filter)).toBe(expected.length);
    }
  });

  it("matches no row that is older than the link column", () => {
    const branch = openBranch({ indexes: "always" });
    const teams = branch.createTable("teams", [{ name: "size", type: "int" }]);
    teams.insert([
      { id: "t0", size: 0 },
      { id: "t1", size: 1 },
    ]);
    const table = branch.createTable("rows", []);
    table.insert([{ id: "a" }, { id: "b" }, { id: "c" }]);
    table.addColumn({ name: "team", type: "link", link: { table: "teams" } });
    const idsWhere = (filter: object): string[] => idsOf(table.query({ filter }).records);
    expect(idsWhere({ "team.size": { $ge: 0 } })).toEqual([]);
    expect(idsWhere({ team: "t0" })).toEqual([]);
    expect(idsWhere({ "team.size": null })).toEqual(["a", "b", "c"]);
    const sorted = (): string[] => idsOf(table.query({ sort: { "team.size": "desc" } }).records);
    expect(sorted()).toEqual(["a", "b", "c"]);
    const { summarize } = table as unknown as { summarize: (request: object) => unknown };
    const request = { columns: ["team.size"], summaries: { rows: { count: "*" } } };
    expect(summarize.call(table, request)).toEqual({
      summaries: [{ team: { size: null }, rows: 3 }],
    });
    table.update("b", { team: "t0" });
    table.update("c", { team: "t1" });
    expect(sorted()).toEqual(["a", "c", "b"]);
    expect(idsWhere({ team: "t0" })).toEqual(["b"]);
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
    const filled = openRows("always", makeRows(3000));
    const snapshot = filled.engine.snapshot();
    const engine = createEngine({ indexes: "always", limits: { queryMs: 1 } });
    engine.restore(snapshot);
    const table = untyped(engine.workspace("acme").database("shop").branch("main")).table("rows");
    let now = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now++);
    for (const request of [{ sort: { n: "desc" } }, { filter: { team: "t3" } }]) {
      expect(() => table.query(request)).toThrow(expect.objectContaining({ rule: "L-10" }));
    }
    clock.mockReturnValue(now);
    expect(table.query({ sort: { n: "desc" } }).records).toHaveLength(20);
    expect(accessOf(table, { sort: { n: "desc" } })).toBe("scan");
    clock.mockRestore();
  });
});
