import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inviteMember } from "../../src/accounts.js";
import { subscribe } from "../../src/changes.js";
import { queryCaseArbitrary } from "../../src/conformance/arbitraries/cases.js";
import { EngineContext } from "../../src/engine/context.js";
import { ChangeLog } from "../../src/engine/log/change-log.js";
import { Replay } from "../../src/engine/log/replay.js";
import type { Notice } from "../../src/engine/notice.js";
import type { Snapshot } from "../../src/engine/snapshot.js";
import { Engine } from "../../src/engine.js";
import { exportEngine, importEngine, importInto } from "../../src/export.js";
import { enableFiles } from "../../src/files.js";
import { type AnyEngine, createEngine, TwinbaseError } from "../../src/index.js";
import { type Event, eventsArbitrary, happen, mainOf } from "../double/generated-engine.js";
import { runs, seed } from "../generated.js";
import { sealLines } from "../seal-lines.js";

/** Something that happens to an engine, beside what `happen` knows. */
const MORE = {
  put: (engine, n) => {
    const table = tableOf(engine, n);
    table.put(`p${n % 20}`, {});
  },
  upsertMany: (engine, n) => {
    const table = tableOf(engine, n);
    const operations = Array.from({ length: n % 7 }, (_, i) => ({
      update: { table: table.name, id: `p${(n + i) % 20}`, fields: {}, upsert: true },
    }));
    branchOf(engine, n).transaction([
      ...operations,
      { delete: { table: table.name, id: `p${n % 20}` } },
    ]);
  },
  load: (engine, n) => void tableOf(engine, n).load(Array.from({ length: n % 50 }, () => ({}))),
  clear: (engine, n) => {
    const table = tableOf(engine, n);
    for (const { id } of table.query({ columns: [], page: { size: 200 } }).records)
      table.delete(id);
  },
  addColumn: (engine, n) => void tableOf(engine, n).addColumn(columnOf(n)),
  addUnique: (engine, n) => {
    tableOf(engine, n).addColumn({ name: `u${n}`, type: "string", unique: true });
  },
  addObject: (engine, n) => {
    const columns = [columnOf(n), { name: "deep", type: "object", columns: [columnOf(n + 1)] }];
    tableOf(engine, n).addColumn({ name: `o${n}`, type: "object", columns } as never);
  },
  write: (engine, n) => {
    const table = tableOf(engine, n);
    const { records } = table.query({ columns: [], page: { size: 20 } });
    for (const [place, { id }] of records.entries()) {
      for (const { name, type } of table.schema().columns) {
        if (type === "int") table.update(id, { [name]: n + place });
        if (type === "string") table.update(id, { [name]: `ä\n"${n + place}` });
        if (type === "datetime") table.update(id, { [name]: "2020-01-01T00:00:00.000123Z" });
        if (type === "multiple") table.update(id, { [name]: ["a", `b${n}`] });
      }
    }
  },
  renameBranch: (engine, n) => databaseOf(engine).renameBranch(branchOf(engine, n).name, `r${n}`),
  deleteBranch: (engine, n) => databaseOf(engine).deleteBranch(branchOf(engine, n).name),
  deleteTable: (engine, n) => branchOf(engine, n).deleteTable(tableOf(engine, n).name),
  renameDatabase: (engine, n) => {
    engine.workspace("w").renameDatabase("d", `d${n}`);
    branchOf(engine, n, `d${n}`).createTable(`in${n}`);
    engine.workspace("w").renameDatabase(`d${n}`, "d");
  },
  otherDatabase: (engine, n) => {
    const workspace = engine.workspace("w");
    if (n % 3 === 0) workspace.deleteDatabase(`e${n % 4}`);
    else
      workspace
        .createDatabase(`e${n % 4}`)
        .branch("main")
        .createTable("t", [columnOf(n)]);
  },
  workspace: (engine, n) => {
    if (n % 3 === 0) engine.deleteWorkspace(`w${n % 4}`);
    else if (n % 3 === 1) engine.createWorkspace(`w${n % 4}`);
    else engine.renameWorkspace("w", `W${n}`);
  },
  key: (engine, n) => {
    const id = `usr_${n % 3}`;
    if (n % 4 === 0) engine.deleteKey(id, `k${n % 8}`);
    else engine.createKey(id, `k${n % 8}`);
  },
  invite: (engine, n) =>
    void inviteMember(engine.workspace("w"), { email: `i${n}@example.com`, role: "maintainer" }),
  metadata: (engine, n) => branchOf(engine, n).setMetadata({ stage: `s${n}` }),
  clock: (engine, n) => (n % 2 === 0 ? engine.clock.set(n) : engine.clock.reset()),
  secret: (engine, n) => void engine.drawSecret(1 + (n % 5)),
  setBaseline: (engine) => engine.setBaseline(),
  reset: (engine) => engine.reset(),
} satisfies Record<string, (engine: AnyEngine, n: number) => void>;

