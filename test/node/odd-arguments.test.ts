import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { cancelInvite, inviteMember, listInvites, updateInvite } from "../../src/accounts.js";
import { importEngine } from "../../src/export.js";
import { downloadFile, enableFiles, uploadFile } from "../../src/files.js";
import {
  createMigrationRequest,
  mergeMigrationRequest,
  updateMigrationRequest,
  updateSchema,
} from "../../src/history.js";
import { type AnyEngine, createEngine, TwinbaseError } from "../../src/index.js";
import { openEngine } from "../../src/node.js";
import { runs, seed } from "../generated.js";
import { textOf } from "../persist/texts.js";
import { expectRefusal } from "../refusal.js";
import { change, mutate } from "../robustness/junk.js";
import { type GoodCall, openWorld, writesOf } from "../robustness/world.js";

const root = mkdtempSync(join(tmpdir(), "twinbase-odd-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const PLACE = { record: "u1", column: "photo" };
const BYTES = new Uint8Array(2);

type Act = (engine: AnyEngine, args: readonly [never, never, never]) => unknown;

/** Calls of the parts beside the engine, with valid arguments. */
const OTHERS: readonly (readonly [act: Act, ...args: unknown[]])[] = [
  [(e, [a]) => databaseOf(e).updateSettings(a), { a: [1, { b: null }] }],
  [(e, [a, b, c]) => uploadFile(tableOf(e), a, b, c), PLACE, BYTES, { mediaType: "text/plain" }],
  [(e, [a, b]) => e.createKey(a, b), "usr_1", "name"],
  [(e, [a, b]) => e.deleteKey(a, b), "usr_1", "name"],
  [(e, [a]) => inviteMember(e.workspace("acme"), a), { email: "i@example.com", role: "owner" }],
  [(e, [a]) => updateInvite(e.workspace("acme"), inviteOf(e).inviteId, a), { role: "maintainer" }],
  [(e) => cancelInvite(e.workspace("acme"), inviteOf(e).inviteId)],
  [
    (e, [a]) => updateSchema(mainOf(e), a),
    { operations: [{ addColumn: { table: "users", column: { name: "z", type: "text" } } }] },
  ],
  [
    (e, [a]) => createMigrationRequest(databaseOf(e), a),
    { source: "dev", target: "main", title: "t", body: "b" },
  ],
  [(e, [a, b]) => updateMigrationRequest(databaseOf(e), a, b), 1, { title: "u", status: "closed" }],
  [(e, [a]) => mergeMigrationRequest(databaseOf(e), a), 1],
  [(e, [a]) => e.clock.set(a), "2022-02-02T02:02:02.000Z"],
  [(e, [a]) => e.clock.advance(a), 5],
  [(e, [a]) => e.drawSecret(a), 3],
];

/** The world of the samples, and the calls that write to it. */
const world = await openWorld("documented");
const saved = world.snapshot();
const CALLS: readonly Pick<GoodCall, "args" | "call">[] = [
  ...writesOf(world),
  ...OTHERS.map(([act, ...args]) => ({
    args,
    call: (engine: AnyEngine, ...given: readonly unknown[]) =>
      act(engine, given as [never, never, never]), // of any type
  })),
];

const stepArbitrary = fc.record({
  call: fc.nat(CALLS.length - 1),
  changes: fc.array(change, { maxLength: 3 }),
});

it(`H-5: a reopened folder has every accepted write (seed ${seed})`, async () => {
  let accepted = 0;
  const programs = fc.array(stepArbitrary, { minLength: 20, maxLength: 60, size: "max" });
  const property = fc.asyncProperty(programs, async (program) => {
    const folder = mkdtempSync(join(root, "f"));
    const initial = (): AnyEngine => openSaved();
    const engine = enableFiles(await openEngine({ folder, initial, compactAfter: 4000 }));
    for (const { call, changes } of program) {
      const { args, call: act } = CALLS[call]!;
      try {
        act(engine, ...mutate(args, changes));
        accepted++;
      } catch (error) {
        if (!(error instanceof TwinbaseError)) throw error;
      }
      if (changes.length === 2) await engine.flushed();
    }
    await engine.flushed();
    const text = textOf(engine);
    await engine.close();
    const again = await openEngine({ folder });
    expect(textOf(again)).toBe(text);
    await again.close();
    expect(textOf(importEngine(text))).toBe(text);
    rmSync(folder, { recursive: true });
  });
  await fc.assert(property, { seed, numRuns: Math.ceil(40 * runs) });
  expect(accepted).toBeGreaterThan(200 * runs);
});

it.each<[name: string, rule: string, path: string, act: (engine: AnyEngine) => unknown]>([
  ["a place", "H-3", "", (e) => uploadFile(tableOf(e), null as never, BYTES)],
  [
    "a column",
    "H-3",
    "/column",
    (e) => downloadFile(tableOf(e), { record: "u1", column: 1n as never }),
  ],
  ["options", "H-3", "", (e) => uploadFile(tableOf(e), PLACE, BYTES, null as never)],
  ["a length", "E-3", "", (e) => e.drawSecret(Symbol("one") as never)],
  ["an update", "K-2", "", (e) => updateSchema(mainOf(e), null as never)],
  ["a number", "K-3", "/number", (e) => updateMigrationRequest(databaseOf(e), Object(1n), {})],
])("E-1: refuses %s of another type, with rule and path", (_, rule, path, act) => {
  expectRefusal(() => act(openSaved()), { code: "invalid_request", rule, path });
});

function openSaved(): AnyEngine {
  const engine = enableFiles(createEngine({ seed: 1, now: 0 }));
  engine.restore(saved);
  return engine;
}

function databaseOf(engine: AnyEngine) {
  return engine.workspace("acme").database("shop");
}

function mainOf(engine: AnyEngine) {
  return databaseOf(engine).branch("main");
}

function tableOf(engine: AnyEngine) {
  return mainOf(engine).table("users");
}

function inviteOf(engine: AnyEngine) {
  return listInvites(engine.workspace("acme")).at(-1) ?? { inviteId: "none" };
}
