import type { Hono } from "hono";
import { createEngine } from "twinbase";
import { createFaults, createFetch } from "twinbase/http";
import { beforeEach, expect, test } from "vitest";
import { createApp } from "./app.js";
import { connect, tables } from "./xata.js";

const seeded = createEngine({ profile: "xata", seed: 1 });
const main = seeded.createWorkspace("acme").createDatabase("shop").branch("main");
for (const { name, columns } of tables) main.createTable(name, columns);
main.table("teams").insert({ id: "blue", name: "Blue" });

const faults = createFaults();
let app: Hono;
beforeEach(() => {
  app = createApp(connect(createFetch(seeded.fork(), { faults })));
});

const join = (email: string, team: string) =>
  app.request(`/teams/${team}/members`, { method: "POST", body: JSON.stringify({ email }) });

test("members are listed by their address", async () => {
  expect((await join("bob@example.com", "blue")).status).toBe(201);
  expect((await join("ada@example.com", "blue")).status).toBe(201);
  const members = await app.request("/teams/blue/members");
  expect(await members.json()).toEqual(["ada@example.com", "bob@example.com"]);
});

test("a team that is not there has no members to add", async () => {
  expect((await join("ada@example.com", "red")).status).toBe(404);
});

test("what another test has written is not there", async () => {
  expect(await (await app.request("/teams/blue/members")).json()).toEqual([]);
});

test("the application fails while the service does", async () => {
  faults.add({ on: { table: "users" }, answer: { status: 400 } });
  expect((await app.request("/teams/blue/members")).status).toBe(500);
});
