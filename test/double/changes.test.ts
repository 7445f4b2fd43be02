import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Change, diff, subscribe } from "../../src/changes.js";
import { exportEngine, importInto } from "../../src/export.js";
import { copyRecords, updateSchema } from "../../src/history.js";
import { type AnyEngine, type AnyRecord, createEngine, type Snapshot } from "../../src/index.js";
import { runs, seed } from "../generated.js";
import { engineArbitrary, keepingSteps, openWorld, runSteps } from "../programs.js";
import { expectRefusal } from "../refusal.js";
import { createShop, shopOf } from "./shop.js";

const PLACE = { workspace: "acme", database: "shop", branch: "main" } as const;

describe("subscribe", () => {
  it("reports inserted, updated and deleted records, once per call", () => {
    const { engine, notified } = listen();
    const users = shopOf(engine).table("users");
    const place = { ...PLACE, table: "users" };
    const [ada] = users.insert([{ labels: ["x"] }, { labels: [] }]);
    const id = ada?.id ?? "";
    const before = users.get(id);
    const after = users.update(id, { address: { zipcode: 7 } });
    users.delete(id);
    expect(notified).toHaveLength(3);
    expect(notified[0]).toMatchObject([
      { kind: "record_inserted", ...place, record: { id, labels: ["x"] } },
      { kind: "record_inserted", ...place, record: { labels: [] } },
    ]);
    expect(notified[1]).toEqual([{ kind: "record_updated", ...place, before, after }]);
    expect(notified[2]).toEqual([{ kind: "record_deleted", ...place, record: after }]);
  });

  it("reports a transaction once, and not if it writes nothing", () => {
    const { engine, notified } = listen();
    const [user] = shopOf(engine).table("users").query().records;
    const change = { table: "users", id: user?.id ?? "" };
    shopOf(engine).transaction([
      { insert: { table: "teams", record: { id: "red" } } },
      { update: { ...change, fields: { team: "red" } } },
      { get: change },
    ]);
    expect(notified.map((changes) => changes.map(({ kind }) => kind))).toEqual([
      ["record_inserted", "record_updated"],
    ]);
    shopOf(engine).transaction([{ get: change }]);
    shopOf(engine).table("users").delete("nobody");
    expect(() => shopOf(engine).table("users").insert({ email: "x" })).toThrow();
    expect(notified).toHaveLength(1);
  });

  it("reports a migration once, and a refused one not at all", () => {
    const { engine, notified } = listen();
    const main = shopOf(engine);
    const add = (table: string) => ({ addTable: { table } });
    const history = engine.snapshot();
    expect(() => updateSchema(main, { operations: [add("one"), add("one")] })).toThrow();
    expect(notified).toEqual([]);
    expect(diff(history, engine.snapshot())).toEqual([]);
    updateSchema(main, { operations: [add("one"), add("two")] });
    expect(notified).toMatchObject([
      [
        { kind: "table_created", table: "one" },
        { kind: "table_created", table: "two" },
      ],
    ]);
  });

  it("reports copied records once", () => {
    const { engine, notified } = listen();
    const main = shopOf(engine);
    main.table("teams").insert([{ id: "a" }, { id: "b" }]);
    const twig = engine.workspace("acme").database("shop").createBranch("twig", { from: "main" });
    main.table("teams").insert([{ id: "c" }]);
    notified.length = 0;
    copyRecords(main, twig);
    expect(notified).toHaveLength(1);
    expect(notified[0]).toContainEqual({
      kind: "record_inserted",
      ...PLACE,
      branch: "twig",
      table: "teams",
      record: twig.table("teams").get("c"),
    });
  });

  it("reports each record of a transaction once", () => {
    const { engine, notified } = listen();
    const main = shopOf(engine);
    const teams = main.table("teams");
    const [table, fields] = ["teams", { name: "B" }];
    teams.insert([{ id: "a", name: "A" }, { id: "gone" }]);
    const before = teams.get("a");
    main.transaction([
      { insert: { table, record: { id: "new" } } },
      { update: { table, id: "a", fields: { name: "A2" } } },
      { update: { table, id: "a", fields } },
      { delete: { table, id: "blue" } },
      { insert: { table, record: { id: "blue", name: "Blue again" } } },
      { insert: { table, record: { id: "passing" } } },
      { delete: { table, id: "passing" } },
      { delete: { table, id: "gone" } },
    ]);
    const [deleted, ...changed] = notified.at(-1) ?? [];
    expect(deleted).toMatchObject({ kind: "record_deleted", record: { id: "gone" } });
    expect(changed).toMatchObject([
      { kind: "record_inserted", record: { id: "new" } },
      { kind: "record_updated", before, after: { id: "a", ...fields, service: { version: 2 } } },
      { kind: "record_updated", before: { name: "Blue" }, after: { name: "Blue again" } },
    ]);
    const again = { insert: { table, record: { id: "new" } } };
    main.transaction([{ delete: { table, id: "new" } }, again]);
    expect(notified).toHaveLength(2);
  });

  it("reports the same changes for tables written in place, copied and compacted", () => {
    const ofRuns = [false, true].map((shares) => {
      const { engine, notified } = listen();
      const teams = shopOf(engine).table("teams");
      const ids = Array.from({ length: 2100 }, (_, n) => `t${n}`);
      teams.load(ids.map((id) => ({ id })));
      for (const id of ids) {
        if (shares) engine.snapshot();
        teams.update(id, { name: id });
        teams.delete(id);
      }
      return notified;
    });
    expect(ofRuns[0]).toEqual(ofRuns[1]);
    expect(ofRuns[0]?.at(-1)).toMatchObject([
      { kind: "record_deleted", record: { id: "t2099", name: "t2099" } },
    ]);
  });

  it("reports created, renamed, altered and deleted tables", () => {
    const { engine, notified } = listen();
    const main = shopOf(engine);
    const columns = [{ name: "n", type: "int" }] as const;
    main.createTable("t", columns);
    main.renameTable("teams", "groups");
    main.table("t").addColumn({ name: "m", type: "int", defaultValue: 1 });
    main.deleteTable("t");
    const [, renamed] = notified;
    expect(notified[0]).toEqual([{ kind: "table_created", ...PLACE, table: "t", columns }]);
    expect(renamed?.[0]).toEqual({
      kind: "table_renamed",
      ...PLACE,
      table: "groups",
      from: "teams",
    });
    // T-17: links follow.
    expect(renamed?.[1]).toMatchObject({ kind: "table_altered", table: "users" });
    expect(notified[2]).toMatchObject([{ kind: "table_altered", before: columns }]);
    expect(notified[3]).toEqual([{ kind: "table_deleted", ...PLACE, table: "t" }]);
  });

  it("reports changes of branches, databases, workspaces and users", () => {
    const { engine, notified } = listen();
    const shop = engine.workspace("acme").database("shop");
    shop.createBranch("feature", { from: "main" });
    shop.renameBranch("feature", "other");
    shop.branch("other").setMetadata({ stage: "test" });
    shop.deleteBranch("other");
    shop.update({ ui: { color: "red" } });
    shop.gitBranches.add({ gitBranch: "x", serviceBranch: "main" });
    engine.workspace("acme").renameDatabase("shop", "store");
    engine.workspace("acme").deleteDatabase("store");
    engine.createWorkspace("w");
    engine.renameWorkspace("w", "W");
    const { id } = engine.createUser({ email: "a@b.c", fullname: "A", workspaces: ["w"] });
    engine.addKey(id, "k");
    engine.deleteUser(id);
    engine.deleteWorkspace("w");
    const place = { workspace: "acme", database: "shop" };
    const user = { id, email: "a@b.c", fullname: "A", image: "" };
    expect(notified).toEqual([
      [{ kind: "branch_created", ...place, branch: "feature", from: "main" }],
      [{ kind: "branch_renamed", ...place, branch: "other", from: "feature" }],
      [{ kind: "branch_changed", ...place, branch: "other" }],
      [{ kind: "branch_deleted", ...place, branch: "other" }],
      [{ kind: "database_changed", ...place }],
      [{ kind: "database_changed", ...place }],
      [{ kind: "database_renamed", workspace: "acme", database: "store", from: "shop" }],
      [{ kind: "database_deleted", workspace: "acme", database: "store" }],
      [{ kind: "workspace_created", workspace: "w" }],
      [{ kind: "workspace_changed", workspace: "w" }],
      [
        { kind: "user_created", user },
        { kind: "workspace_changed", workspace: "w" },
      ],
      [{ kind: "user_changed", user }],
      [
        { kind: "user_deleted", user },
        { kind: "workspace_changed", workspace: "w" },
      ],
      [{ kind: "workspace_deleted", workspace: "w" }],
    ]);
  });

  it("reports changes by restore, reset and import", () => {
    const { engine, notified } = listen();
    engine.setBaseline();
    const text = [...exportEngine(engine)];
    const insert = () => shopOf(engine).table("teams").insert({ id: "red" });
    const saved = engine.snapshot();
    for (const back of [
      () => engine.restore(saved),
      () => engine.reset(),
      () => importInto(engine, text),
    ]) {
      insert();
      back();
      expect(notified.at(-1)).toMatchObject([{ kind: "record_deleted", record: { id: "red" } }]);
    }
  });

  it("ends with unsubscribe or its block, and does not include forks", () => {
    const { engine, notified } = listen();
    {
      using _ = subscribe(engine, (changes) => notified.push(changes));
      shopOf(engine.fork()).table("teams").insert({});
      shopOf(engine).table("teams").insert({});
      expect(notified).toHaveLength(2);
    }
    shopOf(engine).table("teams").insert({});
    expect(notified).toHaveLength(3);
  });

  it("lets a listener read but not write", () => {
    const engine = createShop();
    const teams = shopOf(engine).table("teams");
    const seen: unknown[] = [];
    const { unsubscribe } = subscribe(engine, () => {
      seen.push(teams.count());
      expectRefusal(() => teams.insert({}), { code: "invalid_request", message: /listener/ });
      expectRefusal(() => engine.reset(), { code: "invalid_request" });
    });
    expect(teams.insert({ name: "Red" }).name).toBe("Red");
    teams.insert([{}, {}]);
    expect(seen).toEqual([2, 4]);
    unsubscribe();
    teams.insert({});
    expect(teams.count()).toBe(5);
  });
});

