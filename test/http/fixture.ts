import { type AnyEngine, createEngine, type ProfileOption } from "../../src/index.js";
import { defineColumns } from "../columns.js";

/** The time of all records of the fixture. */
export const NOW: string = "2024-01-31T12:00:00Z";

/** A workspace with a database of two tables; answers are the same in every run. */
export function createFixture(profile?: ProfileOption): AnyEngine {
  const engine = createEngine({
    now: Date.parse(NOW),
    seed: 7,
    ...(profile !== undefined && { profile }),
  });
  const shop = engine.createWorkspace("acme").createDatabase("shop");
  const main = shop.branch("main");
  main.createTable("teams", [{ name: "name", type: "string" }]);
  main.createTable("users", [
    { name: "email", type: "email", unique: true },
    ...defineColumns({
      age: "int",
      team: "-> teams",
      address: { street: "string", zip: "int" },
      labels: "multiple",
    }),
  ]);
  main.table("teams").insert([
    { id: "t1", name: "Ants" },
    { id: "t2", name: "Bees" },
  ]);
  main.table("users").insert([
    { id: "u1", email: "ann@example.com", age: 30, team: "t1", labels: ["red"] },
    { id: "u2", email: "bob@example.com", age: 40, team: "t2", address: { zip: 100 } },
    { id: "u3", email: "cyd@example.com", age: 30 },
  ]);
  engine.createWorkspace("other").createDatabase("secret");
  return engine;
}
