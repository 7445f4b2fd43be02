import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Table } from "../../../src/engine/table.js";
import { type AnyTable, createEngine } from "../../../src/index.js";
import { keepRecentTexts } from "../../../src/query/project/recent-texts.js";
import { runQuery, runQueryAsJson } from "../../../src/query/run.js";
import type { Chunk } from "../../../src/storage/chunk.js";
import { runs, seed } from "../../generated.js";

function expectSame(table: AnyTable, request?: unknown): void {
  const { environment, version } = Table.sourceOf(table);
  const records = JSON.stringify(runQuery(environment, version, request));
  expect(runQueryAsJson(environment, version, request)).toBe(records);
}

function openChunk(length = 10): { table: AnyTable; chunk: Chunk } {
  const table = createEngine({ seed: 1 })
    .createWorkspace("w")
    .createDatabase("d")
    .branch("main")
    .createTable("rows", [{ name: "n", type: "int" }]);
  table.load(Array.from({ length }, (_, n) => ({ id: `r${n}`, n })));
  return { table, chunk: Table.sourceOf(table).version.chunks[0]! };
}

/** What records are written as, and how often they were. */
function openTexts(text: (row: number) => string = (row) => `{row ${row}}`) {
  const written: number[] = [];
  const get = keepRecentTexts((_, row) => {
    written.push(row);
    return text(row);
  });
  return { get, written };
}

describe("texts of records that were asked for lately", () => {
  it("are written twice, then kept", () => {
    const { chunk } = openChunk();
    const { get, written } = openTexts();
    for (let time = 0; time < 5; time++) expect(get(chunk, 3)).toBe("{row 3}");
    expect(written).toEqual([3, 3]);
    expect(get(chunk, 4)).toBe("{row 4}");
    expect(written).toEqual([3, 3, 4]);
  });

  it("R-2: are written anew once the record was written, and those of other rows stay", () => {
    const { table } = openChunk();
    const chunkOf = (): Chunk => Table.sourceOf(table).version.chunks[0]!;
    table.update("r3", { n: 0 }); // from here on the chunk is changed in place
    const before = chunkOf();
    const { get, written } = openTexts();
    for (let time = 0; time < 3; time++) get(before, 3);
    for (let time = 0; time < 3; time++) get(before, 5);
    table.update("r3", { n: 1 });
    expect(chunkOf()).toBe(before);
    for (let time = 0; time < 3; time++) get(before, 3);
    for (let time = 0; time < 3; time++) get(before, 5);
    // That it was asked for before still holds: it is written once, and kept.
    expect(written).toEqual([3, 3, 5, 5, 3]);
  });

  it("are told apart by the chunk", () => {
    const { get, written } = openTexts();
    const [one, other] = [openChunk().chunk, openChunk().chunk];
    for (const chunk of [one, other, one, other, one, other]) get(chunk, 1);
    expect(written).toEqual([1, 1, 1, 1]);
  });

  it("are given up where they have become too many characters", () => {
    const { chunk } = openChunk(100);
    const long = "x".repeat(250_000 / 32);
    const { get, written } = openTexts(() => long);
    const all = Array.from({ length: 32 }, (_, ordinal) => ordinal);
    for (let time = 0; time < 3; time++) for (const ordinal of all) get(chunk, ordinal);
    expect(written).toEqual([...all, ...all]);
    get(chunk, 32);
    get(chunk, 0);
    expect(written.slice(64)).toEqual([32, 0]);
  });

  it("R-2, B-1: are those of the records, whatever is written to branches and taken back", () => {
    type Step = readonly [kind: string, branch: number, row: number, n: number];
    const step: fc.Arbitrary<Step> = fc.tuple(
      fc.constantFrom(
        ...["update", "update", "replace", "delete", "insert", "load", "transaction", "failing"],
        ...["branch", "snapshot", "restore", "addColumn", "renameColumn"],
      ),
      fc.nat(),
      fc.nat(9),
      fc.nat(99),
    );
    const property = fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const engine = createEngine({ seed: 1 });
      const database = engine.createWorkspace("w").createDatabase("d");
      const main = database.branch("main");
      main.createTable("rows", [{ name: "n", type: "int" }]);
      main.table("rows").load(Array.from({ length: 10 }, (_, n) => ({ id: `r${n}`, n })));
      let snapshot = engine.snapshot();
      let made = 0;
      for (const [kind, at, row, n] of steps) {
        const names = database.branches().map(({ name }) => name);
        const branch = database.branch(names[at % names.length]!);
        const table = branch.table("rows");
        const [first] = table.schema().columns;
        const values = { [first!.name]: n };
        const id = `r${row}`;
        if (kind === "update" && table.get(id) !== null) table.update(id, values);
        if (kind === "replace") table.put(id, values);
        if (kind === "delete") table.delete(id);
        if (kind === "insert") table.insert(values);
        if (kind === "load") table.load([values, values]);
        const update = { update: { table: "rows", id, fields: values, upsert: true } };
        if (kind === "transaction") branch.transaction([update, update]);
        if (kind === "failing") {
          const unknown = { delete: { table: "none", id: "x" } };
          expect(() => branch.transaction([update, unknown])).toThrow();
        }
        if (kind === "branch")
          database.createBranch(`b${made++}`, { from: names[at % names.length]! });
        if (kind === "snapshot") snapshot = engine.snapshot();
        if (kind === "restore") engine.restore(snapshot);
        if (kind === "addColumn") {
          table.addColumn({
            name: `c${made++}`,
            type: "int",
            notNull: true,
            defaultValue: String(n),
          });
        }
        if (kind === "renameColumn") table.renameColumn(first!.name, `c${made++}`);
        for (const { name } of database.branches()) {
          // What is asked for twice is kept, and given the third time.
          for (let time = 0; time < 3; time++) expectSame(database.branch(name).table("rows"));
        }
      }
    });
    fc.assert(property, { seed, numRuns: Math.ceil(100 * runs) });
  });
});
