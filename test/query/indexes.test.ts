import { describe, expect, it, vi } from "vitest";
import { createEngine } from "../../src/index.js";
import { defineColumns } from "../columns.js";
import { idsOf, openBranch, openShop, type UntypedTable, untyped } from "../rules/fixture.js";

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
    let page = table.query(byN);
    const walk = [...idsOf(page.records)];
    while (page.meta.page.more) {
      page = table.query({ page: { after: page.meta.page.cursor } });
      walk.push(...idsOf(page.records));
    }
    expect(walk).toEqual(sortByHand(makeRows(4096)));
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
    let page = table.query({ sort: { n: "desc" } });
    while (page.meta.page.more) page = table.query({ page: { after: page.meta.page.cursor } });
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

describe("indexes after many writes", () => {
  const sort = { n: "desc" };
  const filter = { "team.size": { $any: [3, 4] } };

  it("return the current order and linked records", () => {
    const { branch, table } = openRows("always", makeRows(3000));
    const now = new Map(makeRows(3000).map((row) => [row.id, row]));
    const inTeam = ({ team }: Row): boolean => team === "t3" || team === "t4";
    const expectSame = (): void => {
      expect(accessOf(table, { sort })).toBe("order-index");
      expect(accessOf(table, { filter })).toBe("link-index");
      expect(idsOf(table.scan({ sort, columns: [] }))).toEqual(sortByHand(now.values()));
      const linked = [...now.values()].filter(inTeam);
      expect(idsOf(table.scan({ filter, sort, columns: [] }))).toEqual(sortByHand(linked));
      expect(table.count(filter)).toBe(linked.length);
    };
    expectSame();
    const added = makeRows(1200, "s");
    const changed = [...now.values()].filter((_, i) => i % 3 === 0).slice(0, 960);
    // Batches small enough to keep the indexes, in total more than the limit of unindexed rows.
    for (let i = 0; i < 20; i++) {
      const records = added.slice(i * 60, (i + 1) * 60);
      table.insert(records);
      for (const row of records) now.set(row.id, row);
      const operations = changed.slice(i * 48, (i + 1) * 48).map(({ id }, j) => {
        if (j % 4 === 0) {
          now.delete(id);
          return { delete: { table: "rows", id } };
        }
        const fields = { n: (j * 17) % 103, team: `t${j % 7}` };
        now.set(id, { id, ...fields });
        return { update: { table: "rows", id, fields } };
      });
      branch.transaction(operations);
      if (i % 9 === 3) expectSame();
    }
    expectSame();
    table.delete("s00000");
    now.delete("s00000");
    expectSame();
  });

  it("return pages of current linked records, forward and backward", () => {
    const { table } = openRows("always", makeRows(2000));
    const now = new Map(makeRows(2000).map((row) => [row.id, row]));
    const inTeams = { team: { $any: ["t3", "t4"] } };
    const walk = (more: object): string[] => {
      const ids: string[] = [];
      let page = table.query({ filter: inTeams, sort, columns: [], page: { size: 7, ...more } });
      ids.push(...idsOf(page.records));
      const turn = "before" in more ? "before" : "after";
      while (page.meta.page.more) {
        page = table.query({ page: { [turn]: page.meta.page.cursor } });
        ids.splice(turn === "before" ? 0 : ids.length, 0, ...idsOf(page.records));
      }
      return ids;
    };
    const expectWalks = (): void => {
      const linked = sortByHand([...now.values()].filter(({ team }) => /^t[34]$/.test(team)));
      expect(walk({})).toEqual(linked);
      expect(walk({ before: "end" })).toEqual(linked);
    };
    expectWalks();
    for (const [i, row] of [...now.values()].slice(0, 300).entries()) {
      if (i % 3 === 0) {
        table.delete(row.id);
        now.delete(row.id);
      } else {
        const changes = { n: i % 50, team: i % 2 === 0 ? "t4" : row.team };
        table.update(row.id, changes);
        now.set(row.id, { ...row, ...changes });
      }
    }
    expectWalks();
  });

  it("serve a scan that began before a write", () => {
    const { table } = openRows("always", makeRows(300));
    expect(idsOf(table.scan({ sort, columns: [] }))).toEqual(sortByHand(makeRows(300)));
    const ids = idsOf(table.scan({ sort, columns: [] }));
    const open = table.scan({ sort, columns: [] });
    open.next();
    table.delete(ids[5]);
    expect(idsOf(open), "a scan that has begun").toEqual(ids.slice(1));
    expect(idsOf(table.scan({ sort, columns: [] }))).toEqual(ids.filter((_, i) => i !== 5));
  });
});

describe("the index of an order", () => {
  it("finds the last entry", () => {
    const rows = makeRows(5000);
    const { table } = openRows("always", rows);
    const request = { sort: { n: "desc" }, filter: { n: { $lt: 2 } } };
    expect(accessOf(table, request)).toBe("order-index");
    const few = sortByHand(rows.filter(({ n }) => n < 2));
    const { records, meta } = table.query(request);
    expect(idsOf(records)).toEqual(few.slice(0, 20));
    expect(meta.page.more).toBe(true);
    const last = table.query({ ...request, page: { before: "end", size: 7 } });
    expect(idsOf(last.records)).toEqual(few.slice(-7));
  });
});

describe("a link index", () => {
  function openLinks() {
    const branch = openBranch({ indexes: "always" });
    branch.createTable("teams", []);
    const columns = defineColumns({ team: "-> teams", other: "-> teams" });
    const table = branch.createTable("rows", columns);
    table.insert(
      Array.from({ length: 32 }, (_, i) => ({
        id: `r${10 + i}`,
        team: `t${i % 16}`,
        other: `t${i >> 1}`,
      })),
    );
    return table;
  }

  const idsWhere = (table: UntypedTable, filter: object): string[] => {
    expect(accessOf(table, { filter })).toBe("link-index");
    return idsOf(table.query({ filter, columns: [] }).records);
  };

  it("is separate for each link column", () => {
    const table = openLinks();
    expect(idsWhere(table, { team: "t3" })).toEqual(["r13", "r29"]);
    expect(idsWhere(table, { other: "t3" })).toEqual(["r16", "r17"]);
  });

  it("counts only rows that also meet the residual filter", () => {
    const table = openLinks();
    expect(table.count({ team: "t3", other: "t1" })).toBe(1);
    table.insert({ id: "r90", team: "t3" });
    expect(table.count({ team: "t3", other: "t1" })).toBe(1);
    expect(table.count({ team: "t3", other: null })).toBe(1);
  });

  it("finds rows written later for an id that is new", () => {
    const table = openLinks();
    expect(idsWhere(table, { team: "t3" })).toEqual(["r13", "r29"]);
    table.insert([
      { id: "r90", team: "new" },
      { id: "r91", team: "newer" },
    ]);
    expect(idsWhere(table, { team: "new" })).toEqual(["r90"]);
    expect(idsWhere(table, { team: "newer" })).toEqual(["r91"]);
  });

  it("leaves out rows deleted before it was built", () => {
    const table = openLinks();
    table.delete("r13");
    expect(idsWhere(table, { team: "t3" })).toEqual(["r29"]);
  });
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
