/** @module-tag slow */
import { describe, expect, it } from "vitest";
import { exportEngine, importEngine, importInto } from "../../src/export.js";
import { enableFiles } from "../../src/files.js";
import { createFetch } from "../../src/http.js";
import { createEngine } from "../../src/index.js";
import { checksum } from "../../src/value/hash.js";
import { defineColumns } from "../columns.js";
import { expectRefusal } from "../refusal.js";
import { sealTexts } from "../seal-lines.js";

const MIB = 2 ** 20;
const RULE = { rule: "L-12" };

function openItems(columns: Parameters<ReturnType<typeof openBranch>["createTable"]>[1]) {
  const engine = createEngine({ seed: 1, now: 0 });
  const branch = openBranch(engine);
  return { engine, branch, table: branch.createTable("items", columns) };
}

function openBranch(engine: ReturnType<typeof createEngine>) {
  return engine.createWorkspace("acme").createDatabase("shop").branch("main");
}

/** The chunks of an export as bytes. */
function* piecesOf(engine: ReturnType<typeof createEngine>) {
  for (const chunk of exportEngine(engine)) {
    expect(chunk.length).toBeLessThanOrEqual(2 * 65_536);
    yield new TextEncoder().encode(chunk);
  }
}

describe("L-12: the size of a record", () => {
  it("includes the defaults of new columns", () => {
    const { engine, table } = openItems(
      Array.from({ length: 4 }, (_, i) => ({ name: `t${i}`, type: "text" as const })),
    );
    const long = "x".repeat(16 * MIB - 10_000);
    table.insert({ id: "a" });
    for (let i = 0; i < 4; i++) table.update("a", { [`t${i}`]: long });
    const column = { name: "more", type: "text", defaultValue: "y".repeat(60_000) } as const;
    expectRefusal(() => table.addColumn(column), { code: "invalid_record", rule: "L-12" });
    table.addColumn({ name: "fits", type: "text", defaultValue: "y".repeat(8000) });
    const copy = importEngine(piecesOf(engine));
    expect([...exportEngine(copy)].join("")).toBe([...exportEngine(engine)].join(""));
  });

  it("is bounded for every type of column, and exported in chunks that are imported", async () => {
    const { engine, table } = openItems([
      ...Array.from({ length: 5 }, (_, i) => ({ name: `t${i}`, type: "text" as const })),
      { name: "doc", type: "json" },
      { name: "tags", type: "multiple" },
    ]);
    const ask = createFetch(engine);
    const long = "x".repeat(19 * MIB);
    const grow = async (fields: object) => {
      const url = "http://x/db/shop:main/tables/items/data/a";
      const response = await ask(url, { method: "POST", body: JSON.stringify(fields) });
      return [response.status, await response.json()];
    };
    for (const name of ["t0", "t1", "t2"]) {
      expect(await grow({ [name]: long })).toMatchObject([name === "t0" ? 201 : 200, {}]);
    }
    const refusal = [400, { code: "invalid_record", ...RULE }];
    const others = [
      { t3: long },
      { doc: { a: [long] } },
      { tags: [long] },
      { t3: "é".repeat(4 * MIB) },
    ];
    for (const fields of others) expect(await grow(fields)).toMatchObject(refusal);
    expect(table.get("a", { columns: ["id"] })).toMatchObject({ service: { version: 2 } });
    expect(await grow({ t3: null, doc: 1 })).toMatchObject([200, {}]);
    const twin = importEngine(piecesOf(engine));
    const [found, expected] = [twin, engine].map((one) => [...exportEngine(one)].join(""));
    expect(found === expected).toBe(true);
  });

  it("is measured as JSON in every kind of write", () => {
    const { table } = openItems(defineColumns({ t: "text", u: "text" }));
    // Six characters each in JSON.
    const long = "\u0001".repeat(6 * MIB);
    table.insert([{ id: "a", t: long }]);
    const refused = expect.objectContaining({ code: "invalid_record", ...RULE });
    expect(() => table.replace("a", { t: long, u: long })).toThrow(refused);
    expect(() => table.update("a", { u: long })).toThrow(refused);
    expect(() => table.put("b", { t: long, u: long })).toThrow(refused);
    expect(() => table.insert({ t: long, u: long })).toThrow(refused);
    expect(() => table.insert([{ n: 1, t: long, u: long }])).toThrow();
    expect(() => table.load([{ t: "a" }, { t: long, u: long }])).toThrow(
      expect.objectContaining(RULE),
    );
    expect(table.count()).toBe(1);
  });

  it("includes the metadata of its files", () => {
    const { engine, table } = openItems(
      Array.from({ length: 1000 }, (_, i) => ({ name: `c${i}`, type: "file[]" as const })),
    );
    enableFiles(engine);
    const file = (i: number) => ({ id: `${i}-`.padEnd(255, "x"), name: "x".repeat(1024) });
    const files = Array.from({ length: 50 }, (_, i) => file(i));
    const columns = (from: number, to: number) =>
      Object.fromEntries(Array.from({ length: to - from }, (_, i) => [`c${from + i}`, files]));
    const refused = expect.objectContaining({ code: "invalid_record", ...RULE });
    expect(() => table.insert({ id: "a", ...columns(0, 1000) })).toThrow(refused);
    expect(table.count()).toBe(0);
    table.insert({ id: "a", ...columns(0, 700) });
    table.update("a", columns(700, 800));
    expect(() => table.update("a", columns(800, 950))).toThrow(refused);
    expect(() => table.replace("a", columns(0, 950))).toThrow(refused);
    const twin = importEngine(piecesOf(engine));
    const [found, expected] = [twin, engine].map((one) => [...exportEngine(one)].join(""));
    expect(found === expected).toBe(true);
  });

  it("is measured as exported, even if it is shorter in an import", () => {
    const { engine, table } = openItems([{ name: "doc", type: "json" }]);
    table.insert({ id: "a", doc: [7] });
    const lines = [...exportEngine(engine)].join("").split("\n");
    const given = (count: number) => {
      const doc = `[7${",1e20".repeat(count)}]`;
      return seal(lines.map((line) => line.replace("[7]", doc)));
    };
    const exported = [...exportEngine(importEngine(given(2)))].join("");
    expect(exported).toContain("[7,100000000000000000000,100000000000000000000]");
    expect(() => importEngine(given(Math.ceil((64 * MIB) / 22)))).toThrow(
      `import: line ${lines.length - 2}: table [items]: the record has more than 67108864 bytes of JSON`,
    );
  });
});