type Step =
  | { readonly kind: "event"; readonly event: Event }
  | {
      readonly kind: keyof typeof MORE | "snapshot" | "restore" | "import" | "listen";
      readonly n: number;
    }
  | { readonly kind: "commit" };

describe(`a log (seed ${seed})`, () => {
  it("H-5: brings an export to what the engine holds, byte for byte, at every commit", () => {
    const kinds = [...Object.keys(MORE), "snapshot", "restore", "restore", "import", "listen"];
    const step = fc.oneof(
      { weight: 4, arbitrary: eventsArbitrary().map(([event]) => event) },
      { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom(...kinds), n: fc.nat(1000) }) },
      { weight: 2, arbitrary: fc.constant({ kind: "commit" }) },
    );
    const steps = fc
      .array(step, { minLength: 5, maxLength: 60, size: "max" })
      .map((all) => all.map(asStep));
    let commits = 0;
    const property = fc.property(queryCaseArbitrary(), steps, (given, program) => {
      const engine = enableFiles(createEngine({ profile: given.profile, seed: 1, now: 0 }));
      engine.createWorkspace("w").createDatabase("d");
      for (const { name, columns } of given.tables) mainOf(engine).createTable(name, columns);
      for (const { name } of given.tables) {
        mainOf(engine)
          .table(name)
          .insert([...(given.records[name] ?? [])]);
      }
      commits += expectReplayed(engine, program);
    });
    fc.assert(property, { seed, numRuns: Math.ceil(120 * runs) });
    expect(commits).toBeGreaterThan(300 * runs);
  });
});

describe("a line of an update", () => {
  const made = (): AnyEngine => {
    const engine = createEngine({ seed: 1, now: 0 });
    const main = engine.createWorkspace("w").createDatabase("d").branch("main");
    main.createTable("t", [columnOf(0), columnOf(3)]).insert({ id: "r", a0: 1, d3: ["a"] });
    return engine;
  };
  const logged = (engine: AnyEngine, act: (log: ChangeLog) => void): string => {
    const context = Engine.contextOf(engine);
    const log = new ChangeLog(context, 0);
    const keep = (notice: Notice) => log.add(notice);
    context.feed.keepBy({ requireReady: () => {}, keep, flushed: () => undefined });
    const text = log.begin();
    act(log);
    return text + decode(log.commit());
  };

  it("holds the columns that were written since the last commit, each once", () => {
    const engine = made();
    const table = engine.workspace("w").database("d").branch("main").table("t");
    const text = logged(engine, () => {
      table.update("r", { a0: 2 });
      table.update("r", {});
      table.update("r", { a0: 3 });
    });
    expect(text).toContain('["u","r",3,"1970-01-01T00:00:00Z",4,3,"');
    expect(text).not.toContain('["r","r"');
    const whole = logged(made(), () => {});
    expect(whole).not.toContain('"rows"');
  });

  it("gives way to the whole record where that was new, deleted or put", () => {
    const engine = made();
    const table = engine.workspace("w").database("d").branch("main").table("t");
    const text = logged(engine, () => {
      table.update("r", { a0: 2 });
      table.delete("r");
      table.insert({ id: "r", a0: 7 });
      table.update("r", { a0: 8 });
    });
    expect(text).toContain('["r","r",1,"1970-01-01T00:00:00Z",null,8,null,"');
    expect(text).not.toContain('["u"');
  });

  it.each([
    ["a record that is not there", ["u", "s", 2, "1970-01-01T00:00:00Z"]],
    ["no id", ["u", 5, 2, "1970-01-01T00:00:00Z"]],
    ["a slot of no column", ["u", "r", 2, "1970-01-01T00:00:00Z", 9, 1]],
    ["a value of another type", ["u", "r", 2, "1970-01-01T00:00:00Z", 4, "x"]],
    ["no version", ["u", "r", "2", "1970-01-01T00:00:00Z"]],
    ["no time", ["u", "r", 2, "soon"]],
  ])("is refused with %s", (_, line) => {
    const base = textOf(made());
    const lines = [["twinbase-log", 1, 0], ["rows", "w", "d", "main", "t"], line];
    const text = sealLines(lines);
    expect(() => replayed(base, text)).toThrow(TwinbaseError);
  });
});

