import assert from "node:assert/strict";
import { test } from "node:test";
import { createEngine } from "twinbase";
import { sweep } from "./sessions.js";

const seeded = createEngine({ now: Date.UTC(2030, 0, 1), seed: 1 });
const main = seeded.createWorkspace("acme").createDatabase("app").branch("main");
main
  .createTable("sessions", [{ name: "usedAt", type: "datetime" }])
  .insert({ id: "s1", usedAt: "2030-01-01T00:00:00Z" });

test("a session lives for an hour", () => {
  const engine = seeded.fork();
  const sessions = engine.workspace("acme").database("app").branch("main").table("sessions");
  engine.clock.advance(3_600_000);
  assert.equal(sweep(sessions, engine.clock.now()), 0);
  engine.clock.advance(1);
  assert.equal(sweep(sessions, engine.clock.now()), 1);
  assert.equal(sessions.count(), 0);
});
