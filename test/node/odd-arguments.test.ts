import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { cancelInvite, inviteMember, listInvites, updateInvite } from "../../src/accounts.js";
import { exportEngine, importEngine } from "../../src/export.js";
import { downloadFile, enableFiles, uploadFile } from "../../src/files.js";
import {
  createMigrationRequest,
  mergeMigrationRequest,
  updateMigrationRequest,
  updateSchema,
} from "../../src/history.js";
import { type AnyEngine, createEngine, TwinbaseError } from "../../src/index.js";
import { openEngine } from "../../src/node.js";
import { defineColumns } from "../columns.js";
import { runs, seed } from "../generated.js";
import { expectRefusal } from "../refusal.js";
import { change, mutate } from "../robustness/junk.js";

const root = mkdtempSync(join(tmpdir(), "twinbase-odd-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const PLACE = { record: "p", column: "file" };
const BYTES = new Uint8Array(2);

type Act = (engine: AnyEngine, args: readonly [never, never, never]) => unknown;

/** Calls that write, with valid arguments, which are mutated. */
const CALLS: readonly (readonly [act: Act, ...args: unknown[]])[] = [
  [(e, [a, b]) => e.createWorkspace(a, b), "v", { name: "V" }],
  [(e, [a, b]) => e.renameWorkspace(a, b), "w", "W"],
  [(e, [a]) => e.workspace("w").update(a), { name: "W", slug: "w-1" }],
  [(e, [a]) => e.workspace("w").updateSettings(a), { a: [1, { b: null }], n: 2 }],
  [
    (e, [a, b]) => e.workspace("w").createDatabase(a, b),
    "e",
    { ui: { color: "red" }, region: "x" },
  ],
  [(e, [a]) => databaseOf(e).update(a), { ui: { color: "blue" } }],
  [(e, [a]) => databaseOf(e).updateSettings(a), { a: [1, { b: null }] }],
  [
    (e, [a, b]) => databaseOf(e).createBranch(a, b),
    "b",
    { from: "main", metadata: { repository: "r", branch: "g", stage: "s", labels: ["a", "b"] } },
  ],
  [(e, [a, b]) => databaseOf(e).renameBranch(a, b), "b", "c"],
  [(e, [a]) => databaseOf(e).gitBranches.add(a), { gitBranch: "g", xataBranch: "main" }],
  [
    (e, [a]) => mainOf(e).setMetadata(a),
    { repository: "r", branch: "g", stage: "s", labels: ["a", "b", "c"] },
  ],
  [
    (e, [a, b]) => mainOf(e).createTable(a, b),
    "more",
    [
      { name: "n", type: "int", notNull: true, defaultValue: 1 },
      { name: "home", type: "object", columns: [{ name: "zip", type: "string" }] },
    ],
  ],
  [(e, [a, b]) => mainOf(e).renameTable(a, b), "more", "less"],
  [(e, [a]) => tableOf(e).addColumn(a), { name: "x", type: "json", defaultValue: { a: [1] } }],
  [(e, [a]) => tableOf(e).addColumn(a), { name: "v", type: "vector", vector: { dimension: 2 } }],
  [(e, [a, b]) => tableOf(e).renameColumn(a, b), "x", "y"],
  [(e, [a]) => tableOf(e).insert(a), goodRecord()],
  [(e, [a]) => tableOf(e).insert(a), [goodRecord(), { n: 2, tags: ["x"] }]],
  [(e, [a]) => tableOf(e).load(a), [goodRecord(), { doc: [null, { a: -0 }] }]],
  [(e, [a, b]) => tableOf(e).put(a, b), "p", goodRecord()],
  [(e, [a, b]) => tableOf(e).update(a, b), "p", { doc: { a: [1, [2]] }, n: { $increment: 1 } }],
  [(e, [a, b]) => tableOf(e).replace(a, b), "p", goodRecord()],
  [(e, [a, b]) => tableOf(e).upsert(a, b), "q", goodRecord()],
  [
    (e, [a]) => mainOf(e).transaction(a),
    [
      { insert: { table: "notes", record: goodRecord() } },
      { update: { table: "notes", id: "r", fields: { tags: ["a"] }, upsert: true } },
    ],
  ],
  [(e, [a, b, c]) => uploadFile(tableOf(e), a, b, c), PLACE, BYTES, { mediaType: "text/plain" }],
  [
    (e, [a]) => e.createUser(a),
    { email: "u@example.com", fullname: "U", image: "i", keys: ["k1"], workspaces: ["w"] },
  ],
  [
    (e, [a, b]) => e.updateUser(a, b),
    "usr_0",
    { fullname: "N", email: "n@example.com", image: "" },
  ],
  [(e, [a, b]) => e.createKey(a, b), "usr_0", "name"],
  [(e, [a, b]) => e.deleteKey(a, b), "usr_0", "name"],
  [(e, [a]) => inviteMember(e.workspace("w"), a), { email: "i@example.com", role: "owner" }],
  [(e, [a]) => updateInvite(e.workspace("w"), inviteOf(e).inviteId, a), { role: "maintainer" }],
  [(e) => cancelInvite(e.workspace("w"), inviteOf(e).inviteId)],
  [
    (e, [a]) => updateSchema(mainOf(e), a),
    { operations: [{ addColumn: { table: "notes", column: { name: "z", type: "text" } } }] },
  ],
  [
    (e, [a]) => createMigrationRequest(databaseOf(e), a),
    { source: "b", target: "main", title: "t", body: "b" },
  ],
  [(e, [a, b]) => updateMigrationRequest(databaseOf(e), a, b), 1, { title: "u", status: "closed" }],
  [(e, [a]) => mergeMigrationRequest(databaseOf(e), a), 1],
  [(e, [a]) => e.clock.set(a), "2022-02-02T02:02:02.000Z"],
  [(e, [a]) => e.clock.advance(a), 5],
  [(e, [a]) => e.drawSecret(a), 3],
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
    const initial = (): AnyEngine => live(createEngine({ seed: 1, now: 0 }));
    const engine = enableFiles(await openEngine({ folder, initial, compactAfter: 4000 }));
    for (const { call, changes } of program) {
      const [act, ...args] = CALLS[call]!;
      try {
        act(engine, mutate(args, changes) as [never, never, never]); // of any type
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
    (e) => downloadFile(tableOf(e), { record: "p", column: 1n as never }),
  ],
  ["options", "H-3", "", (e) => uploadFile(tableOf(e), PLACE, BYTES, null as never)],
  ["a length", "E-3", "", (e) => e.drawSecret(Symbol("one") as never)],
  ["an update", "K-2", "", (e) => updateSchema(mainOf(e), null as never)],
  ["a number", "K-3", "/number", (e) => updateMigrationRequest(databaseOf(e), Object(1n), {})],
])("E-1: refuses %s of another type, with rule and path", (_, rule, path, act) => {
  const engine = live(createEngine());
  expectRefusal(() => act(engine), { code: "invalid_request", rule, path });
});

function live<E extends AnyEngine>(engine: E): E {
  enableFiles(engine);
  const database = engine.createWorkspace("w").createDatabase("d");
  database.branch("main").createTable("notes", [
    { name: "name", type: "string", unique: true },
    ...defineColumns({
      n: "int",
      f: "float",
      text: "text",
      tags: "multiple",
      doc: "json",
      at: "datetime",
      home: { zip: "string" },
      file: "file",
      files: "file[]",
    }),
  ]);
  tableOf(engine).put("p", {});
  database.createBranch("b", { from: "main" });
  return engine;
}

function goodRecord() {
  const file = { name: "a", mediaType: "text/plain", base64Content: "aGVsbG8=" };
  const texts = { text: "t", at: "2020-01-01T00:00:00.000123Z", home: { zip: "1" } };
  return { n: 1, f: 0.5, tags: ["a", "b"], doc: { a: [1, null] }, file, files: [file], ...texts };
}

function databaseOf(engine: AnyEngine) {
  return engine.workspace("w").database("d");
}

function mainOf(engine: AnyEngine) {
  return databaseOf(engine).branch("main");
}

function tableOf(engine: AnyEngine) {
  return mainOf(engine).table("notes");
}

function inviteOf(engine: AnyEngine) {
  return listInvites(engine.workspace("w")).at(-1) ?? { inviteId: "none" };
}

function textOf(engine: AnyEngine): string {
  return [...exportEngine(engine)].join("");
}
