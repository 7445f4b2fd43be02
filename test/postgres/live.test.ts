/** @module-tag slow */
import { it, onTestFinished } from "vitest";
import { liveCount, liveQuery } from "../../src/live.js";
import { openPostgres } from "../../src/postgres.js";
import { expectRefusal } from "../refusal.js";
import "./copied-database.js";

it("E-3: live queries over PostgreSQL are refused by name", async () => {
  const options = { seed: 1, workspace: "w", workspaces: ["w"] };
  const db = await openPostgres({ pglite: true }, options);
  onTestFinished(() => db.close());
  const refused = { code: "not_implemented", rule: "E-3", message: /PostgreSQL/ } as const;
  await db.change((engine) => {
    const main = engine.workspace("w").createDatabase("shop").branch("main");
    const users = main.createTable("users", [{ name: "n", type: "int" }]);
    expectRefusal(() => liveQuery(users, {}), refused);
  });
  await db.transact({ database: "shop" }, (main) => {
    expectRefusal(() => liveQuery(main.table("users"), {}), refused);
    expectRefusal(() => liveCount(main.table("users")), refused);
    main.table("users").insert({ id: "a", n: 1 });
  });
  const loose = liveQuery as (table: unknown) => unknown;
  expectRefusal(() => loose(db), { code: "invalid_request", rule: "E-3" });
}, 240_000);
