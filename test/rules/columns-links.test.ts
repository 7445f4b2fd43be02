import { describe, expect, it } from "vitest";
import type { ProfileName } from "../../src/index.js";
import { type LooseBranch, type LooseTable, openBranch } from "./fixture.js";

const META = { version: 0, createdAt: expect.any(String), updatedAt: expect.any(String) };

/** A player, with a team that an owner has; the owner plays too. */
function open(profile: ProfileName = "documented"): { branch: LooseBranch; players: LooseTable } {
  const branch = openBranch({ profile });
  const players = branch.createTable("players", [
    { name: "name", type: "string" },
    { name: "team", type: "link", link: { table: "teams" } },
    {
      name: "home",
      type: "object",
      columns: [
        { name: "city", type: "string" },
        { name: "geo", type: "object", columns: [{ name: "lat", type: "float" }] },
        { name: "club", type: "link", link: { table: "teams" } },
      ],
    },
    { name: "doc", type: "json" },
  ]);
  branch
    .createTable("teams", [
      { name: "label", type: "string" },
      { name: "owner", type: "link", link: { table: "players" } },
      { name: "place", type: "object", columns: [{ name: "street", type: "string" }] },
    ])
    .insert([
      { id: "red", label: "Red", owner: "ann", place: { street: "s" } },
      { id: "blue", label: "Blue", owner: "gone" },
    ]);
  players.insert([
    { id: "ann", name: "Ann", team: "red", home: { city: "X", geo: { lat: 1 }, club: "blue" } },
    { id: "bob", name: "Bob", team: "lost", doc: { a: 1 } },
    { id: "cat" },
  ]);
  return { branch, players };
}

/** What a query with those columns gives of a record. */
function select(players: LooseTable, columns: unknown, id = "ann"): unknown {
  const [record] = players.query({ columns, filter: { id } }).records;
  expect(players.get(id, { columns })).toEqual(record);
  expect([...players.scan({ columns, filter: { id } })]).toEqual([record]);
  return record;
}

const ALL_OF_ANN = {
  id: "ann",
  name: "Ann",
  team: { id: "red" },
  home: { city: "X", geo: { lat: 1 }, club: { id: "blue" } },
  service: META,
};

describe("columns of links", () => {
  it("P-5: link.sub gives the linked record with id, metadata and sub", () => {
    const { players } = open();
    const team = (...columns: string[]): unknown =>
      (select(players, columns) as { team?: unknown }).team;
    expect(team("team.label")).toStrictEqual({ id: "red", label: "Red", service: META });
    expect(team("team.place")).toStrictEqual({ id: "red", place: { street: "s" }, service: META });
    expect(team("team.place.street")).toStrictEqual(team("team.place"));
    const all = {
      id: "red",
      label: "Red",
      owner: { id: "ann" },
      place: { street: "s" },
      service: META,
    };
    expect(team("team.*")).toStrictEqual(all);
    expect(team("team.label", "team.owner", "team.place")).toStrictEqual(all);
    expect(select(players, ["*", "team.label"])).toStrictEqual({
      ...ALL_OF_ANN,
      team: { id: "red", label: "Red", service: META },
    });
  });

  it("P-5: paths go on through further links and objects", () => {
    const { players } = open();
    expect(select(players, ["team.owner.name", "home.club.label", "team.owner.home.city"])).toEqual(
      {
        id: "ann",
        team: {
          id: "red",
          owner: { id: "ann", name: "Ann", home: { city: "X" }, service: META },
          service: META,
        },
        home: { club: { id: "blue", label: "Blue", service: META } },
        service: META,
      },
    );
    expect(select(players, ["team.owner.*"])).toStrictEqual({
      id: "ann",
      team: { id: "red", owner: ALL_OF_ANN, service: META },
      service: META,
    });
    const deep = select(players, [`${"team.owner.".repeat(8)}name`]);
    expect(JSON.stringify(deep).match(/"name":"Ann"/g)).toHaveLength(1);
  });

  it("P-6: a bare link gives its id; beside link.sub the fuller one wins", () => {
    const { players } = open();
    expect(select(players, ["team"])).toStrictEqual({
      id: "ann",
      team: { id: "red" },
      service: META,
    });
    const full = { id: "red", label: "Red", service: META };
    for (const columns of [
      ["team", "team.label"],
      ["team.label", "team"],
      ["*", "team.label", "team"],
    ]) {
      expect(select(players, columns)).toHaveProperty("team", full);
    }
    expect(select(players, ["team.owner"])).toHaveProperty("team", {
      id: "red",
      owner: { id: "ann" },
      service: META,
    });
  });

  it("P-6: under xata a bare link reached through a link gives all of that record", () => {
    const { players } = open("xata");
    const { service, ...ann } = ALL_OF_ANN;
    expect(service).toBe(META);
    expect(select(players, ["team.owner"])).toStrictEqual({
      id: "ann",
      team: { id: "red", owner: { ...ann, xata: META }, xata: META },
      xata: META,
    });
    expect(select(players, ["team", "home.club"])).toStrictEqual({
      id: "ann",
      team: { id: "red" },
      home: { club: { id: "blue" } },
      xata: META,
    });
    expect(select(players, ["team.*"])).toHaveProperty("team.owner", { id: "ann" });
  });

  it("T-17, P-6: under xata such a link gives its id while its table does not exist", () => {
    const { branch, players } = open("xata");
    branch.table("teams").addColumn({ name: "cup", type: "link", link: { table: "cups" } });
    branch.table("teams").update("red", { cup: "c" });
    const service = { ...META, version: 1 };
    expect(select(players, ["team.cup"])).toStrictEqual({
      id: "ann",
      team: { id: "red", cup: { id: "c" }, xata: service },
      xata: META,
    });
  });

  it("P-7: a null link is left out, a dangling one gives its id", () => {
    const { players } = open();
    for (const column of ["team", "team.label", "team.*", "team.owner.name"]) {
      expect(select(players, [column], "cat")).toStrictEqual({ id: "cat", service: META });
      expect(select(players, [column], "bob")).toStrictEqual({
        id: "bob",
        team: { id: "lost" },
        service: META,
      });
    }
    expect(select(players, ["home.club.owner.name"])).toHaveProperty("home.club.owner", {
      id: "gone",
    });
  });
});
