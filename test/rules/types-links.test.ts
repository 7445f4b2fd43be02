import { describe, expect, it } from "vitest";
import { defineColumns } from "../columns.js";
import {
  expectFilterRefused,
  expectMatches,
  expectRefused,
  idsOf,
  openBranch,
  type UntypedBranch,
  type UntypedTable,
} from "./fixture.js";

const TO_TEAMS = { name: "team", type: "link", link: { table: "teams" } };

/** Players a with a link, b with null, c with a dangling link. */
function openPlayers(): { branch: UntypedBranch; players: UntypedTable; teams: UntypedTable } {
  const branch = openBranch();
  const teams = branch.createTable(
    "teams",
    defineColumns({ name: "string", won: "int", tags: "multiple" }),
  );
  const players = branch.createTable("players", [TO_TEAMS]);
  teams.insert({ id: "red", name: "Red", won: 3, tags: ["x"] });
  players.insert([{ id: "a", team: "red" }, { id: "b" }, { id: "c", team: "gone" }]);
  return { branch, players, teams };
}

describe("link", () => {
  it("T-9: accepts an id, and an object with an id", () => {
    const { players } = openPlayers();
    for (const team of ["red", { id: "red" }, { id: "red", name: 7, $x: [] }]) {
      expect(players.insert({ team }).team).toEqual({ id: "red" });
    }
    expect(players.insert({ team: null })).not.toHaveProperty("team");
    for (const team of ["", 1, true, [], ["red"], {}, { id: 1 }, { id: null }, { name: "red" }]) {
      expectRefused(() => players.insert({ team }), "invalid_record T-9 /team");
    }
    const notAnId = ["\u0000", "a\u007f", "x".repeat(256), "\ud800"];
    for (const team of [...notAnId, ...notAnId.map((id) => ({ id }))]) {
      expectRefused(() => players.insert({ team }), "invalid_record T-9 /team");
    }
  });

  it("T-9: behind a null or dangling link everything but the id is null", () => {
    const { players } = openPlayers();
    for (const path of ["team.name", "team.won", "team.tags", "team.service.version"]) {
      expectMatches(players, { $exists: path }, "a");
      expectMatches(players, { $notExists: path }, "bc");
    }
    expectMatches(players, { $exists: "team.service" }, "a");
    expectMatches(players, { $exists: "team.id" }, "ac");
    expectMatches(players, { "team.service.version": { $ge: 0 } }, "a");
    expectMatches(players, { "team.tags": { $includesNone: "x" } }, "bc");
    const sorted = (sort: unknown): string[] => idsOf(players.query({ sort }).records);
    expect(sorted({ "team.won": "desc" })).toEqual(["b", "c", "a"]);
    expect(sorted({ "team.service.createdAt": "asc" })).toEqual(["a", "b", "c"]);
    expect(sorted({ "team.id": "asc" })).toEqual(["c", "a", "b"]);
    expect(sorted({ team: "desc" })).toEqual(["b", "a", "c"]);
  });

  it("T-17: declares the name of its target", () => {
    const branch = openBranch();
    const declare = (link: unknown) => () =>
      branch.createTable("t", [{ name: "l", type: "link", link }]);
    for (const link of [undefined, null, "teams"]) {
      expectRefused(declare(link), "invalid_schema T-17 /0/link");
    }
    for (const link of [{}, { table: "" }, { table: "a b" }]) {
      expectRefused(declare(link), "invalid_schema T-17 /0/link/table");
    }
    expectRefused(declare({ table: "t", x: 1 }), "invalid_schema E-3 /0/link/x");
    declare({ table: "nowhere" })();
    expect(branch.table("t").schema().columns).toEqual([
      { name: "l", type: "link", link: { table: "nowhere" } },
    ]);
  });

  it("T-17: without its target a link is an id, and paths through it are unknown", () => {
    const { branch, players } = openPlayers();
    branch.deleteTable("teams");
    expect(players.get("a")?.team).toEqual({ id: "red" });
    expect(players.query({ columns: ["team"] }).records[0]?.team).toEqual({ id: "red" });
    expectMatches(players, { team: "red" }, "a");
    expectMatches(players, { team: { $is: { id: "gone" } } }, "c");
    expectMatches(players, { $notExists: "team" }, "b");
    expect(idsOf(players.query({ sort: { team: "desc" } }).records)).toEqual(["b", "a", "c"]);
    expect(players.insert({ id: "d", team: "new" }).team).toEqual({ id: "new" });
    for (const path of ["team.name", "team.service.version", "team.service"]) {
      const filter = { $exists: path };
      expectFilterRefused(players, filter, "unknown_column P-9 /$exists");
      expectRefused(() => players.query({ columns: [path] }), "unknown_column P-9 /columns/0");
    }
    expectRefused(() => players.query({ columns: ["team.*"] }), "unknown_column P-9 /columns/0");
    expectRefused(() => players.query({ sort: ["team.won"] }), "unknown_column P-9 /sort/0");
    const nested = { team: { name: "x" } };
    expectFilterRefused(players, nested, "unknown_column P-9 /team/name");
    expectFilterRefused(players, { team: {} }, "invalid_filter F-16 /team");
  });
});
