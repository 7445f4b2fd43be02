import { execFileSync } from "node:child_process";
import fs, {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { importEngine, importInto } from "../../src/export.js";
import { enableFiles } from "../../src/files.js";
import { createFetch } from "../../src/http.js";
import { type AnyEngine, createEngine } from "../../src/index.js";
import { FolderEngine, openEngine } from "../../src/node.js";
import { runs, seed } from "../generated.js";
import { textOf } from "../persist/texts.js";
import { groupsArbitrary, openWorld, runSteps } from "../programs.js";
import { expectRefusal } from "../refusal.js";
import { partsOf, sealLines } from "../seal-lines.js";

const disk: { fault: "write" | "sync" | "base" | undefined; writesLeft: number } = {
  fault: undefined,
  writesLeft: Number.POSITIVE_INFINITY,
};
const real = { ...fs };

/** Replaces functions of `node:fs`; the returned value restores them. */
function replaceFs(functions: Partial<typeof fs>): Disposable {
  const before = Object.keys(functions).map((name) => [name, fs[name as keyof typeof fs]]);
  const put = (all: object): void => {
    Object.assign(fs, all);
    syncBuiltinESMExports();
  };
  put(functions);
  return { [Symbol.dispose]: () => put(Object.fromEntries(before)) };
}

let replaced: Disposable;
beforeAll(() => {
  const full = () =>
    Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
  const write = (file: number, bytes: Buffer, done: (...given: unknown[]) => void) => {
    if (disk.fault === "write") real.write(file, bytes.subarray(0, 5), () => done(full()));
    else real.write(file, bytes, done);
  };
  const fdatasync = (file: number, done: (fault: Error | null) => void) => {
    if (disk.fault === "sync") done(full());
    else real.fdatasync(file, done);
  };
  const renameSync: typeof fs.renameSync = (from, to) => {
    if (disk.fault === "base" && String(from).endsWith(".ndjson.new")) throw full();
    real.renameSync(from, to);
  };
  const counted = <T extends (...given: never[]) => unknown>(act: T) =>
    ((...given: Parameters<T>) => {
      if (disk.writesLeft-- <= 0) throw full();
      return act(...given);
    }) as T; // the same but for the fault
  replaced = replaceFs({
    ...({ write, fdatasync } as Partial<typeof fs>), // the overloads that are called
    renameSync,
    writeSync: counted(real.writeSync),
    fdatasyncSync: counted(real.fdatasyncSync),
    fsyncSync: counted(real.fsyncSync),
    writeFileSync: counted(real.writeFileSync),
  });
});
afterAll(() => replaced[Symbol.dispose]());

let root: string;
let folder: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "twinbase-"));
  folder = join(root, "data");
  mkdirSync(folder);
  disk.fault = undefined;
  disk.writesLeft = Number.POSITIVE_INFINITY;
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const DATA = { seed: 7, now: 0 } as const;

