import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createFetch } from "../../src/http.js";
import { createEngine } from "../../src/index.js";
import { openPostgres } from "../../src/postgres.js";
import { ask } from "../http/ask.js";
import "./copied-database.js";

const OPTIONS = { now: Date.UTC(2026, 0, 2), seed: 1, profile: "xata" } as const;
const MAIN = "/db/d:main";
const USERS = `${MAIN}/tables/users`;
const TEAMS = `${MAIN}/tables/teams`;

const link = (name: string, table: string, more: object = {}) => ({
  name,
  type: "link",
  link: { table },
  ...more,
});

/** Requests to a service with the profile `xata`, whose links are checked. */
const REQUESTS: [request: string, body?: unknown][] = [
  ["PUT /workspaces/w/dbs/d", {}],
  [`PUT ${TEAMS}`],
  [`PUT ${USERS}`],
  [`POST ${TEAMS}/columns`, { name: "name", type: "string" }],
  [`POST ${TEAMS}/columns`, link("lead", "users")],
  [`POST ${USERS}/columns`, link("team", "teams")],
  [`POST ${USERS}/columns`, link("boss", "users")],
  [`POST ${USERS}/columns`, { name: "work", type: "object", columns: [link("site", "sites")] }],
  [`PUT ${TEAMS}/data/red?createOnly=true`, { lead: "ada" }],
  [`PUT ${TEAMS}/data/red?createOnly=true`, { name: "Red" }],
  [`PUT ${USERS}/data/ada?createOnly=true`, { team: "red", boss: "ada", work: { site: "s1" } }],
  [
    `POST ${USERS}/bulk`,
    {
      records: [
        { id: "bob", boss: "cid" },
        { id: "cid", team: "red" },
      ],
    },
  ],
  [
    `POST ${USERS}/bulk`,
    {
      records: [
        { id: "x", team: "none" },
        { id: "y", boss: "bob" },
        { id: "z", team: "nobody" },
      ],
    },
  ],
  [`PATCH ${USERS}/data/bob`, { team: "none" }],
  [`PATCH ${USERS}/data/bob`, { team: "red" }],
  [`PATCH ${TEAMS}/data/red`, { lead: "bob" }],
  [
    `POST ${MAIN}/transaction`,
    {
      operations: [
        { insert: { table: "users", record: { id: "dan", team: "blue" }, createOnly: true } },
        { insert: { table: "teams", record: { id: "blue", lead: "dan" }, createOnly: true } },
        { delete: { table: "users", id: "cid" } },
      ],
    },
  ],
  [
    `POST ${MAIN}/transaction`,
    {
      operations: [
        { update: { table: "users", id: "ada", fields: { team: "blue" } } },
        { delete: { table: "teams", id: "blue" } },
      ],
    },
  ],
  // Each link to no record is listed, although some are found only by reading other rows.
  [
    `POST ${MAIN}/transaction`,
    {
      operations: [
        { update: { table: "users", id: "bob", fields: { team: "none" } } },
        { insert: { table: "teams", record: { id: "red", lead: "nobody" } } },
      ],
    },
  ],
  [`GET ${USERS}/data/ada`],
  [`GET ${USERS}/data/bob`],
  [`GET ${USERS}/data/dan`],
  [`DELETE ${TEAMS}/data/red`],
  [`POST ${USERS}/query`, { sort: { id: "asc" } }],
  [`POST ${USERS}/columns`, link("second", "teams", { notNull: true, defaultValue: "none" })],
  [`PUT ${TEAMS}/data/green?createOnly=true`, { lead: "bob" }],
  [`POST ${USERS}/columns`, link("second", "teams", { notNull: true, defaultValue: "green" })],
  [`DELETE ${TEAMS}/data/green`],
  [`GET ${USERS}/data/ada?columns=second.*,boss.*`],
  // Links to a table that is missing are not checked, and stay.
  [`PUT ${MAIN}/tables/places`],
  [`PUT ${MAIN}/tables/places/data/s2?createOnly=true`, {}],
  [`PATCH ${MAIN}/tables/places`, { name: "sites" }],
  [`PATCH ${USERS}/data/ada`, { work: { site: "s1" } }],
  [`PATCH ${USERS}/data/ada`, { work: { site: "s2" } }],
  [`DELETE ${MAIN}/tables/sites/data/s2`],
  [`GET ${USERS}/data/ada`],
  [`DELETE ${USERS}/columns/second`],
  [`DELETE ${TEAMS}/data/green`],
  [`PUT ${TEAMS}/data/new?createOnly=true`, { lead: "bob" }],
  [`PATCH ${USERS}/data/bob`, { team: "new" }],
  [`DELETE ${TEAMS}`],
  [`GET ${USERS}/data/bob`],
  [`PATCH ${USERS}/data/bob`, { team: "any" }],
  [`PUT ${TEAMS}`],
  [`PATCH ${USERS}/data/bob`, { boss: "ada" }],
  [`PATCH ${USERS}/data/bob`, { team: "any" }],
  ["PUT /db/d:copy", { from: "main" }],
  ["PUT /db/d:copy/tables/users/data/eve?createOnly=true", { boss: "ada" }],
  [`DELETE ${USERS}/data/ada`],
  [`POST ${USERS}/query`, { sort: { id: "asc" } }],
];

