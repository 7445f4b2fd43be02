import { describe, expect, it, vi } from "vitest";
import { Table } from "../../src/engine/table.js";
import { bindQuery } from "../../src/query/bind/query.js";
import * as fetching from "../../src/query/fetch/fetch.js";
import { availableIn } from "../../src/query/plan/available.js";
import { type Plan, planRows } from "../../src/query/plan/plan.js";
import { type LooseTable, openBranch } from "../rules/fixture.js";

/** 5,000 rows, out of the order of their ids, that link to forty teams. */
function openRows(indexes?: "always"): LooseTable {
  const branch = openBranch(indexes === undefined ? {} : { indexes });
  branch
    .createTable("teams", [{ name: "size", type: "int" }])
    .insert(Array.from({ length: 40 }, (_, i) => ({ id: `t${i}`, size: i })));
  const table = branch.createTable("rows", [
    { name: "n", type: "int" },
    { name: "team", type: "link", link: { table: "teams" } },
  ]);
  table.load(
    Array.from({ length: 5000 }, (_, i) => ({
      id: `r${9999 - i}`,
      n: (i * 31) % 101,
      team: `t${i % 40}`,
    })),
  );
  return table;
}

function planOf(table: LooseTable, request: unknown): Plan {
  const { environment, version } = Table.sourceOf(table as never);
  const source = { table: version, findTable: environment.findTable };
  const query = bindQuery(environment, version, request);
  return planRows(query, availableIn(source, environment.indexes));
}

function indexState(table: LooseTable): unknown {
  const { history } = Table.sourceOf(table as never).version;
  return [[...history.indexes.keys()], [...history.demand]];
}

const REQUESTS: Readonly<Record<string, object>> = {
  plain: {},
  sorted: { sort: { n: "desc" }, page: { size: 7, offset: 3 } },
  linked: { filter: { team: "t3", n: { $gt: 4 } }, sort: { n: "asc" } },
  "through a link": { filter: { "team.size": { $lt: 2 } } },
  ids: { filter: { id: { $any: ["r9998", "r9000"] }, n: { $isNot: 3 } } },
  last: { filter: { $not: { n: { $any: [1, null] } } }, page: { before: "end" } },
};

describe("a plan", () => {
  it("holds all that fetching needs, as plain data", () => {
    const table = openRows();
    expect(planOf(table, REQUESTS.sorted)).toEqual({
      access: { kind: "scan" },
      residual: { kind: "constant", value: true },
      order: { keys: [{ column: expect.objectContaining({ path: "n" }), descending: true }] },
      range: {},
      backward: false,
      limit: 11,
    });
    expect(planOf(table, { filter: { id: "r9998", n: 3 }, page: { before: "end" } })).toMatchObject(
      {
        access: { kind: "ids", ids: ["r9998"] },
        residual: { kind: "leaf", column: { path: "n" }, test: { kind: "equals", value: 3 } },
        backward: true,
        limit: 21,
      },
    );
  });

  it.each(Object.entries(REQUESTS))("can be cloned and is made alike again: %s", (_, request) => {
    for (const table of [openRows(), openRows("always")]) {
      const plan = planOf(table, request);
      expect(structuredClone(plan)).toEqual(plan);
      expect(planOf(table, request)).toEqual(plan);
    }
  });

  it("of a cursor's page has its range", () => {
    const table = openRows();
    const { cursor } = table.query({ sort: { n: "desc" }, page: { size: 2 } }).meta.page;
    const { range, backward } = planOf(table, { page: { after: cursor } });
    expect(range).toEqual({ after: { keys: [100, expect.any(String)], side: 0 } });
    expect(backward).toBe(false);
    expect(planOf(table, { page: { before: cursor } })).toMatchObject({ backward: true });
  });
});

describe("explain", () => {
  it.each(Object.entries(REQUESTS))("tells the same a thousand times: %s", (_, request) => {
    const table = openRows();
    const told = table.explain(request);
    for (let i = 0; i < 1000; i++) table.explain(request);
    expect(table.explain(request)).toEqual(told);
    expect(indexState(table)).toEqual([[], []]);
  });

  it("tells the plan that the query after it goes by, whatever was offered before", () => {
    for (const indexes of [undefined, "always"] as const) {
      const table = openRows(indexes);
      const fetched = vi.spyOn(fetching, "fetchRows");
      for (const request of Object.values(REQUESTS)) {
        for (let i = 0; i < 70; i++) {
          const told = planOf(table, request);
          table.query(request);
          expect(fetched.mock.lastCall?.[1]).toEqual(told);
        }
      }
      fetched.mockRestore();
    }
  });

  it("does not depend on earlier calls", () => {
    const [asked, unasked] = [openRows(), openRows()];
    for (let i = 0; i < 70; i++) {
      asked.explain(REQUESTS.sorted);
      asked.query(REQUESTS.sorted);
      unasked.query(REQUESTS.sorted);
      expect(asked.explain(REQUESTS.sorted)).toEqual(unasked.explain(REQUESTS.sorted));
    }
    expect(asked.explain(REQUESTS.sorted)).toMatchObject({ access: { kind: "order-index" } });
  });
});
