/** @module-tag slow */
import { describe, expect, it } from "vitest";
import type { AnyBranch } from "../../src/engine/branch.js";
import { exportEngine, importInto } from "../../src/export.js";
import { createEngine, type Engine, type Snapshot, TwinbaseError } from "../../src/index.js";
import type { AnyTable } from "../../src/typed/table.js";
import { defineColumns } from "../columns.js";

/** An engine with an entity of every kind. */
interface World {
  readonly engine: Engine;
  readonly branch: AnyBranch;
  readonly items: AnyTable;
  readonly saved: Snapshot;
  readonly exported: string;
  /** Runs when the engine reads the time. */
  onTime: (() => void) | undefined;
}

function openWorld(): World {
  let world: World | undefined;
  const now = (): number => {
    world?.onTime?.();
    return 0;
  };
  const engine = createEngine({ seed: 1, now });
  const database = engine.createWorkspace("acme").createDatabase("shop");
  const branch: AnyBranch = database.branch("main");
  const saved = engine.snapshot();
  const exported = [...exportEngine(engine)].join("");
  const items = branch.createTable("items", defineColumns({ n: "int", u: "string unique" }));
  items.insert(Array.from({ length: 6 }, (_, i) => ({ id: `r${i}`, n: i, u: `u${i}` })));
  items.update("r0", { n: 1 }); // a table written before may be changed in place
  branch.createTable("other", [{ name: "to", type: "link", link: { table: "items" } }]);
  database.createBranch("aside", { from: "main" });
  database.gitBranches.add({ gitBranch: "fix", serviceBranch: "aside" });
  engine.createUser({ email: "a@example.com", fullname: "A", keys: ["k"] });
  world = { engine, branch, items, saved, exported, onTime: undefined };
  return world;
}

function databaseOf({ engine }: World) {
  return engine.workspace("acme").database("shop");
}

/** Makes an object of some fields, of which one may run a callback when it is read. */
type Bait = <T extends object>(fields: T) => T;

const CALLS: Readonly<Record<string, (world: World, bait: Bait) => unknown>> = {
  insert: ({ items }, bait) => items.insert(bait({ id: "x", n: 1 })),
  "insert with a generated id": ({ items }, bait) => items.insert(bait({ n: 1 })),
  "insert several": ({ items }, bait) => items.insert([{ id: "y" }, bait({ id: "x", n: 1 }), {}]),
  "insert with columns": ({ items }, bait) => items.insert({ id: "z" }, bait({ columns: ["n"] })),
  load: ({ items }, bait) =>
    items.load(
      (function* () {
        yield { id: "first" };
        yield bait({ id: "x" });
      })(),
    ),
  update: ({ items }, bait) => items.update("r0", bait({ n: 5 })),
  "update with ifVersion": ({ items }, bait) =>
    items.update("r0", { n: 5 }, bait({ ifVersion: 1 })),
  replace: ({ items }, bait) => items.replace("r1", bait({ n: 6 })),
  upsert: ({ items }, bait) => items.upsert("x", bait({ n: 7 })),
  put: ({ items }, bait) => items.put("r3", bait({ n: 8 })),
  delete: ({ items }, bait) => items.delete("r2", bait({ ifVersion: 0 })),
  transaction: ({ branch }, bait) =>
    branch.transaction([
      { insert: { table: "items", record: bait({ id: "x" }) } },
      { delete: { table: "items", id: "r4" } },
    ]),
  "add a column": ({ items }, bait) => items.addColumn(bait({ type: "int", name: "q" })),
  "rename a column": ({ items }, _) => items.renameColumn("n", "m"),
  "remove a column": ({ items }, _) => items.removeColumn("u"),
  "set the schema": ({ items }, bait) =>
    items.setSchema(bait({ columns: [{ name: "n", type: "int" }] })),
  "create a table": ({ branch }, bait) =>
    branch.createTable("late", [bait({ name: "a", type: "int" })]),
  "create tables": ({ branch }, bait) =>
    branch.createTables({ late: [bait({ name: "a", type: "int" })] }),
  "rename a table": ({ branch }, _) => branch.renameTable("items", "things"),
  "delete a table": ({ branch }, _) => branch.deleteTable("other"),
  "set the metadata of a branch": ({ branch }, bait) => branch.setMetadata(bait({ stage: "prod" })),
  "create a branch": (world, bait) => databaseOf(world).createBranch("b", bait({ from: "main" })),
  "rename a branch": (world, _) => databaseOf(world).renameBranch("aside", "besides"),
  "delete a branch": (world, _) => databaseOf(world).deleteBranch("aside"),
  "set the colour of a database": (world, bait) =>
    databaseOf(world).update(bait({ ui: { color: "red" } })),
  "change the settings of a database": (world, bait) =>
    databaseOf(world).updateSettings(bait({ a: 1 })),
  "map a git branch": (world, bait) =>
    databaseOf(world).gitBranches.add(bait({ gitBranch: "fix", serviceBranch: "main" })),
  "unmap a git branch": (world, _) => databaseOf(world).gitBranches.remove("fix"),
  "create a database": ({ engine }, bait) =>
    engine.workspace("acme").createDatabase("more", bait({ region: "here" })),
  "rename a database": ({ engine }, _) => engine.workspace("acme").renameDatabase("shop", "store"),
  "delete a database": ({ engine }, _) => engine.workspace("acme").deleteDatabase("shop"),
  "create a workspace": ({ engine }, bait) => engine.createWorkspace("w", bait({ name: "W" })),
  "delete a workspace": ({ engine }, _) => engine.deleteWorkspace("acme"),
  "create a user": ({ engine }, bait) =>
    engine.createUser(bait({ email: "b@example.com", fullname: "B" })),
  "change a user": ({ engine }, bait) =>
    engine.updateUser("usr_1", bait({ email: "c@example.com", fullname: "C" })),
  "delete a user": ({ engine }, _) => engine.deleteUser("usr_1"),
  "add a key": ({ engine }, _) => engine.addKey("usr_1", "other"),
  restore: ({ engine, saved }, _) => engine.restore(saved),
  import: ({ engine, exported }, bait) =>
    importInto(
      engine,
      (function* () {
        bait({});
        yield exported;
      })(),
    ),
  reset: ({ engine }, _) => engine.reset(),
  dispose: ({ engine }, _) => engine[Symbol.dispose](),
  query: ({ items }, bait) => items.query(bait({ sort: ["n"] })),
  count: ({ items }, bait) => items.count(bait({ n: 1 })),
  get: ({ items }, bait) => items.get("r5", bait({ columns: ["n"] })),
  scan: ({ items }, _) => items.scan().next(),
  snapshot: ({ engine }, _) => engine.snapshot(),
  fork: ({ engine }, _) => engine.fork(),
};

