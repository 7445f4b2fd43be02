import { expect } from "vitest";
import type { ProfileOption } from "../../src/index.js";
import { defineColumns } from "../columns.js";
import { openBranch, type UntypedBranch, type UntypedTable } from "./fixture.js";

export const META: { readonly [key: string]: unknown } = {
  version: 0,
  createdAt: expect.any(String),
  updatedAt: expect.any(String),
};

/** Players and teams that link to each other, with null and dangling links. */
export function openPlayers(profile: ProfileOption = "documented"): {
  branch: UntypedBranch;
  players: UntypedTable;
} {
  const branch = openBranch({ profile });
  const players = branch.createTable(
    "players",
    defineColumns({
      name: "string",
      team: "-> teams",
      home: { city: "string", geo: { lat: "float" }, club: "-> teams" },
      doc: "json",
    }),
  );
  branch
    .createTable(
      "teams",
      defineColumns({ label: "string", owner: "-> players", place: { street: "string" } }),
    )
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

export function select(players: UntypedTable, columns: unknown, id = "ann"): unknown {
  const [record] = players.query({ columns, filter: { id } }).records;
  expect(players.get(id, { columns })).toEqual(record);
  expect([...players.scan({ columns, filter: { id } })]).toEqual([record]);
  return record;
}

export const ALL_OF_ANN: { readonly [key: string]: unknown } = {
  id: "ann",
  name: "Ann",
  team: { id: "red" },
  home: { city: "X", geo: { lat: 1 }, club: { id: "blue" } },
  service: META,
};
