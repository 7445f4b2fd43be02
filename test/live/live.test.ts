import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { subscribe } from "../../src/changes.js";
import { Engine } from "../../src/engine.js";
import { createEngine } from "../../src/index.js";
import {
  applyChanges,
  type LiveChange,
  type LiveCount,
  liveCount,
  liveQuery,
} from "../../src/live.js";
import { openEngine } from "../../src/node.js";
import { expectRefusal } from "../refusal.js";

type Changes = readonly LiveChange<{ readonly id: string }>[];

function open() {
  const engine = createEngine({ now: Date.UTC(2024, 0, 31), seed: 1 });
  const main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
  const { teams, users } = main.createTables({
    teams: [
      { name: "name", type: "string" },
      { name: "budget", type: "int" },
    ],
    users: [
      { name: "email", type: "email" },
      { name: "rank", type: "int" },
      { name: "team", type: "link", link: { table: "teams" } },
    ],
  });
  teams.insert([
    { id: "blue", name: "Blue", budget: 1 },
    { id: "red", name: "Red", budget: 2 },
  ]);
  users.insert(
    ["a", "b", "c", "d", "e"].map((id, rank) => {
      return { id, email: `${id}@example.com`, rank, team: rank % 2 === 0 ? "blue" : "red" };
    }),
  );
  return { engine, main, teams, users };
}

/** Changes as `type:id:old>new`. */
function brief(changes: Changes): string[] {
  return changes.map(({ type, record, oldIndex, newIndex }) => {
    return `${type}:${record.id}:${oldIndex}>${newIndex}`;
  });
}

const ids = ({ records }: { readonly records: readonly { readonly id: string }[] }): string =>
  records.map(({ id }) => id).join("");

function collect(): { calls: string[][]; listener: (changes: Changes) => void } {
  const calls: string[][] = [];
  return { calls, listener: (changes) => void calls.push(brief(changes)) };
}

describe("after a write, with a time limit", () => {
  it("L-10: live queries take 50 ms; the others are stale, and follow in slices of 50 ms", async () => {
    const engine = createEngine({ limits: { queryMs: 60_000 } });
    const main = engine.createWorkspace("w").createDatabase("d").branch("main");
    const users = main.createTable("users", [{ name: "n", type: "int" }]);
    users.insert(Array.from({ length: 20 }, (_, n) => ({ n })));
    const heard: boolean[] = [];
    const live = Array.from({ length: 90 }, (_, n) =>
      liveQuery(users, { filter: { n: { $ge: n % 20 } } }, () => heard.push(live[n]!.isStale)),
    );
    const fresh = (): number => live.filter(({ isStale }) => !isStale).length;
    let now = 0;
    let looks = 0;
    vi.spyOn(performance, "now").mockImplementation(() => {
      looks++;
      now += 5;
      return now;
    });
    onTestFinished(() => void vi.restoreAllMocks());
    const counts: number[] = [];
    // Each change begins a slice of 11 looks at most, and some to begin and end it.
    for (let slice = 0; slice < 4; slice++) {
      looks = 0;
      if (slice < 2)
        users.addColumn({ name: `c${slice}`, type: "int", notNull: true, defaultValue: 1 });
      else await new Promise((resolve) => setTimeout(resolve, 1));
      expect(looks).toBeLessThan(30);
      counts.push(fresh());
    }
    expect(counts[0]).toBeGreaterThan(0);
    expect(counts[0]).toBeLessThan(12);
    expect(counts[1]).toBeLessThan(12);
    expect(counts[2]).toBeLessThan(90);
    await vi.waitFor(() => expect(fresh()).toBe(90), { timeout: 20_000 });
    expect(heard.filter((isStale) => isStale).length).toBeLessThanOrEqual(90);
    for (const { records } of live) expect(records[0]).toHaveProperty("c1");
  });
});

