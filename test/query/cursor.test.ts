import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BEGINNING, type CursorQuery, type Point } from "../../src/query/bound/bound-query.js";
import { decodeCursor, encodeCursor } from "../../src/query/bound/cursor.js";
import { checksum } from "../../src/value/hash.js";
import { defineColumns } from "../columns.js";
import { seed } from "../generated.js";
import { expectRefused, idsOf, openBranch } from "../rules/fixture.js";
import { anyCharacter } from "../value/any-character.js";

const query: CursorQuery = {
  table: "t1",
  filter: { name: "a" },
  columns: ["name"],
  sort: [{ name: "asc" }],
  seed: 7,
  size: 20,
  columnsChecksum: "name string",
};
const first: Point = { keys: ["a", null, 1.5], side: 0 };
const last: Point = { keys: ["b", 0, "rec"], side: 0 };

/** The decoded parts of a cursor. */
function readParts(cursor: string): unknown[] {
  const body = cursor.slice(checksum("").length);
  return JSON.parse(Buffer.from(body, "base64url").toString("latin1"));
}

/** Encodes any parts as a cursor with a valid checksum. */
function writeParts(parts: unknown): string {
  const body = Buffer.from(JSON.stringify(parts), "latin1").toString("base64url");
  return checksum(body) + body;
}

describe("a cursor's text", () => {
  it("G-4: encodes the query and the first and last position of its page", () => {
    const text = encodeCursor(query, first, last);
    expect(text).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(decodeCursor(text)).toMatchObject({ ...query, first, last });
    expect(writeParts(readParts(text)), "the layout that the cases below damage").toBe(text);
  });

  it("G-4: decodes to the encoded texts and positions", () => {
    const text = fc.string({ unit: anyCharacter, maxLength: 8 });
    const keys = fc.array(fc.oneof(text, fc.integer(), fc.constant(null)), { minLength: 1 });
    const point: fc.Arbitrary<Point> = fc.oneof(
      fc.record({ keys, side: fc.constantFrom(-1 as const, 0 as const, 1 as const) }),
      fc.constant(BEGINNING),
    );
    fc.assert(
      fc.property(text, text, text, point, point, (table, name, columnsChecksum, from, to) => {
        const given = {
          ...query,
          table,
          columnsChecksum,
          filter: { [name]: name },
          seed: undefined,
        };
        const cursor = encodeCursor(given, from, to);
        expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(decodeCursor(cursor)).toMatchObject({ ...given, first: from, last: to });
        expect(decodeCursor(encodeCursor(given, from, from))?.last).toEqual(from);
      }),
      { seed },
    );
  });

  it("G-4: encodes absent members as absent", () => {
    const bare = { ...query, filter: undefined, columns: undefined, sort: undefined };
    const found = decodeCursor(encodeCursor({ ...bare, seed: undefined }, BEGINNING, BEGINNING));
    expect(found).toMatchObject({ ...bare, seed: undefined, first: BEGINNING, last: BEGINNING });
  });

  it("G-13: encodes the two equal ends of a gap once", () => {
    const gap: Point = { keys: ["a"], side: 1 };
    expect(readParts(encodeCursor(query, gap, gap)).at(-1)).toBeNull();
  });

  const parts = readParts(encodeCursor(query, first, last));
  const put = (at: number, value: unknown): unknown[] => parts.with(at, value);
  it.each<[name: string, parts: unknown]>([
    ["an object", {}],
    ["null", null],
    ["too few parts", parts.slice(0, 9)],
    ["too many parts", [...parts, null]],
    ["another format", put(0, 2)],
    ["a number as table", put(1, 1)],
    ["a fractional seed", put(5, 1.5)],
    ["a string as seed", put(5, "7")],
    ["a fractional size", put(6, 2.5)],
    ["a string as size", put(6, "20")],
    ["a null checksum of columns", put(7, null)],
    ["null as first position", put(8, null)],
    ["a string as first position", put(8, "a")],
    ["a first position without a side", put(8, [])],
    ["a first position with side 2", put(8, [2, "a"])],
    ["a number as last position", put(9, 5)],
    ["a last position with a string as side", put(9, ["0", "a"])],
  ])("G-13: is damaged with %s", (_, changed) => {
    expect(decodeCursor(writeParts(parts))).toBeDefined();
    expect(decodeCursor(writeParts(changed))).toBeUndefined();
  });

  it("G-13: is damaged when the checksum or the JSON is wrong", () => {
    const body = Buffer.from("[1,").toString("base64url");
    expect(decodeCursor(checksum(body) + body)).toBeUndefined();
    const text = encodeCursor(query, first, last);
    for (const damaged of [
      "",
      text.slice(1),
      text.slice(0, -1),
      `${text}=`,
      `${text}A`,
      text.toUpperCase(),
      `+${text.slice(1)}`,
    ]) {
      expect(decodeCursor(damaged), damaged).toBeUndefined();
    }
    for (const length of [1, 5, 9]) {
      const odd = "A".repeat(length);
      expect(decodeCursor(checksum(odd) + odd)).toBeUndefined();
    }
  });
});