/** Lets an engine live on while its changes are logged; gives the number of commits. */
function expectReplayed(engine: AnyEngine, program: readonly Step[]): number {
  const base = textOf(engine);
  const context = Engine.contextOf(engine);
  const log = new ChangeLog(context, 0);
  context.feed.keepBy({
    requireReady: () => {},
    keep: (write) => log.add(write),
    flushed: () => undefined,
  });
  let text = decode([log.begin()]);
  const snapshots: Snapshot[] = [];
  let commits = 0;
  let listening: Disposable | undefined;
  for (const step of [...program, { kind: "commit" } as const]) {
    try {
      switch (step.kind) {
        case "event":
          happen(engine, step.event);
          break;
        case "snapshot":
          snapshots.push(engine.snapshot());
          break;
        case "restore":
          if (snapshots.length > 0) engine.restore(snapshots[step.n % snapshots.length]!);
          break;
        case "import":
          importInto(engine, base);
          break;
        case "listen":
          if (listening === undefined) listening = subscribe(engine, () => {});
          else {
            listening[Symbol.dispose]();
            listening = undefined;
          }
          break;
        case "commit":
          text += decode(log.commit());
          commits++;
          expect(textOf(replayed(base, text))).toBe(textOf(engine));
          break;
        default:
          MORE[step.kind](engine, step.n);
      }
    } catch (error) {
      if (!(error instanceof TwinbaseError)) throw error;
    }
  }
  return commits;
}

function replayed(base: string, text: string): AnyEngine {
  const begun = Engine.contextOf(importEngine(base));
  const { profile, limits, indexes, seed: own } = begun;
  const replay = new Replay(
    profile,
    {
      contents: begun.share(),
      seed: own,
      clock: begun.clock.setting,
    },
    begun.files!,
  );
  replay.read("log", [new TextEncoder().encode(text)], []);
  const { contents, seed: drawn, clock } = replay.end();
  const setup = { profile, limits, indexes, seed: drawn, clock: begun.clock };
  const context = new EngineContext(setup, contents);
  if (clock !== undefined) context.clock.turnTo(clock);
  return new Engine(context);
}

function decode(bytes: readonly Uint8Array[]): string {
  return bytes.map((part) => new TextDecoder().decode(part)).join("");
}

function asStep(given: object | undefined): Step {
  const step = given ?? { kind: "commit" };
  const { kind } = step as { kind: string };
  const isEvent = kind !== "commit" && !(kind in MORE) && !OTHERS.includes(kind);
  return (isEvent ? { kind: "event", event: step } : step) as Step; // as it was drawn
}

const OTHERS = ["snapshot", "restore", "import", "listen"];

function databaseOf(engine: AnyEngine, name = "d") {
  return engine.workspace("w").database(name);
}

function branchOf(engine: AnyEngine, n: number, database = "d") {
  const branches = databaseOf(engine, database).branches();
  return databaseOf(engine, database).branch(branches[n % branches.length]!.name);
}

function tableOf(engine: AnyEngine, n: number) {
  const branch = branchOf(engine, n);
  const tables = branch.tables();
  return branch.table(tables[n % Math.max(1, tables.length)]?.name ?? "none");
}

function columnOf(n: number) {
  const columns = [
    { name: `a${n}`, type: "int" },
    { name: `b${n}`, type: "string", defaultValue: "x" },
    { name: `c${n}`, type: "datetime", defaultValue: "now" },
    { name: `d${n}`, type: "multiple" },
    { name: `e${n}`, type: "json" },
    { name: `f${n}`, type: "float", notNull: true, defaultValue: 0.5 },
  ] as const;
  return columns[n % columns.length]!;
}

function textOf(engine: AnyEngine): string {
  return [...exportEngine(engine)].join("");
}
