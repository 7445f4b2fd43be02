import { describe, expect, it } from "vitest";
import { defineColumns } from "../columns.js";
import { expectRefused } from "./fixture.js";
import { ALL_OF_ANN, META, openPlayers as open, select } from "./players.js";

const HOME = { geo: { lat: 1 }, club: { id: "blue" } };

describe("columns", () => {
  // `select` compares the results of a query, get and scan.
  it.each<[title: string, columns: unknown, selected: object]>([
    ["P-1: absent columns select all", undefined, ALL_OF_ANN],
    ["P-2: an empty array selects id and metadata", [], {}],
    ["P-3: a star selects all", ["*", "name"], ALL_OF_ANN],
    ["P-4: parts of an object add up", ["home.geo.*", "home.club"], { home: HOME }],
    [
      "N-4, P-5: paths lead through links and objects",
      ["team.owner.home.city", "home.club.label"],
      {
        team: {
          id: "red",
          owner: { id: "ann", home: { city: "X" }, service: META },
          service: META,
        },
        home: { club: { id: "blue", label: "Blue", service: META } },
      },
    ],
    [
      "P-7: a dangling link gives its id",
      ["home.club.owner.name"],
      { home: { club: { id: "blue", owner: { id: "gone" }, service: META } } },
    ],
    ["P-8: metadata may be named", ["service.version", "id", "name"], { name: "Ann" }],
  ])("%s", (_, columns, selected) => {
    const { players } = open();
    expect(select(players, columns)).toStrictEqual({ id: "ann", ...selected, service: META });
  });

  it("P-6: under xata a bare link selects all columns of its record, * only its id", () => {
    const { players } = open({ base: "xata", links: "free" });
    const of = (...columns: string[]) => select(players, columns) as { team: unknown };
    expect(of("team")).toStrictEqual(of("team.*"));
    expect(of("team.owner")).toStrictEqual(of("team.owner.*"));
    expect(of("team.owner.id", "team")).toStrictEqual(of("team.owner.id", "team.*"));
    expect(of("*").team).toStrictEqual({ id: "red" });
  });

  it("T-17, P-6: under xata a bare link behind a link selects its id while its table does not exist", () => {
    const { branch, players } = open({ base: "xata", links: "free" });
    branch.table("teams").addColumn({ name: "cup", type: "link", link: { table: "cups" } });
    branch.table("teams").update("red", { cup: "c" });
    expect(select(players, ["team.cup"])).toStrictEqual({
      id: "ann",
      team: { id: "red", cup: { id: "c" }, xata: { ...META, version: 1 } },
      xata: META,
    });
  });

  it("P-2: refuses all but arrays of column paths", () => {
    const { players } = open();
    for (const columns of [null, "name", {}, 1, true, { 0: "name" }]) {
      expectRefused(() => players.query({ columns }), "invalid_request P-2 /columns");
    }
    for (const entry of [null, 1, true, undefined, ["name"]]) {
      const columns = ["name", entry];
      expectRefused(() => players.query({ columns }), "invalid_request P-2 /columns/1");
      expectRefused(() => players.get("ann", { columns }), "invalid_request P-2 /columns/1");
      const write = (): unknown => players.update("ann", { name: "never" }, { columns });
      expectRefused(write, "invalid_request P-2 /columns/1");
    }
    expect(players.get("ann")?.name).toBe("Ann");
  });

  it("P-9: refuses an unknown path, for an empty table too", () => {
    const { branch, players } = open();
    const empty = branch.createTable("empty", defineColumns({ team: "-> teams" }));
    const unknown = [
      ...["nope", "", ".", "*.*", "**", "name.*", "name.x", "doc.a", "doc.*", "doc->a", "Name"],
      ...["home.nope", "home.", ".home", "home..city", "home.geo.lat.x", "home.geo.lat.*"],
      ...["team.nope", "team.owner.nope", "team.label.*", "id.*", "id.x", "$name", "name "],
      ...["*.name", "service.nope", "__proto__", "constructor", "x".repeat(1e5), "a.".repeat(1e5)],
    ];
    for (const path of unknown) {
      const refused = (call: () => unknown): void =>
        expectRefused(call, "unknown_column P-9 /columns/1");
      refused(() => players.query({ columns: ["team", path] }));
      refused(() => players.get("nobody", { columns: ["team", path] }));
      refused(() => players.insert({ id: "new" }, { columns: ["team", path] }));
      refused(() => empty.query({ columns: ["team", path] }));
    }
    expect(players.get("new")).toBeNull();
    expect(players.count()).toBe(3);
  });

  it("P-10: keys have the order of the schema, whatever the order of columns", () => {
    const { players } = open();
    const keys = (columns: unknown): string[] => Object.keys(select(players, columns) as object);
    expect(keys(undefined)).toEqual(["id", "name", "team", "home", "service"]);
    expect(keys(["home.city", "service", "team.label", "name", "id"])).toEqual(keys(undefined));
    players.addColumn({ name: "age", type: "int", defaultValue: 3 });
    players.renameColumn("name", "zzz");
    expect(keys(undefined)).toEqual(["id", "zzz", "team", "home", "age", "service"]);
  });

  it("P-9: checks the selection of a write before writing", () => {
    const { players } = open();
    const options = { columns: ["nope"] };
    const calls = [
      () => players.insert({ id: "new" }, options),
      () => players.insert([{ id: "new" }], options),
      () => players.update("ann", { name: "never" }, options),
      () => players.replace("ann", { name: "never" }, options),
      () => players.upsert("ann", { name: "never" }, options),
      () => players.put("new", {}, options),
    ];
    for (const call of calls) expectRefused(call, "unknown_column P-9 /columns/0");
    expect([...players.scan()]).toEqual([...open().players.scan()]);
  });
});