describe("L-12: the columns of a table", () => {
  it("have short default values, whatever their type", () => {
    const { table } = openItems([]);
    const long = "x".repeat(70_000);
    const columns = [
      { name: "t", type: "text", defaultValue: long },
      { name: "j", type: "json", defaultValue: [long] },
      {
        name: "o",
        type: "object",
        columns: [{ name: "t", type: "text" }],
        defaultValue: { t: long },
      },
    ] as const;
    for (const column of columns) {
      expectRefusal(() => table.addColumn(column), { code: "invalid_schema", rule: "L-12" });
    }
  });

  it("include removed ones in their number, as rows keep their slots", () => {
    const { engine, table } = openItems([]);
    const columns = (type: "int" | "bool") =>
      Array.from({ length: 1000 }, (_, i) => ({ name: `c${i}`, type }));
    for (let i = 0; i < 10; i++) table.setSchema({ columns: columns(i % 2 ? "int" : "bool") });
    const refused = expect.objectContaining({ code: "invalid_schema", ...RULE });
    expect(() => table.setSchema({ columns: columns("bool") })).toThrow(refused);
    expect(() => table.addColumn({ name: "more", type: "int" })).toThrow();
    table.removeColumn("c0");
    expect(() => table.addColumn({ name: "more", type: "int" })).toThrow(refused);
    importInto(engine, exportEngine(engine));
    const lines = [...exportEngine(engine)].join("").split("\n");
    const many = seal(lines.map((line) => line.replace('"slotCount":10004', '"slotCount":10005')));
    expect(() => importEngine(many)).toThrow(/slots/);
  });
});

/** The lines of an export with new checksums. */
function seal(lines: readonly string[]): string {
  const open = lines
    .filter((line) => line !== "")
    .map((line) => line.slice(0, -checksumLength - 4));
  return sealTexts(open);
}

const checksumLength = checksum("").length;