describe("an engine with a data folder", () => {
  it("continues with its data, clock and random streams when reopened", async () => {
    const path = join(folder, "made", "here");
    const first = await openEngine({ folder: path, ...DATA });
    const plain = createEngine(DATA);
    for (const engine of [first, plain]) createNotes(engine).insert({ text: "one" });
    first.clock.advance(5);
    plain.clock.advance(5);
    await first.close();
    expectRefusal(() => first.createWorkspace("x"), { code: "unavailable" });

    const again = await openEngine({ folder: path, seed: 7 });
    expect(textOf(again)).toBe(textOf(plain));
    expect(notesOf(again).insert({ text: "two" })).toEqual(notesOf(plain).insert({ text: "two" }));
    await again.close();
  });

  it(`equals an engine in memory after any groups of calls, closes and compactions (seed ${seed})`, async () => {
    const property = fc.asyncProperty(groupsArbitrary(6), async (groups) => {
      const own = mkdtempSync(join(folder, "p"));
      const options = { folder: own, initial: () => enableFiles(createEngine(DATA)) };
      let plain: AnyEngine = enableFiles(createEngine(DATA));
      createNotes(plain, "w", "d");
      let engine = await openEngine({ ...options, compactAfter: 500 });
      createNotes(engine, "w", "d");
      const base = textOf(plain);
      let worlds = [engine, plain].map((each) => openWorld(each, { base }));
      for (const [index, group] of groups.entries()) {
        for (const world of worlds) runSteps(world, group);
        await engine.flushed(); // the group is one commit
        expect(await savedIn(copyOf(own))).toBe(textOf(plain));
        if (index % 2 === 1) continue;
        await engine.close();
        engine = await openEngine({ ...options, compactAfter: 500 });
        plain = importEngine(textOf(plain)); // its clock too starts anew
        worlds = [engine, plain].map((each) => openWorld(each, { base }));
      }
      await engine.close();
      expect(await savedIn(own)).toBe(textOf(plain));
    });
    await fc.assert(property, { seed, numRuns: Math.ceil(40 * runs) });
  });

  // Each was written as a commit that no replay accepted.
  it.each<[what: string, act: (engine: AnyEngine) => void]>([
    [
      "a record that a transaction inserts and deletes",
      (engine) => {
        const insert = { insert: { table: "notes", record: { id: "a" } } };
        const remove = { delete: { table: "notes", id: "a" } };
        engine.workspace("w").database("d").branch("main").transaction([insert, remove]);
      },
    ],
    [
      "a record that one call inserts and the next deletes",
      (engine) => {
        notesOf(engine).insert({ id: "a" });
        notesOf(engine).delete("a");
      },
    ],
    ["two alterations of a table with records", alterTwice],
    [
      "a branch that is created, altered and deleted",
      (engine) => {
        const database = engine.workspace("w").database("d");
        alterTwice(engine, database.createBranch("b", { from: "main", data: true }).name);
        database.deleteBranch("b");
      },
    ],
  ])("opens after a commit with %s", async (_, act) => {
    const engine = await openEngine({ folder, ...DATA });
    createNotes(engine).insert([{ id: "x" }, { id: "y" }]);
    await engine.flushed();
    act(engine);
    await engine.close();
    expect(await savedIn(folder)).toBe(textOf(engine));
  });

  it("opens after concurrent requests whose writes share commits", async () => {
    const engine = await openEngine({ folder, ...DATA });
    createNotes(engine).insert([{ id: "x" }, { id: "y" }]);
    engine.workspace("w").database("d").branch("main").createTable("others").insert({ id: "x" });
    await engine.flushed();
    const fetch = createFetch(engine);
    const send = (path: string, body: object) =>
      fetch(`http://localhost/db/d:main/${path}`, { method: "POST", body: JSON.stringify(body) });
    const column = (name: string) => ({ name, type: "int", notNull: true, defaultValue: 1 });
    const answers = await Promise.all([
      send("tables/notes/columns", column("a")),
      send("tables/notes/data", { id: "z" }),
      send("tables/notes/columns", column("b")),
      send("transaction", {
        operations: [
          { insert: { table: "others", record: { id: "q" } } },
          { delete: { table: "others", id: "q" } },
          { delete: { table: "others", id: "x" } },
        ],
      }),
    ]);
    expect(answers.every(({ ok }) => ok)).toBe(true);
    await engine.close();
    expect(await savedIn(folder)).toBe(textOf(engine));
  });

  it("opens although an earlier release logged such commits", async () => {
    const engine = await openEngine({ folder, ...DATA });
    const table = createNotes(engine);
    table.insert([{ id: "x" }]);
    await engine.close();
    const log = join(folder, "log-1.ndjson");
    const lines = partsOf(readFileSync(log, "utf8"));
    const [, , counters] = lines.at(-1)!;
    const [, number, { columns, slots, slotCount, ...rest }] = lines.find(
      ([tag]) => tag === "table",
    ) as [string, number, { columns: object[]; slots: number[]; slotCount: number }];
    const column = { name: "a", type: "int", notNull: true, defaultValue: 1 };
    const altered = {
      ...rest,
      columns: [...columns, column],
      slots: [...slots, slotCount],
      slotCount: slotCount + 1,
    };
    const record = lines.find(([tag]) => tag === "r")!;
    const added = [
      ["d", number, "unknown"],
      ["table", number + 1, null, number], // of a branch that the same commit deletes
      ["table", number + 1, altered, number + 1],
      ["table", number, altered, number],
      ["table", number, null, number],
      [...record, 1],
      ["commit", Number(lines.at(-1)![1]) + 1, counters],
    ];
    writeFileSync(log, sealLines([...lines, ...added]));
    await using again = await openEngine({ folder });
    expect(notesOf(again).query({}).records).toMatchObject([{ id: "x", a: 1 }]);
  });

  it("is compacted during writes into a base that is an export", async () => {
    const engine = await openEngine({ folder, ...DATA, compactAfter: 2000 });
    const notes = createNotes(engine);
    for (let i = 0; i < 300; i++) {
      notes.insert({ text: `note ${i}` });
      if (i % 5 === 0) await engine.flushed();
    }
    await engine.close();
    const base = Math.max(...numbersIn(folder, "base"));
    expect(base).toBeGreaterThan(2);
    expect(numbersIn(folder, "log").every((number) => number >= base)).toBe(true);
    const found = createEngine();
    importInto(found, readFileSync(join(folder, `base-${base}.ndjson`)));
    expect(notesOf(found).count()).toBeGreaterThan(100);
    expect(await savedIn(folder)).toBe(textOf(engine));
  });

  it("keeps the contents of files", async () => {
    const first = await openEngine({ folder, ...DATA });
    const notes = createNotes(first);
    await first.flushed();
    notes.addColumn({ name: "file", type: "file" });
    const file = { name: "a.txt", mediaType: "text/plain", base64Content: "aGVsbG8=" };
    notes.insert([{ file }, { file }]);
    await first.close();
    expect(textOf(first)).toContain("aGVsbG8=");
    expect(await savedIn(folder)).toBe(textOf(first));
  });

  it("rejects options that contradict its data", async () => {
    const first = await openEngine({ folder, ...DATA });
    await first.close();
    await expectRejection(openEngine({ folder, seed: 8 }), "invalid_request", /expected 7/);
    await expectRejection(
      openEngine({ folder, profile: "xata" }),
      "invalid_request",
      /expected a profile with base documented, .*, found base xata, metadataColumn xata$/,
    );
    await expectRejection(
      openEngine({ folder, profile: { links: "checked", maxPageSize: 5 } }),
      "invalid_request",
      /expected a profile with maxPageSize 200, links free, found maxPageSize 5, links checked$/,
    );
    await expectRejection(openEngine({ folder: "" }), "invalid_request", /the path of a folder/);
    const limited = await openEngine({ folder, limits: { queryMs: 5 }, now: 9 });
    expect(limited.limits.queryMs).toBe(5);
    expect(limited.clock.now()).toBe(9);
    await limited.close();
  });
});

