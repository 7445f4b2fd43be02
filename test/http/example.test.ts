import { buildClient, type SchemaInference, type XataRecord } from "@xata.io/client";
import { createEngine } from "twinbase";
import { createFetch } from "twinbase/http";
import { beforeEach, expect, test } from "vitest";

const tables = [
  { name: "teams", columns: [{ name: "name", type: "string" }] },
  {
    name: "users",
    columns: [
      { name: "email", type: "email", unique: true },
      { name: "team", type: "link", link: { table: "teams" } },
    ],
  },
] as const;
type Tables = SchemaInference<typeof tables>;
type Schema = { [table in keyof Tables]: Tables[table] & XataRecord };

const engine = createEngine({ profile: "xata", seed: 1 });
const main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
for (const { name, columns } of tables) main.createTable(name, columns);
const empty = engine.snapshot();

const XataClient = buildClient();
const xata = new XataClient<Schema>(
  {
    apiKey: "any",
    branch: "main",
    databaseURL: "https://acme.us-east-1.xata.sh/db/shop",
    fetch: createFetch(engine),
  },
  tables,
);

/** A part of the application, which knows nothing of Twinbase. */
async function joinTeam(email: string, name: string) {
  const { teams, users } = xata.db;
  const team = (await teams.filter({ name }).getFirst()) ?? (await teams.create({ name }));
  return users.create({ email, team: team.id }, ["email", "team.name"]);
}

beforeEach(() => engine.restore(empty));

test("the first member makes the team", async () => {
  expect(await joinTeam("ada@example.com", "Blue")).toMatchObject({ team: { name: "Blue" } });
  await joinTeam("bob@example.com", "Blue");
  expect(main.table("teams").count()).toBe(1);
});

test("an address joins once", async () => {
  await joinTeam("ada@example.com", "Blue");
  await expect(joinTeam("ada@example.com", "Red")).rejects.toThrow("email");
});
