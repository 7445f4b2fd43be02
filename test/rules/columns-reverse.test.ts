import { describe, expect, it } from "vitest";
import { defineColumns } from "../columns.js";
import {
  expectRefused,
  idsOf,
  openBranch,
  refusalOf,
  type UntypedBranch,
  type UntypedTable,
} from "./fixture.js";

interface Reverse {
  readonly records: { id: string }[];
}

function open(): { branch: UntypedBranch; teams: UntypedTable } {
  const branch = openBranch();
  const teams = branch.createTable("teams", [{ name: "label", type: "string" }]);
  branch
    .createTable("players", defineColumns({ team: "-> teams", n: "int", o: { club: "-> teams" } }))
    .insert(
      Array.from({ length: 30 }, (_, i) => ({
        id: `p${String(i).padStart(2, "0")}`,
        team: i < 25 ? "red" : "blue",
        n: i % 5,
        ...(i === 7 && { o: { club: "red" } }),
      })),
    );
  teams.insert([{ id: "red", label: "Red" }, { id: "blue" }, { id: "none" }]);
  return { branch, teams };
}

function reverse(teams: UntypedTable, entry: object, id = "red"): Reverse {
  const name = (entry as { as?: string }).as ?? (entry as { name: string }).name;
  return teams.get(id, { columns: [entry] })?.[name] as Reverse;
}

describe("reverse links", () => {
  it("P-11: work for links in objects, beside other columns, and after a rename", () => {
    const { branch, teams } = open();
    const club = { name: "<-players.o.club", as: "members", columns: [] };
    expect(idsOf(reverse(teams, club).records)).toEqual(["p07"]);
    branch.renameTable("players", "people");
    const record = teams.get("red", {
      columns: ["label", { ...club, name: "<-people.o.club" }, { name: "<-people.team", limit: 1 }],
    });
    expect(Object.keys(record ?? {}).sort()).toEqual([
      "<-people.team",
      "id",
      "label",
      "members",
      "service",
    ]);
    expectRefused(() => reverse(teams, club), "unknown_column P-11 /columns/0/name");
  });

  it("P-11: have unique names, and limits of at most 200 in total", () => {
    const { teams } = open();
    const name = "<-players.team";
    const two = (entry: object): unknown => teams.query({ columns: [{ name, limit: 150 }, entry] });
    expect(two({ name, as: "more", limit: 50 })).toHaveProperty("records");
    expectRefused(
      () => two({ name, as: "more", limit: 51 }),
      "invalid_request P-11 /columns/1/limit",
    );
    expectRefused(() => two({ name }), "invalid_request P-11 /columns/1/as");
    for (const limit of [0, -1, 1.5, "3", null, 201]) {
      expectRefused(
        () => teams.query({ columns: [{ name, limit }] }),
        "invalid_request P-11 /columns/0/limit",
      );
    }
  });

  it("P-11: are named by a table and a link, and nothing behind", () => {
    const { teams } = open();
    for (const name of ["<-players.", "<-.team", "<-players", "<-players.team\n"]) {
      expectRefused(
        () => teams.query({ columns: [{ name }] }),
        "invalid_request P-11 /columns/0/name",
      );
    }
  });

  it("P-11: take order as a synonym of sort, with bare names of metadata", () => {
    const { branch, teams } = open();
    const name = "<-players.team";
    const first = (order: unknown): string | undefined =>
      idsOf(reverse(teams, { name, order, limit: 1 }).records)[0];
    expect(
      first([
        { column: "n", order: "desc" },
        { column: "id", order: "desc" },
      ]),
    ).toBe("p24");
    expect(first([{ column: "id" }])).toBe("p00");
    expect(first([])).toBe("p00");
    branch.table("players").update("p07", { n: 4 });
    expect(first([{ column: "version", order: "desc" }])).toBe("p07");
    expect(first([{ column: "service.version", order: "desc" }])).toBe("p07");
    branch.table("players").addColumn({ name: "version", type: "int" });
    branch.table("players").update("p03", { version: 9 });
    expect(first([{ column: "version", order: "asc" }])).toBe("p03");
    const refused = (order: unknown, code: "invalid_sort" | "unknown_column", rule: string): void =>
      expect(refusalOf(() => teams.query({ columns: [{ name, order }] }))).toMatchObject({
        code,
        rule,
      });
    for (const order of [null, "n", {}, ["n"], [{}], [{ column: 1 }]]) {
      refused(order, "invalid_sort", "P-11");
    }
    refused([{ column: "n", order: "up" }], "invalid_sort", "S-2");
    refused([{ column: "nope" }], "unknown_column", "P-9");
    expectRefused(
      () => teams.query({ columns: [{ name, order: [], sort: [] }] }),
      "invalid_request P-11 /columns/0/order",
    );
  });
});
