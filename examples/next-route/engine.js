import { createEngine } from "twinbase";
import { createHandler } from "twinbase/http";

/** One handler for all modules: in development, frameworks reload them. */
globalThis.twinbase ??= createHandler(fill(), { basePath: "/twinbase" });
export const handle = globalThis.twinbase;

function fill() {
  const engine = createEngine({ profile: "xata", seed: 1 });
  const main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
  main
    .createTable("teams", [{ name: "name", type: "string" }])
    .insert({ id: "blue", name: "Blue" });
  return engine;
}