describe("a cursor's keys", () => {
  const branch = openBranch();
  const table = branch.createTable("items", defineColumns({ n: "int", s: "string" }));
  table.load([
    { id: "a", n: 1, s: "x" },
    { id: "b", n: 2 },
    { id: "c", s: "y" },
  ]);
  const page = table.query({ sort: ["n", "s"], page: { size: 1 } });
  const parts = readParts(page.meta.page.cursor);

  it("G-12: consist of the sort keys and the id", () => {
    expect(parts[8]).toEqual([0, 1, "x", "a"]);
    const behind = (keys: unknown): string[] =>
      idsOf(table.query({ page: { after: writeParts(parts.with(9, keys)) } }).records);
    expect(behind([0, 1, "x", "a"])).toEqual(["b"]);
    expect(behind([0, 1, null, "a"])).toEqual(["b"]);
    expect(behind([1, 2, null, "b"])).toEqual(["c"]);
    expect(behind([0, null, "y", "c"])).toEqual([]);
  });

  it("G-4: a page has the same cursor whether reached by cursor or by offset", () => {
    const sorted = { filter: { n: { $ge: 0 } }, sort: ["n", "s"] };
    const { cursor } = table.query({ ...sorted, page: { size: 1 } }).meta.page;
    const second = table.query({ ...sorted, page: { size: 1, offset: 1 } }).meta.page.cursor;
    expect(table.query({ page: { after: cursor } }).meta.page.cursor).toBe(second);
    expect(table.query({ page: { after: cursor, before: "end" } }).meta.page.cursor).toBe(second);
    expect(table.query({ page: { start: second } }).meta.page.cursor).toBe(cursor);
    for (const [changed, size] of [[{}, 2] as const, [{ columns: ["n"] }, 1] as const]) {
      const again = table.query({ ...changed, page: { size, after: cursor } });
      const asked = table.query({ ...sorted, ...changed, page: { size, offset: 1 } });
      expect(again.meta.page.cursor).toBe(asked.meta.page.cursor);
    }
  });

  it("G-4: other whitespace in the JSON makes no difference", () => {
    const json = JSON.stringify(parts, undefined, 1);
    const body = Buffer.from(json, "latin1").toString("base64url");
    const { records, meta } = table.query({ page: { after: checksum(body) + body } });
    expect(idsOf(records)).toEqual(["b"]);
    expect(meta.page.cursor).toBe(
      table.query({ page: { after: page.meta.page.cursor } }).meta.page.cursor,
    );
  });

  it.each<[keys: unknown]>([
    [[0, 1, "x"]],
    [[0, 1, "x", "a", "a"]],
    [[0, "1", "x", "a"]],
    [[0, 1, 5, "a"]],
    [[0, 1, "x", 5]],
    [[0, 1, "x", { id: "a" }]],
    [[0, true, "x", "a"]],
  ])("G-13: %j are refused as sort keys", (keys) => {
    for (const at of [8, 9]) {
      const cursor = writeParts(parts.with(at, keys));
      for (const key of ["after", "before", "start", "end"]) {
        const path = `/page/${key}`;
        const ask = () => table.query({ page: { [key]: cursor } });
        expectRefused(ask, "invalid_cursor", "G-13", path, /^the cursor is damaged$/);
      }
    }
  });

  it("G-13: depend on the sort columns of a reverse link", () => {
    const links = branch.createTable("links", defineColumns({ item: "-> items", rank: "int" }));
    const columns = [{ name: "<-links.item", sort: ["rank"] }];
    const { cursor } = table.query({ columns, page: { size: 1 } }).meta.page;
    links.removeColumn("rank");
    const ask = () => table.query({ page: { after: cursor } });
    expectRefused(ask, "invalid_cursor", "G-13", "/page/after", /no longer fits the table: /);
  });

  it("G-13: fit one table with unchanged columns", () => {
    const other = branch.createTable("others", [{ name: "n", type: "int" }]);
    const { cursor } = page.meta.page;
    const ask = (from: typeof table) => () => from.query({ page: { after: cursor } });
    expectRefused(ask(other), "invalid_cursor", "G-13", "/page/after", /made for another table$/);
    table.renameColumn("s", "t");
    expectRefused(
      ask(table),
      "invalid_cursor",
      "G-13",
      "/page/after",
      /no longer fits the table: /,
    );
    table.addColumn({ name: "s", type: "string" });
    expectRefused(ask(table), "invalid_cursor", "G-13", "/page/after", /since been changed$/);
  });
});
