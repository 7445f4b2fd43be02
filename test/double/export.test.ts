import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inviteMember, isInvitation, listMembers } from "../../src/accounts.js";
import {
  type ExportSource,
  exportEngine,
  importEngine,
  importEngineFrom,
  importInto,
} from "../../src/export.js";
import { type AnyEngine, createEngine, TwinbaseError } from "../../src/index.js";
import { runs, seed } from "../generated.js";
import { textOf } from "../persist/texts.js";
import { engineArbitrary, mainOf } from "../programs.js";
import { expectRefusal } from "../refusal.js";
import { partsOf, replaceWithin, sealLines } from "../seal-lines.js";
import { createShop, shopOf } from "./shop.js";

describe(`an export (seed ${seed})`, () => {
  it("is imported into an engine with equal exports, answers and cursors", () => {
    const property = fc.property(engineArbitrary(), ({ engine, case: { table, queries } }) => {
      const cursors = pagesOf(engine, table, queries).map(({ meta }) => meta.page.cursor);
      const text = textOf(engine);
      const imported = importEngine(text);
      expect(textOf(imported)).toBe(text);
      const fork = engine.fork();
      // S-4: each query draws a new random order; only cursors keep theirs.
      const stable = queries.filter(({ sort }) => !JSON.stringify(sort ?? "").includes("random"));
      const more = [...stable, ...cursors.map((after) => ({ page: { after } }))];
      expect(JSON.stringify(pagesOf(imported, table, more))).toBe(
        JSON.stringify(pagesOf(fork, table, more)),
      );
      expect(JSON.stringify(liveOn(imported))).toBe(JSON.stringify(liveOn(fork)));
    });
    fc.assert(property, { seed, numRuns: Math.ceil(150 * runs) });
  });

  it("can be imported in chunks of any size, as text, as bytes, and as a stream", async () => {
    const text = textOf(createShop());
    const bytes = new TextEncoder().encode(text);
    async function* stream(size: number) {
      for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
    }
    const engines = [
      importEngine(text),
      importEngine([...text]),
      importEngine(bytes),
      importEngine(Array.from(bytes, (byte) => Uint8Array.of(byte))),
      await importEngineFrom(stream(7)),
      await importEngineFrom(stream(1000)),
    ];
    for (const engine of engines) expect(textOf(engine)).toBe(text);
  });

  it("contains the state at its start, without later writes", () => {
    const engine = createShop();
    const text = textOf(engine);
    const chunks = exportEngine(engine);
    const users = shopOf(engine).table("users");
    for (const { id } of users.query().records) users.update(id, { address: { zipcode: 1 } });
    shopOf(engine).deleteTable("teams");
    expect([...chunks].join("")).toBe(text);
  });

  it("contains shared tables once, which remain shared after an import", () => {
    const engine = createShop();
    const database = engine.workspace("acme").database("shop");
    database
      .branch("main")
      .table("users")
      .insert(Array.from({ length: 500 }, () => ({})));
    const before = textOf(engine).length;
    for (const name of ["a", "b", "c"]) {
      database.createBranch(name, { from: "main" }).table("users").insert({});
    }
    expect(textOf(engine).length).toBeLessThan(before + 2000);
    const imported = importEngine(textOf(engine)).workspace("acme").database("shop");
    imported.branch("a").table("users").insert({});
    expect(imported.branch("a").table("users").count()).toBe(504);
    expect(imported.branch("b").table("users").count()).toBe(503);
    expect(imported.branch("main").table("users").count()).toBe(502);
  });

  it("keeps the clock, unless the import sets another", () => {
    const engine = createShop();
    engine.clock.advance(1234);
    expect(importEngine(exportEngine(engine)).clock.now()).toBe(engine.clock.now());
    expect(importEngine(exportEngine(engine), { now: 5 }).clock.now()).toBe(5);
    const running = createEngine({ now: () => 0 });
    running.clock.advance(3_600_000);
    expect(importEngine(exportEngine(running)).clock.now()).toBeGreaterThan(Date.now() + 3_500_000);
    expect(importEngine(exportEngine(running), { now: () => 9 }).clock.now()).toBe(9);
  });

  it("replaces the state of an engine by importInto", () => {
    const engine = createShop({ seed: 99 });
    const text = textOf(engine);
    const other = createEngine({ seed: 7, now: 0 });
    other.createWorkspace("old");
    importInto(other, text);
    expect(other.workspaces()).toEqual([{ id: "acme", name: "acme", slug: "acme" }]);
    expect(textOf(other)).toBe(text);
    expect(shopOf(other).table("users").insert({})).toEqual(
      shopOf(engine).table("users").insert({}),
    );
  });

  it("of another profile is refused", () => {
    const engine = createEngine({ profile: "xata" });
    expectRefusal(() => importInto(engine, exportEngine(createShop())), {
      code: "invalid_request",
      message: /with base xata, .*, found base documented/,
    });
  });
});