describe("a damaged log", () => {
  it("H-5: that is cut at any byte keeps exactly the complete commits", async () => {
    const states = [""];
    const first = await openEngine({ folder, ...DATA });
    const notes = createNotes(first);
    await first.flushed();
    const log = join(folder, "log-1.ndjson");
    const ends = [readFileSync(log).length];
    states[0] = textOf(first);
    for (let i = 0; i < 3; i++) {
      // Two tables and the clock in one commit: all or none.
      first.workspace("w").database("d").branch("main").createTable(`t${i}`);
      notes.insert([{ text: `ä ${i}` }, { text: `b ${i}` }]);
      first.clock.advance(1);
      await first.flushed();
      ends.push(readFileSync(log).length);
      states.push(textOf(first));
    }
    await first.close();
    const whole = readFileSync(log);
    const copy = copyOf(folder);
    for (let end = ends[0]!; end <= whole.length; end++) {
      if (end % 23 !== 0 && !ends.some((known) => Math.abs(known - end) < 4)) continue;
      writeFileSync(join(copy, "log-1.ndjson"), whole.subarray(0, end));
      rmSync(join(copy, "log-2.ndjson"), { force: true });
      const kept = ends.findLastIndex((known) => known <= end);
      expect(await savedIn(copy)).toBe(states[kept]);
    }
  });

  it("with a changed byte is refused with file and line", async () => {
    const first = await openEngine({ folder, ...DATA });
    createNotes(first).insert({ text: "one" });
    await first.flushed();
    notesOf(first).insert({ text: "two" });
    await first.close();
    const log = join(folder, "log-1.ndjson");
    const whole = readFileSync(log);
    const places = [...whole.keys()].filter((at) => at % 7 === 0 || at > whole.length - 20);
    for (const at of places) {
      const damaged = Buffer.from(whole);
      damaged[at]! ^= 1;
      writeFileSync(log, damaged);
      await expectRejection(openEngine({ folder }), "invalid_request", /log-1\.ndjson: line \d+: /);
    }
    writeFileSync(log, Buffer.concat([whole, Buffer.alloc(4096)]));
    await using again = await openEngine({ folder }); // preallocated space
    expect(notesOf(again).count()).toBe(2);
  });

  it("that is missing is refused", async () => {
    const engine = await openEngine({ folder, ...DATA, compactAfter: 0 });
    createNotes(engine);
    disk.fault = "base";
    await insertNotes(engine, 40);
    await engine.close();
    disk.fault = undefined;
    const logs = numbersIn(folder, "log").sort((a, b) => a - b);
    const last = logs.at(-1)!;
    expect(logs.length).toBeGreaterThan(2);
    for (const missing of logs) {
      const copy = copyOf(folder);
      rmSync(join(copy, `log-${missing}.ndjson`));
      const found = new RegExp(`log-${missing}\\.ndjson is missing`);
      await expectRejection(openEngine({ folder: copy }), "invalid_request", found);
      writeFileSync(join(copy, `log-${missing}.ndjson`), "");
      const empty = new RegExp(`log-${missing}\\.ndjson: line 1: its beginning is missing`);
      await expectRejection(openEngine({ folder: copy }), "invalid_request", empty);
    }
    const copy = copyOf(folder);
    copyFileSync(join(folder, `log-${last}.ndjson`), join(copy, `log-${logs[1]!}.ndjson`));
    await expectRejection(openEngine({ folder: copy }), "invalid_request", /of another base/);
    rmSync(join(copy, `base-${logs[0]!}.ndjson`));
    await expectRejection(openEngine({ folder: copy }), "invalid_request", /no base/);
    await openAndClose();
  });

  it("of another folder is refused and named, also with equal data", async () => {
    const other = join(root, "other");
    const grow = async (path: string, length: number, compactAfter?: number): Promise<void> => {
      const engine = await openEngine({ folder: path, ...DATA, compactAfter });
      if (engine.workspaces().length === 0) createNotes(engine);
      const texts = Array.from({ length }, () => ({ text: "x".repeat(2000) }));
      notesOf(engine).insert(texts);
      await engine.close();
    };
    const expectRefused = async (...files: [from: string, to: string, name: string][]) => {
      for (const [from, to, name] of files) {
        const mixed = copyOf(to);
        copyFileSync(join(from, name), join(mixed, name));
        const message = /log-\d\.ndjson: line 1: it is the log of another base/;
        await expectRejection(openEngine({ folder: mixed }), "invalid_request", message);
      }
    };
    await grow(folder, 9);
    await grow(other, 9);
    await expectRefused([other, folder, "log-1.ndjson"], [other, folder, "base-1.ndjson"]);
    // Two copies of a folder that both start another log.
    const copy = copyOf(folder);
    for (const path of [folder, copy]) await grow(path, 9, 0);
    expect(numbersIn(copy, "log")).toEqual([2]);
    await expectRefused([copy, folder, "log-2.ndjson"], [copy, folder, "base-2.ndjson"]);
    disk.fault = "base"; // keeps the logs before
    for (const path of [folder, copy]) await grow(path, 90, 0);
    disk.fault = undefined;
    expect(numbersIn(copy, "log")).toEqual([2, 3]);
    await expectRefused([copy, folder, "log-2.ndjson"], [copy, folder, "log-3.ndjson"]);
  });

  it("with an unwritten block loses the last commit; an earlier block is refused", async () => {
    const first = await openEngine({ folder, ...DATA });
    const notes = createNotes(first);
    const log = join(folder, "log-1.ndjson");
    const ends: number[] = [];
    const states: string[] = [];
    for (let i = 0; i < 3; i++) {
      notes.insert({ text: `note ${i}` });
      await first.flushed();
      ends.push(readFileSync(log).length);
      states.push(textOf(first));
    }
    await first.close();
    const whole = readFileSync(log);
    for (let at = ends[1]! + 1; at < ends[2]! - 20; at += 9) {
      const copy = copyOf(folder);
      const torn = Buffer.from(whole).fill(0, at, at + 16);
      writeFileSync(join(copy, "log-1.ndjson"), torn);
      expect(await savedIn(copy)).toBe(states[1]);
      writeFileSync(
        join(copy, "log-1.ndjson"),
        Buffer.from(whole).fill(0, ends[0]! + 3, ends[0]! + 9),
      );
      await expectRejection(openEngine({ folder: copy }), "invalid_request", /line \d+: /);
    }
  });
});

