import { expect, it } from "vitest";
import { loadFixture } from "../../src/fixtures.js";
import { createHandler } from "../../src/http.js";
import { createEngine } from "../../src/index.js";
import { liveQuery } from "../../src/live.js";
import { searchTable } from "../../src/search.js";
import { createDouble } from "../../src/testing.js";
import { expectRefused } from "../rules/fixture.js";

const TABLES = [
  {
    name: "teams",
    primaryKey: [],
    columns: [
      { name: "name", type: "text", defaultValue: "'Red'::text", comment: "" },
      { name: "seen", type: "datetime", defaultValue: "now()" },
      { name: "id", type: "int", defaultValue: "nextval('teams_id_seq'::regclass)" },
      {
        name: "xata_id",
        type: "text",
        defaultValue: "('rec_'::text || (xata_private.xid())::text)",
      },
      { name: "xata_version", type: "int", notNull: true, defaultValue: "0" },
    ],
  },
  { name: "users", columns: [{ name: "team", type: "link", link: { table: "teams" } }] },
] as const;

it("R-1, N-3: xata-next has columns for id and metadata, and reads the client's tables", () => {
  const { tables, engine, branch } = createDouble({ profile: "xata-next", schema: TABLES, now: 0 });
  const { teams, users } = tables;
  const time = "1970-01-01T00:00:00Z";
  const red = teams.insert({ xata_id: "r", id: 7, xata_version: 9 });
  const metadata = { xata_version: 0, xata_createdat: time, xata_updatedat: time };
  expect(red).toStrictEqual({ xata_id: "r", name: "Red", seen: time, id: 7, ...metadata });
  users.insert({ xata_id: "u", team: { xata_id: "r" } });
  expect(users.get("u")).toStrictEqual({ xata_id: "u", team: { xata_id: "r" }, ...metadata });
  const team = { $is: { xata_id: "r" } };
  const filter = {
    team,
    "team.xata_id": "r",
    "team.xata_version": 0,
    xata_createdat: { $ge: time },
  };
  const { records } = users.query({ columns: ["team.id"], filter, sort: { xata_id: "desc" } });
  expect(records).toStrictEqual([
    { xata_id: "u", team: { xata_id: "r", id: 7, ...metadata }, ...metadata },
  ]);
  const [, got] = branch.transaction([
    { update: { table: "users", id: "u", fields: {} } },
    { get: { table: "users", id: "u", columns: ["xata_version"] } },
  ]);
  expect(got).toStrictEqual({ operation: "get", columns: { xata_version: 1 } });
  expect(searchTable(teams, { query: "red", highlight: { enabled: false } }).records).toStrictEqual(
    [{ ...red, xata_table: "teams", xata_score: expect.any(Number) }],
  );
  for (const name of ["xata_id", "xata_updatedat"]) {
    expect(() => branch.table("users").addColumn({ name, type: "int" })).toThrow("reserved");
  }
  expect(engine.profile.idColumn).toBe("xata_id");
  expect(teams.explain({ sort: { id: "desc" } }).order).toEqual(["id desc", "xata_id asc"]);
  expect(teams.explain({ sort: { xata_id: "desc" } }).order).toEqual(["xata_id desc"]);
  const path = "/xata_id";
  const taken = () => teams.insert({ xata_id: "r" });
  expectRefused(taken, "id_in_use", "R-3", path);
  const other = () => teams.update("r", { xata_id: "s" });
  expectRefused(other, "invalid_record", "R-8", path);
});

it("R-1: over HTTP, of loaded files and live queries, records have xata_id", async () => {
  const engine = createEngine({ profile: "xata-next", now: 0 });
  const main = engine.createWorkspace("w").createDatabase("d").branch("main");
  const text = "xata_id,xata_version,xata_createdat,n\nb,3,2024-01-01T00:00:00Z,1\na,0,,2\n";
  const { table } = loadFixture(main, "t", { name: "t.csv", text });
  const live = liveQuery(table, {});
  table.update("a", { n: 3 });
  expect(live.records.map(({ xata_id: id, xata_version }) => [id, xata_version])).toEqual([
    ["a", 1],
    ["b", 3],
  ]);
  const handle = createHandler(engine);
  const body = JSON.stringify({ filter: { xata_id: "b" } });
  const at = "http://w.localhost/db/d:main/tables/t";
  const answer = await handle(new Request(`${at}/query`, { method: "POST", body }));
  const created = "2024-01-01T00:00:00Z";
  const expected = { xata_id: "b", n: 1, xata_version: 3, xata_createdat: created };
  const { records } = (await answer.json()) as { records: object[] };
  expect(records).toMatchObject([expected]);
  expect(Object.keys(records[0]!)).toEqual([...Object.keys(expected), "xata_updatedat"]);
});