describe("liveQuery", () => {
  it("notifies once per call of added, modified and removed records", () => {
    const { users, main } = open();
    const { calls, listener } = collect();
    const live = liveQuery(users, { filter: { team: "blue" }, sort: { rank: "asc" } }, listener);
    expect(ids(live)).toBe("ace");
    users.insert({ id: "f", rank: 1, team: "blue" });
    users.update("c", { team: "red" });
    users.update("e", { rank: -1 });
    main.transaction([
      { delete: { table: "users", id: "a" } },
      { update: { table: "users", id: "b", fields: { team: "blue" } } },
      { update: { table: "users", id: "f", fields: { rank: 1 } } },
    ]);
    expect(calls).toEqual([
      ["added:f:-1>1"],
      ["removed:c:2>-1"],
      ["modified:e:2>0"],
      ["removed:a:1>-1", "added:b:-1>1", "modified:f:2>2"],
    ]);
    expect(ids(live)).toBe("ebf");
  });

  it("keeps the objects of unchanged records, frozen", () => {
    const { users } = open();
    const live = liveQuery(users, { sort: { rank: "asc" } });
    const before = live.records;
    users.update("b", { rank: 10 });
    expect(before.map(({ id }) => id).join("")).toBe("abcde");
    expect(live.records[0]).toBe(before[0]);
    expect(live.records[4]).not.toBe(before[1]);
    expect(live.records[4]).toMatchObject({ id: "b", rank: 10 });
    expect(() => Object.assign(live.records[0]!, { rank: 7 })).toThrow(TypeError);
    expect(Object.isFrozen(live.records[0]?.service)).toBe(true);
    expect(Object.isFrozen(live.records)).toBe(true);
  });

  it("S-4: keeps a random order, on its later pages too", () => {
    const { users } = open();
    const { cursor } = users.query({ sort: { "*": "random" } }).meta.page;
    const page = { start: cursor, size: 3 } as const;
    const [fixed, own] = [
      liveQuery(users, { page }),
      liveQuery(users, { sort: { "*": "random" }, page: { size: 2 } }),
    ];
    const shown = ids(own);
    users.addColumn({ name: "more", type: "int" });
    expect(ids(own)).toBe(shown);
    users.delete("c");
    expect(fixed.records).toEqual(users.query({ page }).records);
  });

  it("closes if its table or branch is gone", () => {
    const { engine, users, main } = open();
    const live = liveQuery(users, {});
    main.deleteTable("users");
    expect(live.error?.code).toBe("table_not_found");
    const other = open();
    const gone = liveQuery(other.users, {});
    other.engine.deleteWorkspace("acme");
    expect(gone.error?.code).toBe("workspace_not_found");
    const { users: third, engine: disposed } = open();
    const count = liveCount(third);
    disposed[Symbol.dispose]();
    expect([count.isClosed, count.error]).toEqual([true, undefined]);
    expect(Engine.contextOf(engine).feed.live).toBeUndefined();
  });

  it("R-5: follows a bulk load", () => {
    const { users } = open();
    const { calls, listener } = collect();
    const live = liveQuery(users, { sort: { rank: "desc" }, page: { size: 3 } }, listener);
    users.load(Array.from({ length: 50_000 }, (_, n) => ({ id: `n${n}`, rank: n % 40_000 })));
    expect(calls).toHaveLength(1);
    expect(live.records).toEqual(
      users.query({ sort: { rank: "desc" }, page: { size: 3 } }).records,
    );
    expect(live.more).toBe(true);
  });

  it("forgets a request that changes later", () => {
    const { users } = open();
    const filter = { rank: 1 };
    const live = liveQuery(users, { filter });
    filter.rank = 2;
    users.addColumn({ name: "x", type: "int" });
    expect(ids(live)).toBe("b");
  });
});

it("R-5: a count follows a batch that renames a table before it writes records", () => {
  const { engine, users, main } = open();
  const blue = liveCount(users, { "team.name": "Blue" });
  const all = liveCount(users);
  Engine.contextOf(engine).call(() => {
    main.renameTable("teams", "groups");
    users.update("a", { team: "red" });
    users.delete("b");
  });
  expect([blue.count, all.count, blue.error]).toEqual([2, 4, undefined]);
});

