import {
  type AnyBranch,
  type AnyEngine,
  createEngine,
  type EngineOptions,
} from "../../src/index.js";

/** An engine with a small shop in it: two tables, a link, an object and a list. */
export function createShop(options: EngineOptions = {}): AnyEngine {
  const engine = createEngine({ seed: 1, now: Date.UTC(2024, 0, 31), ...options });
  const main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
  main.createTable("teams", [{ name: "name", type: "string" }]);
  main.createTable("users", [
    { name: "email", type: "email", unique: true },
    { name: "team", type: "link", link: { table: "teams" } },
    { name: "address", type: "object", columns: [{ name: "zipcode", type: "int" }] },
    { name: "labels", type: "multiple" },
    { name: "joined", type: "datetime", defaultValue: "now" },
  ]);
  main.table("teams").insert({ id: "blue", name: "Blue" });
  main.table("users").insert([
    { email: "ada@example.com", team: "blue", address: { zipcode: 100 }, labels: ["new"] },
    { email: "bob@example.com", labels: ["new", "vip"] },
  ]);
  return engine;
}

/** The main branch of the shop. */
export function shopOf(engine: AnyEngine): AnyBranch {
  return engine.workspace("acme").database("shop").branch("main");
}
