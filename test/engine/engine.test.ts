import { beforeEach, describe, expect, it } from "vitest";
import type { Branch } from "../../src/engine/branch.js";
import { createEngine, type Engine } from "../../src/engine.js";
import { expectRefusal } from "../refusal.js";
import { observe } from "../robustness/digest.js";

const NOW = Date.UTC(2022, 0, 31, 10, 20, 30);

describe("an engine", () => {
  let engine: Engine;
  let main: Branch;

  beforeEach(() => {
    engine = createEngine({ now: NOW, seed: 1 });
    main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
  });

  it("creates handles with names", () => {
    const table = main.createTable("teams", [{ name: "name", type: "string" }]);
    const { name, database } = main;
    expect({ name, database, table: table.name }).toEqual({
      name: "main",
      database: "shop",
      table: "teams",
    });
    expect(engine.workspace("acme").database("shop").workspace).toBe("acme");
    expect(main.tables()).toEqual([{ name: "teams" }]);
    expect(main.table("teams").name).toBe("teams");
  });

  it("M-4: a handle resolves its name on each call", () => {
    const { database } = main;
    const shop = engine.workspace("acme").database(database);
    engine.workspace("acme").deleteDatabase("shop");
    expectRefusal(() => shop.metadata(), { code: "database_not_found" });
    expectRefusal(() => main.tables(), { code: "database_not_found" });
    expectRefusal(() => main.createTable("t"), { code: "database_not_found" });
    engine.workspace("acme").createDatabase("shop", { ui: { color: "RED" } });
    expect(shop.metadata().ui).toEqual({ color: "RED" });
    expect(main.createTable("t").name).toBe("t");
    engine.deleteWorkspace("acme");
    expectRefusal(() => shop.createBranch("x"), { code: "workspace_not_found", status: 404 });
  });

  it("R-6: returned values belong to the caller", () => {
    const acme = engine.workspace("acme");
    acme.updateSettings({ a: { b: 1 } });
    main.setMetadata({ labels: ["a"] });
    acme.database("shop").update({ ui: { color: "RED" } });
    acme.database("shop").gitBranches.add({ gitBranch: "g", serviceBranch: "main" });
    main.createTable("t");
    const before = JSON.stringify(observe(engine));
    const change = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return;
      Object.values(value).forEach(change);
      Object.assign(value, { more: 1, id: "x", name: "x", 0: "x" });
    };
    change(observe(engine));
    change(acme.updateSettings({}));
    change(acme.database("shop").update({ ui: { color: "RED" } }));
    change(engine.user("usr_0"));
    expect(JSON.stringify(observe(engine))).toBe(before);
  });
});

describe("restore", () => {
  it("refuses a snapshot of another profile, and other values", () => {
    const saved = createEngine().snapshot();
    const other = createEngine({ profile: "xata" });
    expectRefusal(() => other.restore(saved), { code: "invalid_request" });
    expectRefusal(() => createEngine({ profile: { metadataColumn: "meta" } }).restore(saved), {
      code: "invalid_request",
    });
    createEngine({ profile: { maxPageSize: 7 } }).restore(saved);
    for (const nothing of [undefined, null, {}, JSON.parse(JSON.stringify(saved))]) {
      expectRefusal(() => other.restore(nothing), { code: "invalid_request" });
    }
  });
});