describe("a folder", () => {
  it("is opened by one engine at a time", async () => {
    const first = await openEngine({ folder, ...DATA });
    await expectRejection(openEngine({ folder }), "unavailable", /another process has it open/);
    await first.close();
    await openAndClose();
    expect(readdirSync(folder)).not.toContain("lock");
  });

  it("that was moved gets no writes, nor does another folder at its path", async () => {
    const place = join(folder, "data");
    const first = await openEngine({ folder: place, ...DATA, compactAfter: 0 });
    createNotes(first);
    await first.flushed();
    renameSync(place, join(folder, "moved"));
    const second = await openEngine({ folder: place, ...DATA });
    createNotes(second).insert({ text: "second" });
    await second.flushed();
    notesOf(first).insert({ text: "lost" });
    await expectRejection(first.flushed(), "unavailable", /moved or replaced/);
    await first.close().catch(() => {});
    await expectRejection(openEngine({ folder: place }), "unavailable", /has it open/);
    await second.close();
    expect(await savedIn(place)).toBe(textOf(second));
  });

  it("with a relative path is resolved once", async () => {
    const before = process.cwd();
    process.chdir(folder);
    try {
      const engine = await openEngine({ folder: "data", ...DATA, compactAfter: 0 });
      mkdirSync("other");
      process.chdir("other");
      for (let i = 0; i < 3; i++) {
        engine.createWorkspace(`w${i}`);
        await engine.flushed();
      }
      await engine.close();
      const again = await openEngine({ folder: join(folder, "data") });
      expect(again.workspaces()).toHaveLength(3);
      await again.close();
    } finally {
      process.chdir(before);
    }
  });

  it("is taken over from a process that has ended", async () => {
    const engine = await openEngine({ folder, ...DATA });
    const [name = ""] = readdirSync(join(folder, "lock"));
    await engine.close();
    expect(readdirSync(folder)).not.toContain("lock");
    const ended = execFileSync(process.execPath, ["-p", "process.pid"], { encoding: "utf8" });
    const names = [
      name.replace(/\d+/, ended.trim()), // in place of the id
      name.replace(/_\d+/, "_1"), // the same id, but a process that began earlier
      name.replace(/\d+-[\da-f]+$/, "1-1"), // of another folder
      ...["", "5", "lock-1", "lock-x-0-1-1-1"],
    ];
    for (const other of names) {
      mkdirSync(join(folder, "lock"));
      writeFileSync(join(folder, "lock", other || "empty"), "");
      await openAndClose();
    }
    mkdirSync(join(folder, "lock"));
    writeFileSync(join(folder, "lock", name), "");
    await expectRejection(openEngine({ folder }), "unavailable", /another process/);
  });

  it("can be opened as a copy while it is open, and as both afterwards", async () => {
    const engine = await openEngine({ folder, ...DATA });
    createNotes(engine).insert({ text: "one" });
    await engine.flushed();
    const copy = join(root, "copy");
    cpSync(folder, copy, { recursive: true });
    expect(await savedIn(copy)).toBe(textOf(engine));
    await engine.close();
    expect(await savedIn(folder)).toBe(textOf(engine));
  });
});

