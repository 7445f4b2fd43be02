import { describe, expect, it } from "vitest";
import { defineColumns } from "../columns.js";
import { expectRefused } from "./fixture.js";
import { ALL_OF_ANN, META, openPlayers as open, select } from "./players.js";

describe("columns", () => {
  it("P-1: absent: every column, and of a link its id and nothing else", () => {
    const { players } = open();
    expect(select(players, undefined)).toStrictEqual(ALL_OF_ANN);
    expect(players.query().records[0]).toStrictEqual(ALL_OF_ANN);
    expect(select(players, undefined, "bob")).toStrictEqual({
      id: "bob",
      name: "Bob",
      team: { id: "lost" },
      doc: { a: 1 },
      service: META,
    });
  });

  it("P-2: returns id, metadata and selected columns only", () => {
    const { players } = open();
    expect(select(players, [])).toStrictEqual({ id: "ann", service: META });
    expect(select(players, ["name"])).toStrictEqual({ id: "ann", name: "Ann", service: META });
    expect(select(players, ["doc"])).toStrictEqual({ id: "ann", service: META });
    expect(select(open("xata").players, ["name"])).toStrictEqual({
      id: "ann",
      name: "Ann",
      xata: META,
    });
  });

  it("P-2: is an array of column paths", () => {
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

  it("P-3: * selects every column, with all sub-keys", () => {
    const { players } = open();
    expect(select(players, ["*"])).toStrictEqual(ALL_OF_ANN);
    expect(select(players, ["*", "*", "name", "id"])).toStrictEqual(ALL_OF_ANN);
  });

  it("P-4: an object's name or obj.* selects all of it, obj.sub only that", () => {
    const { players } = open();
    const home = (...columns: string[]): unknown =>
      (select(players, columns) as { home?: unknown }).home;
    expect(home("home")).toStrictEqual(ALL_OF_ANN.home);
    expect(home("home.*")).toStrictEqual(ALL_OF_ANN.home);
    expect(home("home.city")).toStrictEqual({ city: "X" });
    expect(home("home.geo")).toStrictEqual({ geo: { lat: 1 } });
    expect(home("home.geo.*")).toStrictEqual({ geo: { lat: 1 } });
    expect(home("home.geo.lat")).toStrictEqual({ geo: { lat: 1 } });
    expect(home("home.club")).toStrictEqual({ club: { id: "blue" } });
    expect(select(players, ["home.*"], "bob")).not.toHaveProperty("home");
  });

  it("P-8: id and the metadata may be named; they change nothing", () => {
    const { players } = open();
    const named = ["id", "service", "service.version", "service.createdAt", "service.*"];
    for (const columns of [named, ...named.map((name) => [name])]) {
      expect(select(players, columns)).toStrictEqual({ id: "ann", service: META });
      expect(select(players, [...columns, "name"])).toHaveProperty("name", "Ann");
    }
    expectRefused(
      () => players.query({ columns: ["service.nope"] }),
      "unknown_column P-9 /columns/0",
    );
  });

  it("P-9: an unknown path is refused, also when the table is empty", () => {
    const { branch, players } = open();
    const empty = branch.createTable("empty", defineColumns({ team: "-> teams" }));
    const unknown = [
      ...["nope", "", ".", "*.*", "**", "name.*", "name.x", "doc.a", "doc.*", "doc->a", "Name"],
      ...["home.nope", "home.", ".home", "home..city", "home.geo.lat.x", "home.geo.lat.*"],
      ...[
        ...["team.nope", "team.owner.nope", "team.label.*", "id.*", "id.x", "$name"],
        ...["name ", "*.name"],
      ],
      ...["__proto__", "constructor", "x".repeat(1e5), "a.".repeat(1e5)],
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

  it("P-10: keys come in the order of the schema, whatever the order of columns", () => {
    const { players } = open();
    const keys = (columns: unknown): string[] => Object.keys(select(players, columns) as object);
    expect(keys(undefined)).toEqual(["id", "name", "team", "home", "service"]);
    for (const columns of [
      ["home", "team", "name"],
      ["team.label", "service", "home.city", "id", "name"],
      ["*"],
    ]) {
      expect(keys(columns)).toEqual(["id", "name", "team", "home", "service"]);
    }
    const { home, team } = select(players, [
      "home.club",
      "home.city",
      "team.owner",
      "team.label",
    ]) as {
      home: object;
      team: object;
    };
    expect(Object.keys(home)).toEqual(["city", "club"]);
    expect(Object.keys(team)).toEqual(["id", "label", "owner", "service"]);
    players.addColumn({ name: "age", type: "int", defaultValue: 3 });
    players.renameColumn("name", "zzz");
    expect(keys(undefined)).toEqual(["id", "zzz", "team", "home", "age", "service"]);
  });

  it("P-9: a selection is checked on writes too, before anything is written", () => {
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
    expect(players.update("ann", { name: "Eve" }, { columns: ["name"] })).toStrictEqual({
      id: "ann",
      name: "Eve",
      service: { ...META, version: 1 },
    });
  });
});