it("follows an engine in a folder", async () => {
  const folder = mkdtempSync(join(tmpdir(), "twinbase-live-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await using engine = await openEngine({ folder, initial: () => open().engine });
  const users = engine.workspace("acme").database("shop").branch("main").table("users");
  const { calls, listener } = collect();
  const live = liveQuery(users, { filter: { rank: { $gt: 3 } } }, listener);
  const count = liveCount(users, { rank: 5 });
  users.insert({ id: "f", rank: 5 });
  expect([ids(live), calls, count.count]).toEqual(["ef", [["added:f:-1>1"]], 1]);
});

it("E-5: follows writes also if a getter of its request opens another", () => {
  const { users } = open();
  const opened: LiveCount[] = [];
  const live = liveCount(users, {
    get rank() {
      opened.push(liveCount(users));
      return 0;
    },
  });
  users.insert({ rank: 0 });
  expect([live, ...opened].map(({ count }) => count)).toEqual([2, ...opened.map(() => 6)]);
  expect(opened).not.toEqual([]);
});

it("L-10: the time limit of a call that writes does not close live queries; that of opening holds", () => {
  const { engine, users, teams } = open();
  const { time } = Engine.contextOf(engine);
  const filter = { email: { $pattern: "*a*" }, "team.name": { $contains: "u" } } as const;
  const live = liveQuery(users, { filter });
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  onTestFinished(() => clock.mockRestore());
  time.run(1000, () => {
    now = 5000;
    expectRefusal(() => liveQuery(users, { filter }), { code: "query_timeout", rule: "L-10" });
    users.update("a", { rank: 7 });
    teams.update("red", { name: "Purple" });
  });
  expect([live.error, live.records]).toEqual([undefined, users.query({ filter }).records]);
});

describe("a listener", () => {
  it("E-5: may open and close live queries, but not write", () => {
    const { users } = open();
    const log: unknown[] = [];
    const errors = vi.spyOn(console, "error").mockImplementation((error) => log.push(error));
    onTestFinished(() => errors.mockRestore());
    const second = liveQuery(users, {}, () => log.push("closed before"));
    const first = liveQuery(users, {}, () => {
      second.close();
      const opened = liveCount(users, { rank: 0 }, (n) => log.push(n));
      log.push(opened.count, ids(liveQuery(users, { page: { size: 1 } })));
      users.insert({});
    });
    second.close();
    users.update("b", { rank: 0 });
    expect(log).toEqual([
      2,
      "a",
      expect.objectContaining({ code: "invalid_request", rule: "E-5" }),
    ]);
    first.close();
    users.update("c", { rank: 0 });
    expect(log).toHaveLength(4);
    expect(log[3]).toBe(3);
  });

  it("sees all live queries after the call, and is called before those of `subscribe`", () => {
    const { engine, users } = open();
    const log: unknown[] = [];
    subscribe(engine, () => {
      const opened = liveCount(users, {}, (n) => log.push(["late", n]));
      log.push(["subscribed", opened.count]);
    });
    const one = liveQuery(users, {}, () => log.push(two.count));
    const two = liveCount(users, {}, () => log.push(one.records.length));
    users.insert({});
    expect(log).toEqual([6, 6, ["subscribed", 6]]);
  });

  it("of a closed query is not called, also if another listener closes it", () => {
    const { users } = open();
    const log: string[] = [];
    const lives = [1, 2].map((n) =>
      liveQuery(users, {}, () => {
        log.push(`called ${n}`);
        for (const live of lives) live.close();
      }),
    );
    users.insert({});
    users.insert({});
    expect(log).toEqual(["called 1"]);
    expect(lives[1]?.isClosed).toBe(true);
  });
});

describe("misuse", () => {
  it("E-3, E-6: is refused as `query` refuses it, and by name", () => {
    const { users } = open();
    const loose = liveQuery as (...given: unknown[]) => unknown;
    expectRefusal(() => loose(users, { filter: { emial: 1 } }), {
      code: "unknown_column",
      path: "/filter/emial",
    });
    expectRefusal(() => loose(users, { page: { size: 0 } }), { code: "invalid_page" });
    expectRefusal(() => loose(users, {}, 5), { code: "invalid_request", rule: "E-3" });
    expectRefusal(() => loose(users, {}, undefined, "x"), { code: "invalid_request", rule: "E-3" });
    expectRefusal(() => loose("users"), { code: "invalid_request", rule: "E-3" });
  });

  it("E-5: a getter of a call cannot open a live query", () => {
    const { users } = open();
    const record = {
      get rank() {
        liveCount(users);
        return 1;
      },
    };
    expectRefusal(() => users.insert(record), { code: "invalid_request", rule: "E-5" });
  });
});

it("applyChanges leaves the given array alone", () => {
  const before = Object.freeze([{ id: "a" }, { id: "b" }]);
  const changes = [{ type: "modified", record: { id: "b" }, oldIndex: 1, newIndex: 0 }] as const;
  expect(applyChanges(before, changes).map(({ id }) => id)).toEqual(["b", "a"]);
});
