import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inviteMember } from "../../src/accounts.js";
import { importEngine } from "../../src/export.js";
import { enableFiles } from "../../src/files.js";
import { createMigrationRequest } from "../../src/history.js";
import { type AnyEngine, createEngine, TwinbaseError } from "../../src/index.js";
import { defineColumns } from "../columns.js";
import { runs, seed } from "../generated.js";
import { textOf } from "./texts.js";

/** One piece of damage: what is done, where in the text, and with what. */
const damageArbitrary = fc.record({
  kind: fc.constantFrom("flip", "drop", "insert", "zero", "swap", "cut", "repeat", "splice"),
  at: fc.nat(),
  to: fc.nat(),
  byte: fc.integer({ min: 1, max: 255 }),
  length: fc.integer({ min: 1, max: 300 }),
});
type Damage = typeof damageArbitrary extends fc.Arbitrary<infer T> ? T : never;

describe(`exports that were damaged (seed ${seed})`, () => {
  it("H-5: are refused with their line, or imported equal", () => {
    const engine = createLived();
    const text = textOf(engine);
    expect(textOf(importEngine(text))).toBe(text);
    const bytes = Buffer.from(text);
    let refused = 0;
    const damages = fc.array(damageArbitrary, { minLength: 1, maxLength: 3 });
    const property = fc.property(damages, (all) => {
      const damaged = all.reduce(damage, bytes);
      try {
        expect(textOf(importEngine(damaged))).toBe(text);
      } catch (error) {
        if (!(error instanceof TwinbaseError)) throw error;
        expect(error.message).toMatch(/^import: line \d+: /);
        refused++;
      }
    });
    const numRuns = Math.ceil(300 * runs);
    fc.assert(property, { seed, numRuns });
    expect(refused).toBeGreaterThan(numRuns * 0.9);
  });
});

function damage(bytes: Buffer, { kind, at, to, byte, length }: Damage): Buffer {
  if (bytes.length === 0) return bytes;
  const [from, other] = [at % bytes.length, to % bytes.length];
  const copy = Buffer.from(bytes);
  const lines = bytes.toString().split(/(?<=\n)/);
  const [line, next] = [from % lines.length, other % lines.length];
  switch (kind) {
    case "flip":
      copy[from]! ^= byte;
      return copy;
    case "drop":
      return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + length)]);
    case "insert":
      return Buffer.concat([bytes.subarray(0, from), Buffer.of(byte), bytes.subarray(from)]);
    case "zero":
      return copy.fill(0, from, Math.min(from + length, copy.length));
    case "swap":
      return Buffer.from(lines.with(line, lines[next]!).with(next, lines[line]!).join(""));
    case "cut":
      return bytes.subarray(0, from);
    case "repeat":
      return Buffer.from(lines.toSpliced(next, 0, lines[line]!).join(""));
    case "splice":
      return Buffer.concat([bytes.subarray(0, from), bytes.subarray(other)]);
  }
}

/** An engine with something of all that an export can hold. */
function createLived(): AnyEngine {
  const engine = enableFiles(createEngine({ seed: 7, now: 0 }));
  const workspace = engine.createWorkspace("w", { name: "Wörk" });
  const database = workspace.createDatabase("d", { ui: { color: "red" } });
  const main = database.branch("main");
  main.createTable("teams", [{ name: "name", type: "string", unique: true }]);
  main.createTable(
    "people",
    defineColumns({
      name: "string",
      team: "-> teams",
      born: "datetime",
      doc: "json",
      portrait: "file",
    }),
  );
  main.table("teams").insert({ id: "blue", name: "blüe 🐝" });
  const file = { name: "a.txt", mediaType: "text/plain", base64Content: "aGVsbG8=" };
  for (let i = 0; i < 20; i++) {
    const born = "2020-01-01T00:00:00.000123Z";
    main.table("people").insert({ team: "blue", born, doc: [i, { a: null }], portrait: file });
  }
  const branch = database.createBranch("next", { from: "main" });
  branch.table("people").delete(branch.table("people").query().records[0]!.id);
  branch.table("teams").addColumn({ name: "size", type: "int", defaultValue: 3 });
  createMigrationRequest(database, { source: "next", target: "main", title: "one" });
  const options = { email: "u@example.com", fullname: "U", keys: ["key"], workspaces: ["w"] };
  engine.createUser(options);
  engine.deleteKey("usr_1", "default");
  inviteMember(workspace, { email: "i@example.com", role: "maintainer" });
  database.gitBranches.add({ gitBranch: "feature", [engine.profile.mappingTarget]: "next" });
  database.updateSettings({ a: [1, null, { ä: "\u2028" }] });
  return engine;
}