describe(`diff (seed ${seed})`, () => {
  it("lists the changes that lead from one snapshot to another", () => {
    const engine = createShop();
    const before = engine.snapshot();
    const { id } = shopOf(engine).table("teams").insert({ name: "Red" });
    engine.workspace("acme").renameDatabase("shop", "store");
    const after = engine.snapshot();
    const place = { workspace: "acme", database: "store", branch: "main", table: "teams" };
    expect(diff(before, after)).toMatchObject([
      { kind: "database_renamed", from: "shop", database: "store" },
      { kind: "record_inserted", ...place, record: { id } },
    ]);
    expect(diff(after, before)).toMatchObject([
      { kind: "database_renamed", from: "store", database: "shop" },
      { kind: "record_deleted", record: { id } },
    ]);
    expect(diff(after, after)).toEqual([]);
  });

  it("finds different writes of forks with equal versions and times", () => {
    const engine = createShop();
    const [a, b] = [engine.fork(), engine.fork()];
    shopOf(a).table("teams").update("blue", { name: "A" });
    shopOf(b).table("teams").update("blue", { name: "B" });
    expect(diff(a.snapshot(), b.snapshot())).toMatchObject([
      { kind: "record_updated", before: { name: "A" }, after: { name: "B" } },
    ]);
  });

  it("lists the few changes of a large table", () => {
    const engine = createShop();
    const main = shopOf(engine);
    const big = main.createTable("big", [{ name: "n", type: "int" }]);
    big.load(
      Array.from({ length: 100_000 }, (_, n) => ({ id: `r${String(n).padStart(6, "0")}`, n })),
    );
    const before = engine.snapshot();
    for (const n of [7, 50_000, 99_999]) {
      big.update(`r${String(n).padStart(6, "0")}`, { n: -1 });
    }
    big.delete("r000008");
    expect(diff(before, engine.snapshot()).map(({ kind }) => kind)).toEqual([
      "record_deleted",
      "record_updated",
      "record_updated",
      "record_updated",
    ]);
  });

  it("rejects other values than snapshots, and snapshots of different profiles", () => {
    const saved = createEngine().snapshot();
    expectRefusal(() => diff(saved, {} as never), { code: "invalid_request" });
    expectRefusal(() => diff(saved, createEngine({ profile: "xata" }).snapshot()), {
      code: "invalid_request",
      message: /^diff: /,
    });
  });

  it("reproduces the records, as the feed does", () => {
    const property = fc.property(engineArbitrary(), keepingSteps(), ({ engine }, steps) => {
      const before = engine.snapshot();
      const fed = recordsOf(engine);
      using _ = subscribe(engine, (changes) => follow(fed, changes, engine));
      runSteps(openWorld(engine, { fixed: "main" }), steps);
      expect(fed).toEqual(recordsOf(engine));
      const replayed = recordsOf(engine.fork(), before);
      follow(replayed, diff(before, engine.snapshot()), engine);
      expect(replayed).toEqual(recordsOf(engine));
    });
    fc.assert(property, { seed, numRuns: Math.ceil(100 * runs) });
  });
});