it(`a copy that is made during writes and compactions opens with all earlier writes, or is refused (seed ${seed})`, async () => {
  const found = { opened: 0, refused: 0 };
  const property = fc.asyncProperty(fc.array(fc.nat(12), { minLength: 8 }), async (groups) => {
    const path = mkdtempSync(join(root, "own-"));
    const engine = await openEngine({ folder: path, ...DATA, compactAfter: 500 });
    createNotes(engine);
    await engine.flushed();
    await insertNotes(engine, groups[0]!);
    const before = notesOf(engine).count();
    const copy = mkdtempSync(join(root, "copy-"));
    // As `cp -r` does: it lists the folder once, and fails if a file is gone.
    let isWhole = true;
    for (const [index, name] of readdirSync(path).entries()) {
      if (name === "lock") continue;
      if (existsSync(join(path, name))) copyFileSync(join(path, name), join(copy, name));
      else isWhole = false;
      await insertNotes(engine, groups[index + 1] ?? 0);
    }
    await engine.close();
    if (!isWhole) return;
    try {
      await using again = await openEngine({ folder: copy, initial: () => expect.fail("empty") });
      const records = [...notesOf(again).scan()];
      expect(records.length).toBeGreaterThanOrEqual(before);
      expect(records).toEqual([...notesOf(engine).scan()].slice(0, records.length));
      found.opened++;
    } catch (error) {
      if ((error as { code?: string }).code !== "invalid_request") throw error;
      found.refused++;
    }
  });
  await fc.assert(property, { seed, numRuns: Math.ceil(60 * runs) });
  expect(found.opened).toBeGreaterThan(3);
});