describe(`an invalid export with valid checksums (seed ${seed})`, () => {
  const lines = linesOf(createShop());

  it("is refused, or imported into a working engine", () => {
    let refused = 0;
    const odd = fc.oneof(fc.jsonValue(), fc.constantFrom(-1, 1e300, "__proto__", "usr_0", {}, []));
    const change = fc.tuple(fc.nat(lines.length - 1), fc.nat(), odd);
    const property = fc.property(change, ([at, step, value]) => {
      const text = sealLines(lines.with(at, replaceWithin(lines[at], step, value) as unknown[]));
      try {
        const engine = importEngine(text, { now: 0 });
        for (const { id } of engine.workspaces()) exercise(engine, id);
      } catch (error) {
        expect(error).toBeInstanceOf(TwinbaseError);
        refused++;
      }
    });
    fc.assert(property, { seed, numRuns: Math.ceil(1500 * runs) });
    expect(refused).toBeGreaterThan(500 * runs);
  });

  it("T-16: is refused for a value that no write accepts, with line, table and column", () => {
    const engine = createShop();
    const main = shopOf(engine);
    main.createTable("rooms", [
      { name: "name", type: "string", notNull: true, unique: true },
      { name: "at", type: "object", columns: [{ name: "floor", type: "int", notNull: true }] },
    ]);
    main.table("rooms").insert([
      { id: "a", name: "red", at: { floor: 1 } },
      { id: "b", name: "blue", at: { floor: 1 } },
    ]);
    const good = linesOf(engine);
    expect(textOf(importEngine(sealLines(good)))).toBe(textOf(engine));
    const row = good.findIndex(([tag, , id]) => tag === "r" && id === "b");
    const set = (column: number, value: unknown) =>
      sealLines(good.with(row, (good[row] ?? []).with(6 + column, value)));
    const untouched = textOf(engine);
    for (const [text, fault] of [
      [set(0, null), "column \\[name\\] must not be null"],
      [set(0, "red"), 'column \\[name\\] must be unique: another record holds "red"'],
      [set(0, 5), "column \\[name\\]: expected .*, found 5"],
      [set(1, null), "column \\[at.floor\\] must not be null"],
    ] as const) {
      const message = new RegExp(`^import: line ${row + 1}: table \\[rooms\\]: ${fault}$`);
      expectRefusal(() => importEngine(text), { code: "invalid_request", message });
      expectRefusal(() => importInto(engine, text), { code: "invalid_request", message });
    }
    expect(textOf(engine)).toBe(untouched);
  });

  it("is refused with its lines in another order", () => {
    const orders = lines.map((_, at) => lines.toSpliced(at, 1).concat([lines[at] ?? []]));
    for (const order of orders.slice(0, -1)) {
      expectRefusal(() => importEngine(sealLines(order)), { code: "invalid_request" });
    }
  });
});