function listen(): { engine: AnyEngine; notified: (readonly Change[])[] } {
  const engine = createShop();
  const notified: (readonly Change[])[] = [];
  subscribe(engine, (changes) => notified.push(changes));
  return { engine, notified };
}

/** Records by id, by the path of their table. */
type Records = Map<string, Map<string, AnyRecord>>;

function recordsOf(engine: AnyEngine, snapshot?: Snapshot): Records {
  if (snapshot !== undefined) engine.restore(snapshot);
  const records: Records = new Map();
  const database = engine.workspace("w").database("d");
  for (const { name: branch } of database.branches()) {
    for (const { name } of database.branch(branch).tables()) {
      const table = database.branch(branch).table(name);
      records.set(`${branch}/${name}`, byId(table.scan()));
    }
  }
  return records;
}

function byId(records: Iterable<AnyRecord>): Map<string, AnyRecord> {
  return new Map(Array.from(records, (record) => [record.id, record]));
}

/** Applies changes to records; copies the records of altered tables. */
function follow(records: Records, changes: readonly Change[], engine: AnyEngine): void {
  const altered = new Set<string>();
  for (const change of changes) {
    const isElsewhere = "database" in change && change.database !== "d";
    if (isElsewhere || ("workspace" in change && change.workspace !== "w")) continue;
    const path = "table" in change ? `${change.branch}/${change.table}` : "";
    switch (change.kind) {
      case "branch_created":
        if (change.from === undefined) break;
        for (const [name, table] of [...records]) {
          if (!name.startsWith(`${change.from}/`)) continue;
          records.set(name.replace(/^[^/]+/, change.branch), new Map(table));
        }
        break;
      case "branch_deleted":
        for (const name of records.keys()) {
          if (name.startsWith(`${change.branch}/`)) records.delete(name);
        }
        break;
      case "table_created":
        records.set(path, new Map());
        break;
      case "table_deleted":
        records.delete(path);
        break;
      case "table_renamed": {
        const from = `${change.branch}/${change.from}`;
        records.set(path, records.get(from) ?? new Map());
        records.delete(from);
        break;
      }
      case "table_altered":
        altered.add(path);
        break;
      case "record_inserted":
        expect(records.get(path)?.has(change.record.id)).toBe(false);
        records.get(path)?.set(change.record.id, change.record);
        break;
      case "record_updated":
        if (!altered.has(path)) {
          expect(records.get(path)?.get(change.after.id)).toEqual(change.before);
        }
        records.get(path)?.set(change.after.id, change.after);
        break;
      case "record_deleted":
        expect(records.get(path)?.delete(change.record.id)).toBe(true);
        break;
      default:
        break;
    }
  }
  const database = engine.workspace("w").database("d");
  for (const path of altered) {
    const [branch = "", table = ""] = path.split("/");
    records.set(path, byId(database.branch(branch).table(table).scan()));
  }
}