describe("a folder with foreign files", () => {
  const contents = (): Record<string, string> =>
    Object.fromEntries(readdirSync(folder).map((name) => [name, readFile(name)]));
  const readFile = (name: string): string => readFileSync(join(folder, name), "utf8");

  it("keeps files that only resemble leftovers of an ended process", async () => {
    const others = [
      "notes.new",
      "base-1.ndjson.new.txt",
      "base-007.ndjson",
      "log-x.ndjson",
      "lock-",
    ];
    const odd = [`base-${"9".repeat(30)}.ndjson`, `log-${"9".repeat(30)}.ndjson`, "log-0.ndjson"];
    for (const name of [...others, ...odd]) writeFileSync(join(folder, name), name);
    const left = ["base-1.ndjson.new", "base-12.ndjson.new", "lock-of-1.new", "lock-4"];
    for (const name of left) writeFileSync(join(folder, name), "half");
    for (let i = 0; i < 2; i++) await openAndClose();
    const after = contents();
    for (const name of [...others, ...odd]) expect(after[name]).toBe(name);
    for (const name of left) expect(after).not.toHaveProperty(name);
  });

  it("is refused unchanged if a later base is not a base or has no log", async () => {
    const engine = await openEngine({ folder, ...DATA });
    createNotes(engine).insert({ text: "one" });
    const text = textOf(engine);
    await engine.close();
    const before = contents();
    const empty = sealLines([["twinbase-log", 1, { commits: 1 }]]);
    const strays: [added: Record<string, string>, message: RegExp][] = [
      [{ "base-9.ndjson": "[]" }, /log-9\.ndjson is missing/],
      [{ "base-9.ndjson": "[]", "log-9.ndjson": "" }, /base-9\.ndjson/],
      [{ "base-9.ndjson": text, "log-9.ndjson": "" }, /its beginning is missing/],
      [
        { "base-9.ndjson": text, "log-9.ndjson": empty, "log-11.ndjson": empty },
        /log-9.ndjson ends before log-11.ndjson begins/,
      ],
    ];
    for (const [added, message] of strays) {
      for (const [name, content] of Object.entries(added)) {
        writeFileSync(join(folder, name), content);
      }
      await expectRejection(openEngine({ folder }), "invalid_request", message);
      expect(contents()).toEqual({ ...before, ...added });
      for (const name of Object.keys(added)) rmSync(join(folder, name));
    }
    expect(await savedIn(folder)).toBe(text);
  });
});