/** The same fields; reading the first one runs a callback. */
function baitWith<T extends object>(fields: T, act: () => void): T {
  const [[key, value] = ["id", undefined], ...rest] = Object.entries(fields);
  if (value === undefined) act();
  const read = (): unknown => {
    act();
    return value;
  };
  const copy: object = Object.fromEntries(rest);
  return Object.defineProperty(copy, key, { enumerable: true, get: read }) as T; // the same fields
}

const plain: Bait = (fields) => fields;

/** Whether a call succeeded; it may only throw TwinbaseError. */
function isDone(call: () => unknown): boolean {
  try {
    call();
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(TwinbaseError);
    return false;
  }
}

function contentsOf({ engine }: World): string {
  return [...exportEngine(engine)].join("");
}

const contentsByCalls: Map<string, string> = new Map();

function contentsAfter(calls: readonly string[]): string {
  const key = calls.join();
  let contents = contentsByCalls.get(key);
  if (contents === undefined) {
    const world = openWorld();
    for (const call of calls) CALLS[call]!(world, plain);
    world.engine.createWorkspace("next");
    contents = contentsOf(world);
    contentsByCalls.set(key, contents);
  }
  return contents;
}

const SOURCES = ["a getter", "a getter that catches errors", "the clock"] as const;

describe.each(SOURCES)("a call that runs another in %s", (source) => {
  it.each(Object.keys(CALLS))("E-5: %s: loses no write of either", (name) => {
    for (const [innerName, inner] of Object.entries(CALLS)) {
      const world = openWorld();
      let turns = 0;
      let isInnerDone = false;
      const act = (): void => {
        if (turns++ > 0) return;
        const run = (): unknown => inner(world, plain);
        if (source === "a getter that catches errors") isInnerDone = isDone(run);
        else {
          run();
          isInnerDone = true;
        }
      };
      if (source === "the clock") world.onTime = act;
      const given: Bait = world.onTime ? plain : (fields) => baitWith(fields, act);
      const isOuterDone = isDone(() => CALLS[name]!(world, given));
      world.onTime = undefined;

      // The next call works as usual.
      const label = `${name}, inside of it ${innerName}: ${isOuterDone}, ${isInnerDone}`;
      expect(isDone(() => world.engine.createWorkspace("next"))).toBe(true);
      const done = [...(isInnerDone ? [innerName] : []), ...(isOuterDone ? [name] : [])];
      expect(contentsOf(world), label).toBe(contentsAfter(done));
    }
  });
});