describe(`a damaged export (seed ${seed})`, () => {
  const text = textOf(createShop());
  const bytes = new TextEncoder().encode(text);
  const engine = createShop({ seed: 3 });
  const untouched = textOf(engine);

  it("is refused for every byte that is changed, missing or repeated", () => {
    for (let at = 0; at < bytes.length; at++) {
      const changed = bytes.slice();
      changed[at] = (changed[at] ?? 0) ^ 1;
      const without = [bytes.subarray(0, at), bytes.subarray(at + 1)];
      const more = [bytes.subarray(0, at), bytes.subarray(at, at + 1), bytes.subarray(at)];
      for (const damaged of [changed, without, more]) expectDamage(damaged);
    }
    expect(textOf(engine)).toBe(untouched);
  });

  it("is refused if it is truncated, or more follows", () => {
    for (let end = 0; end < bytes.length; end++) expectDamage(bytes.subarray(0, end));
    for (const more of ["\n", " ", "x", text, "\uFEFF"]) expectDamage(text + more);
    expectDamage(`\uFEFF${text}`);
    expectDamage(Uint8Array.of(0xef, 0xbb, 0xbf, ...bytes));
    expectDamage(text.replaceAll("\n", "\r\n"));
  });

  it("is refused if lines are missing, repeated or moved, with the line", () => {
    const lines = text.split(/(?<=\n)/);
    for (const [at, line] of lines.entries()) {
      expectDamage(lines.toSpliced(at, 1));
      expectDamage(lines.toSpliced(at, 0, line));
      const next = lines[at + 1];
      if (next !== undefined) expectDamage(lines.toSpliced(at, 2, next, line));
    }
    const damaged = lines.with(5, (lines[5] ?? "").replace("a", "b"));
    expectRefusal(() => importEngine(damaged), { code: "invalid_request", message: /line 6\b/ });
  });

  it("is refused if it is not an export", () => {
    for (const other of [
      ...["", "\n", "{}", "[]\n", "null\n", '[,"AAAAAAAA"]\n', "\0\0", "id,name\n"],
    ]) {
      expectDamage(other);
    }
    expectDamage(Uint8Array.of(0xff, 0xfe));
  });

  function expectDamage(damaged: ExportSource): void {
    expectRefusal(() => importInto(engine, damaged), {
      code: "invalid_request",
      message: /^import: line \d+: /,
    });
  }
});

function linesOf(engine: AnyEngine): unknown[][] {
  return partsOf(textOf(engine));
}

/** Reads and writes every table. */
function exercise(engine: AnyEngine, workspace: string): void {
  for (const { name } of engine.workspace(workspace).databases()) {
    const database = engine.workspace(workspace).database(name);
    for (const { name: branch } of database.branches()) {
      for (const { name: table } of database.branch(branch).tables()) {
        const found = database.branch(branch).table(table);
        found.query({ sort: { id: "desc" } });
        found.insert({});
        expect(found.count()).toBe([...found.scan()].length);
      }
    }
  }
  textOf(engine);
}

function pagesOf(engine: AnyEngine, table: string, queries: readonly object[]) {
  return queries.map((query) => mainOf(engine).table(table).query(query));
}

function liveOn(engine: AnyEngine): unknown[] {
  const main = mainOf(engine);
  const made = main.createTable("made", [{ name: "at", type: "datetime", defaultValue: "now" }]);
  engine.clock.advance(1);
  const others = main.tables().map(({ name }) => main.table(name).schema());
  const user = engine.createUser({ email: "z@example.com", fullname: "Z" });
  return [made.insert([{}, {}]), made.query(), others, user, engine.users(), engine.seed];
}

describe("an export of accounts", () => {
  it("H-5, T-7: contains an invitation of the last week of the year 9999", () => {
    const engine = createEngine({ now: Date.UTC(9999, 11, 25) });
    const role = "maintainer";
    const invite = inviteMember(engine.createWorkspace("acme"), { email: "a@b.c", role });
    expect(invite.expires).toBe("9999-12-31T23:59:59.999Z");
    expect(textOf(importEngine(textOf(engine)))).toBe(textOf(engine));
  });

  it("H-5: contains keys, members and invites", () => {
    const engine = createShop();
    const ann = engine.createUser({ email: "ann@example.com", fullname: "Ann", keys: ["k"] });
    const { key } = engine.createKey(ann.id, "mine");
    const gone = engine.createKey(ann.id, "gone").key;
    engine.deleteKey(ann.id, "gone");
    engine.addMember("acme", ann.id);
    engine.addMember("acme", "usr_0", "maintainer");
    const { inviteKey } = inviteMember(engine.workspace("acme"), {
      email: "bob@example.com",
      role: "maintainer",
    });
    const copy = importEngine(textOf(engine));
    expect(copy.userByKey(key)?.id).toBe(ann.id);
    expect(copy.isDeletedKey(gone)).toBe(true);
    expect(copy.keys(ann.id)).toEqual(engine.keys(ann.id));
    expect(listMembers(copy.workspace("acme"))).toEqual(listMembers(engine.workspace("acme")));
    expect(isInvitation(copy.workspace("acme"), inviteKey)).toBe(true);
    expect(textOf(copy)).toBe(textOf(engine));
    expect(copy.createKey(ann.id, "next").key).toBe(engine.createKey(ann.id, "next").key);
  });
});