describe("a full disk", () => {
  it("delays compaction, with growing pauses, until space is free", async () => {
    const engine = await openEngine({ folder, ...DATA, compactAfter: 500 });
    createNotes(engine);
    await engine.flushed();
    disk.fault = "base";
    await insertNotes(engine, 300);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(numbersIn(folder, "log").length).toBeLessThan(12);
    expect(numbersIn(folder, "base")).toEqual([1]);
    expect(readdirSync(folder).filter((name) => name.endsWith(".new"))).toEqual([]);
    disk.fault = undefined;
    await insertNotes(engine, 500);
    await engine.close();
    expect(numbersIn(folder, "base")).not.toEqual([1]);
    expect(await savedIn(folder)).toBe(textOf(engine));
  });

  it("during the creation of a folder leaves no files, and the error suggests a remedy", async () => {
    const path = join(folder, "new");
    let refused = 0;
    for (let step = 0; ; step++) {
      disk.writesLeft = step;
      const opened = await openEngine({ folder: path, ...DATA }).catch((error) => error);
      disk.writesLeft = Number.POSITIVE_INFINITY;
      if (opened instanceof FolderEngine) {
        await opened.close();
        break;
      }
      refused++;
      expect(opened).toMatchObject({
        code: "unavailable",
        message: expect.stringMatching(/ENOSPC.*; free disk space and open it again$/),
      });
      expect(readdirSync(path)).toEqual([]);
    }
    expect(refused).toBeGreaterThan(3);
  });

  it("does not prevent opening if leftovers of an ended process can be removed first", async () => {
    await openAndClose();
    const left = join(folder, "base-2.ndjson.new");
    writeFileSync(left, "half");
    using _ = replaceFs({
      writeFileSync: (...given) => {
        if (existsSync(left)) throw Object.assign(new Error("ENOSPC: full"), { code: "ENOSPC" });
        real.writeFileSync(...given);
      },
    });
    await openAndClose();
    expect(existsSync(left)).toBe(false);
  });

  it("or a read-only one is named in the error", async () => {
    const mkdirSync = ((path: string, options?: { recursive?: boolean }) => {
      const code = options?.recursive ? "ENOENT" : "EROFS"; // as the system has it
      throw Object.assign(new Error(`${code}: mkdir '${path}'`), { code });
    }) as typeof fs.mkdirSync; // the overload that is called
    using _ = replaceFs({ mkdirSync });
    const path = join(folder, "a", "b");
    await expectRejection(openEngine({ folder: path }), "unavailable", /EROFS.* may write to$/);
  });
});

