import { describe, expect, it } from "vitest";
import type { ColumnSelection } from "../../../src/types.js";
import { database, metadata, projected, stored, XATA } from "./fixture.js";

const user = stored("u", {
  name: "Ann",
  age: null,
  seen: "2022-01-01T01:00:00+01:00",
  tags: [],
  team: "t",
  lost: "x",
  home: { zip: 1, city: null, geo: { lat: null }, club: "gone" },
  doc: { b: 1, a: null },
});
const db = database(
  [user, stored("v", { team: "t" })],
  [stored("t", { name: "T", owner: "u", site: { city: "Ulm" } }, 2)],
);
const service = metadata();
const head = { id: "u" };
const ALL = {
  ...head,
  name: "Ann",
  seen: "2022-01-01T00:00:00Z",
  tags: [],
  team: { id: "t" },
  lost: { id: "x" },
  home: { zip: 1, club: { id: "gone" } },
  doc: { b: 1, a: null },
};
const team = { id: "t", service: metadata(2) };

type Case = [rule: string, columns: readonly ColumnSelection[] | undefined, expected: object];
const CASES: Case[] = [
  ["P-1: every column, of a link the id", undefined, { ...ALL, service }],
  ["P-2: an empty selection", [], { ...head, service }],
  ["P-2: what is selected, nothing else", ["name"], { ...head, name: "Ann", service }],
  ["P-3: * selects every column", ["*"], { ...ALL, service }],
  ["P-4: an object by name", ["home"], { ...head, home: ALL.home, service }],
  ["P-4: an object's star", ["home.*"], { ...head, home: ALL.home, service }],
  ["P-4: a sub-column", ["home.zip"], { ...head, home: { zip: 1 }, service }],
  [
    "P-4: selections add up",
    ["home.zip", "home", "home.zip"],
    { ...head, home: ALL.home, service },
  ],
  [
    "P-5: a column of a link",
    ["team.name"],
    {
      ...head,
      team: { id: "t", name: "T", service: metadata(2) },
      service,
    },
  ],
  [
    "P-5: all columns of a link",
    ["team.*"],
    {
      ...head,
      team: { id: "t", name: "T", owner: { id: "u" }, site: { city: "Ulm" }, service: metadata(2) },
      service,
    },
  ],
  [
    "P-5: through further links",
    ["team.owner.name"],
    {
      ...head,
      team: { id: "t", owner: { id: "u", name: "Ann", service }, service: metadata(2) },
      service,
    },
  ],
  ["P-6: a link's bare name", ["team"], { ...head, team: { id: "t" }, service }],
  ["P-6: the fuller one wins", ["team.id", "team"], { ...head, team, service }],
  [
    "P-6: a link through a link",
    ["team.owner"],
    {
      ...head,
      team: { id: "t", owner: { id: "u" }, service: metadata(2) },
      service,
    },
  ],
  [
    "P-7: a dangling link",
    ["home.club.name"],
    { ...head, home: { club: { id: "gone" } }, service },
  ],
  [
    "P-8: id and metadata change nothing",
    ["id", "service", "service.version"],
    {
      ...head,
      service,
    },
  ],
  ["P-8: a link's id alone", ["team.id"], { ...head, team, service }],
  ["P-8: a link's metadata alone", ["team.service"], { ...head, team, service }],
  [
    "P-8: of a dangling link",
    ["home.club.id"],
    {
      ...head,
      home: { club: { id: "gone" } },
      service,
    },
  ],
  [
    "P-10: the order of the schema",
    ["doc", "home.club", "home.zip", "name"],
    {
      ...head,
      name: "Ann",
      home: { zip: 1, club: { id: "gone" } },
      doc: { b: 1, a: null },
      service,
    },
  ],
  [
    "P-11: reverse links",
    [{ name: "<-teams.owner", as: "owned", columns: ["name"] }],
    {
      ...head,
      owned: { records: [{ id: "t", name: "T", service: metadata(2) }] },
      service,
    },
  ],
  [
    "P-11: under their own name",
    ["name", { name: "<-teams.owner", offset: 1 }],
    {
      ...head,
      name: "Ann",
      "<-teams.owner": { records: [] },
      service,
    },
  ],
  ["R-4: null is left out", ["age", "home.city"], { ...head, service }],
];

describe("the oracle's projection", () => {
  it.each(CASES)("%s: %j", (_, columns, expected) => {
    expect(JSON.stringify(projected(db, columns))).toBe(JSON.stringify(expected));
  });

  it("P-7: a null link is left out", () => {
    const bare = database([stored("u")]);
    expect(projected(bare, ["team.name", "team"])).toEqual({ id: "u", service });
  });

  it("P-11: sort, limit and offset apply to the records that link here", () => {
    const many = database(
      [stored("u")],
      ["a", "b", "c", "d"].map((id) => stored(id, { owner: id === "b" ? "x" : "u" })),
    );
    const columns = [
      { name: "<-teams.owner", columns: [], sort: { id: "desc" as const }, limit: 1, offset: 1 },
    ];
    expect(projected(many, columns)).toMatchObject({ "<-teams.owner": { records: [{ id: "c" }] } });
  });

  it("P-6: under xata a bare link reached through a link gives its columns", () => {
    const xata = database([user], [stored("t", { owner: "u", name: "T" })], XATA);
    expect(projected(xata, ["team.owner"])).toEqual({
      id: "u",
      team: {
        id: "t",
        owner: { ...ALL, doc: '{"b":1,"a":null}', xata: metadata() },
        xata: metadata(),
      },
      xata: metadata(),
    });
    expect(projected(xata, ["team.*"])).toMatchObject({ team: { owner: { id: "u" } } });
    expect(projected(xata, ["team"])).toMatchObject({ team: { id: "t" } });
  });

  it("T-11: under xata json is returned as text", () => {
    const xata = database([stored("u", { doc: "x" })], [], XATA);
    expect(projected(xata, ["doc"])).toEqual({ id: "u", doc: '"x"', xata: metadata() });
  });
});