it("T-18: links are checked as in memory", async () => {
  const engine = createEngine(OPTIONS);
  engine.createWorkspace("w");
  const memory = createFetch(engine, { workspace: "w" });
  await using db = await openPostgres(
    { pglite: true },
    { ...OPTIONS, workspaces: ["w"], workspace: "w" },
  );
  for (const [request, body] of REQUESTS) {
    const expected = await ask({ fetch: memory }, request, body);
    const found = await ask(db, request, body);
    const what = `${request} ${JSON.stringify(body)}`;
    expect({ what, ...plain(found) }).toEqual({ what, ...plain(expected) });
  }
});

/** An answer without the ids of the request and of migrations. */
function plain(answer: unknown): object {
  const kept = (key: string, value: unknown): unknown =>
    key === "id" && /^(?:req|mig)_/.test(String(value)) ? undefined : value;
  return JSON.parse(JSON.stringify(answer, kept)) as object;
}

it("T-18: an import with a link to no record is refused", async () => {
  const engine = createEngine({ ...OPTIONS, profile: { base: "xata", links: "free" } });
  const main = engine.createWorkspace("w").createDatabase("d").branch("main");
  main.createTable("teams", []);
  main.createTable("users", [{ name: "team", type: "link", link: { table: "teams" } }]);
  main.table("users").insert({ id: "ada", team: "red" });
  await using db = await openPostgres({ pglite: true }, OPTIONS);
  await expect(db.fill(engine)).rejects.toMatchObject({ code: "invalid_record", rule: "T-18" });
  main.table("teams").insert({ id: "red" });
  await db.fill(engine);
  await db.transact({ workspace: "w", database: "d" }, (branch) =>
    branch.table("teams").delete("red"),
  );
  const { records } = await db.query({ workspace: "w", database: "d", table: "users" });
  expect(records).toMatchObject([{ id: "ada", xata: { version: 1 } }]);
  expect(records[0]).not.toHaveProperty("team");
});

it("T-18: a database keeps its kind of links; the refusal names both", {
  tags: ["slow"],
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), "twinbase-links-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const open = (links: "free" | "checked") =>
    openPostgres({ pglite: folder }, { profile: { base: "xata", links }, workspaces: ["w"] });
  const db = await open("checked");
  await db.change((engine) => engine.workspace("w").createDatabase("d"));
  await db.close();
  await expect(open("free")).rejects.toThrow(
    "openPostgres: expected a profile with base xata, metadataColumn xata, links checked, found base xata, metadataColumn xata, links free",
  );
  await (await open("checked")).close();
});
