import { describe, expect, it, vi } from "vitest";
import { bindQuery } from "../../src/query/bind/query.js";
import { availableIn } from "../../src/query/fetch/available.js";
import * as fetching from "../../src/query/fetch/fetch.js";
import { rowsOf } from "../../src/query/page.js";
import { type Plan, planRows } from "../../src/query/plan/plan.js";
import { defineColumns } from "../columns.js";
import { openBranch, type UntypedTable } from "../rules/fixture.js";
import { runOf } from "./run-of.js";

/** 5,000 rows, not stored in the order of their ids, that link to forty teams. */
function openRows(indexes?: "always"): UntypedTable {
  const branch = openBranch(indexes === undefined ? {} : { indexes });
  branch
    .createTable("teams", defineColumns({ size: "int" }))
    .insert(Array.from({ length: 40 }, (_, i) => ({ id: `t${i}`, size: i })));
  const table = branch.createTable("rows", defineColumns({ n: "int", team: "-> teams" }));
  table.load(
    Array.from({ length: 5000 }, (_, i) => ({
      id: `r${9999 - i}`,
      n: (i * 31) % 101,
      team: `t${i % 40}`,
    })),
  );
  return table;
}

/** A plan without the table of its query, whose rows take long to compare. */
function partsOf({ query, access, residual }: Plan) {
  const { order, range, backward, limit } = query;
  return { access, residual, order, range, backward, limit };
}

function planOf(table: UntypedTable, request: unknown) {
  const run = runOf(table);
  const query = bindQuery(run, request);
  return partsOf(planRows(rowsOf(query), availableIn(run)));
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
  const tables = [openRows(), openRows("always")];

  it.each(Object.entries(REQUESTS))(
    "is plain data, the same for a repeated request: %s",
    (_, request) => {
      for (const table of tables) {
        const plan = planOf(table, request);
        expect(structuredClone(plan)).toEqual(plan);
        expect(planOf(table, request)).toEqual(plan);
      }
    },
  );
});

describe("explain", () => {
  it("returns the plan that the next query uses, whatever ran before", () => {
    for (const indexes of [undefined, "always"] as const) {
      const table = openRows(indexes);
      const fetched = vi.spyOn(fetching, "fetchRows");
      for (const request of Object.values(REQUESTS)) {
        for (let i = 0; i < 70; i++) {
          const explained = planOf(table, request);
          table.query(request);
          expect(partsOf(fetched.mock.lastCall![1])).toEqual(explained);
        }
      }
      fetched.mockRestore();
    }
  });

  it("has no effect on later plans", () => {
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