describe("a disk that fails", () => {
  it.each([
    ["write", "that can be truncated", /ENOSPC\);/],
    ["sync", "that can be truncated", /ENOSPC\);/],
    ["sync", "that cannot", /ENOSPC\) and the outcome of the last writes is unknown;/],
  ] as const)("in a %s of a log %s refuses writes for good", async (fault, log, message) => {
    const engine = await openEngine({ folder, ...DATA });
    const notes = createNotes(engine);
    await engine.flushed();
    disk.fault = fault;
    const ftruncateSync = (): void => {
      throw Object.assign(new Error("EIO"), { code: "EIO" });
    };
    const truncated = log.endsWith("cannot") ? replaceFs({ ftruncateSync }) : undefined;
    notes.insert({ text: "lost" });
    await expectRejection(engine.flushed(), "unavailable", message);
    disk.fault = undefined;
    truncated?.[Symbol.dispose]();
    expectRefusal(() => notes.insert({}), {
      code: "unavailable",
      message: /cannot be persisted/,
    });
    await expectRejection(engine.flushed(), "unavailable", /ENOSPC/);
    await expectRejection(engine.close(), "unavailable", /ENOSPC/);
    await using again = await openEngine({ folder });
    expect(notesOf(again).count()).toBe(truncated === undefined ? 0 : 1);
  });

  it("E-1: causes 503 over HTTP, also for reads of data that may be lost", async () => {
    const engine = await openEngine({ folder, ...DATA });
    createNotes(engine);
    const fetch = createFetch(engine);
    const at = "http://localhost/db/d:main/tables/notes";
    const send = async (path: string, body: object) =>
      (await fetch(`${at}/${path}`, { method: "POST", body: JSON.stringify(body) })).status;
    expect(await send("data", { text: "kept" })).toBe(201);
    disk.fault = "sync";
    expect(await send("data", { text: "lost" })).toBe(503);
    disk.fault = undefined;
    expect(await send("data", { text: "no" })).toBe(503);
    expect(await send("query", {})).toBe(503);
    await engine.close().catch(() => {});
  });
});

function alterTwice(engine: AnyEngine, branch = "main"): void {
  const notes = engine.workspace("w").database("d").branch(branch).table("notes");
  notes.addColumn({ name: "a", type: "int", notNull: true, defaultValue: 1 });
  notes.addColumn({ name: "b", type: "int" });
}

function createNotes(engine: AnyEngine, workspace = "w", database = "d") {
  const main = engine.createWorkspace(workspace).createDatabase(database).branch("main");
  return main.createTable("notes", [{ name: "text", type: "string" }]);
}

async function openAndClose(): Promise<void> {
  await (await openEngine({ folder, ...DATA })).close();
}

async function insertNotes(
  engine: AnyEngine & Pick<FolderEngine, "flushed">,
  count: number,
): Promise<void> {
  for (let i = 0; i < count; i++) {
    notesOf(engine).insert({ text: `note ${i}` });
    await engine.flushed();
  }
}

function notesOf(engine: AnyEngine) {
  return engine.workspace("w").database("d").branch("main").table("notes");
}

/** The export of the engine that a folder opens as. */
async function savedIn(folder: string): Promise<string> {
  await using engine = await openEngine({ folder });
  return textOf(engine);
}

/** A copy of the files without the lock, as a killed process leaves them. */
function copyOf(given: string): string {
  const copy = mkdtempSync(join(root, "copy-"));
  for (const name of readdirSync(given)) {
    if (name !== "lock") copyFileSync(join(given, name), join(copy, name));
  }
  return copy;
}

function numbersIn(given: string, kind: string): number[] {
  return readdirSync(given).flatMap((name) => {
    const [, number] = new RegExp(`^${kind}-(\\d+)`).exec(name) ?? [];
    return number === undefined ? [] : [Number(number)];
  });
}

async function expectRejection(promise: Promise<unknown>, code: string, message: RegExp) {
  const refusal = { code, message: expect.stringMatching(message) };
  await expect(promise).rejects.toMatchObject(refusal);
}
