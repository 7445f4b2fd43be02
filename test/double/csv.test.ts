import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readCsvRows } from "../../src/fixtures/csv.js";
import { TextFault } from "../../src/fixtures/fixture.js";
import { seed } from "../generated.js";
import { anyCharacter } from "../value/any-character.js";

describe(`CSV (RFC 4180; seed ${seed})`, () => {
  it.each([
    ["a,b\n1,2\n", '[["a","b"],["1","2"]]'],
    ["a,b\r\n1,2\r\n", '[["a","b"],["1","2"]]'],
    ["a\r1\r", '[["a"],["1"]]'],
    ["a,b", '[["a","b"]]'],
    ["a,\n,\n", '[["a",""],["",""]]'],
    ['"a","b ""c"""\n', '[["a","b \\"c\\""]]'],
    ['"a,b","c\r\nd"\n', '[["a,b","c\\r\\nd"]]'],
    ['""\n', '[[""]]'],
    ["\na\n\nb\n\n", '[[""],["a"],[""],["b"],[""]]'],
    ['a\r\r"b" ,c\r\r', '[["a"],[""],["b","c"],[""]]'],
    ['1, "b, c" , d\n', '[["1","b, c"," d"]]'],
    ["", "[]"],
    [" a , b \n", '[[" a "," b "]]'],
    ['5\'10","x"\na""b,c\n', `[["5'10\\"","x"],["a\\"\\"b","c"]]`],
  ])("reads %j", (text, rows) => {
    expect(JSON.stringify(textsOf([text]))).toBe(rows);
  });

  it("reads the same rows, with their places, or the same fault, from chunks of any size", () => {
    const texts = fc.string({ unit: fc.constantFrom(..."ab,,\n\r ", '"', '"', '""', "\r\n") });
    const property = fc.property(texts, fc.integer({ min: 1, max: 4 }), (text, size) => {
      const chunks = text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
      expect(contentsOf(chunks)).toEqual(contentsOf([text]));
    });
    fc.assert(property, { seed, numRuns: 2000 });
  });

  it("reads quoted values", () => {
    const rows = fc.array(
      fc.array(fc.string({ unit: anyCharacter }), { minLength: 1, size: "small" }),
    );
    const property = fc.property(rows, fc.constantFrom("\n", "\r\n", "\r"), (cells, end) => {
      const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
      const text = cells.map((row) => row.map(quote).join(",") + end).join("");
      expect(textsOf([text])).toEqual(cells);
    });
    fc.assert(property, { seed });
  });

  it("returns the position of each cell, and whether an empty one is in quotes", () => {
    const rows = [...readCsvRows(['id,name\r\n1,"a\r\nb",c,""\r\n'])];
    const found = rows[1]!.cells.map((text, index) => {
      return { text, isQuoted: rows[1]!.isQuotedBlank(index), ...rows[1]!.placeOf(index) };
    });
    expect(found).toEqual([
      { text: "1", isQuoted: false, line: 2, column: 1 },
      { text: "a\r\nb", isQuoted: false, line: 2, column: 3 },
      { text: "c", isQuoted: false, line: 3, column: 4 },
      { text: "", isQuoted: true, line: 3, column: 6 },
    ]);
  });

  it.each([
    ['a,"b', "a quote that is not closed", 1, 3],
    ['"a"b\n', "text after a closed quote", 1, 4],
  ])("refuses %j", (text, message, line, column) => {
    expect(() => textsOf([text])).toThrow(message);
    expect(() => textsOf([text])).toThrow(expect.objectContaining({ place: { line, column } }));
  });
});

/** The rows with the quoting and position of each cell, and the fault that ends them. */
function contentsOf(chunks: string[]): unknown[] {
  const found: unknown[] = [];
  try {
    for (const row of readCsvRows(chunks))
      found.push(row.cells.map((cell, i) => [cell, row.isQuotedBlank(i), row.placeOf(i)]));
  } catch (error) {
    if (!(error instanceof TextFault)) throw error;
    found.push([error.message, error.place]);
  }
  return found;
}

function textsOf(chunks: string[]): string[][] {
  return Array.from(readCsvRows(chunks), ({ cells }) => [...cells]);
}
