import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { queryFile } from "../../src/cli/query-file.js";
import { type Fixture, loadFixture } from "../../src/fixtures.js";
import { createEngine } from "../../src/index.js";

type Options = Omit<Fixture, "name" | "text">;

function load(text: Fixture["text"], options: Options = {}, name = "t.csv") {
  const engine = createEngine({ seed: 1, now: 0 });
  const branch = engine.createWorkspace("w").createDatabase("d").branch("main");
  const { table, columns, notes, hasIds } = loadFixture(branch, "t", { name, text, ...options });
  const records = table.query({ page: { size: 200 } }).records.map((record) => {
    const { id, [engine.profile.metadataColumn]: _, ...values } = record;
    return (hasIds ? { id, ...values } : values) as Record<string, unknown>;
  });
  const types = Object.fromEntries(columns.map((column) => [column.name, column.type]));
  return { records, types, notes };
}

function rowsOf(text: string, options?: Options): unknown[][] {
  const { records, types } = load(text, options);
  return records.map((record) => Object.keys(types).map((name) => record[name] ?? null));
}

describe("the options of a CSV", () => {
  it.each<[string, string, Options, string]>([
    [
      "null texts",
      'a,b\n1,NA\n"NA",x\n.,y\n',
      { null: ["NA", "."] },
      '[[1,null],[null,"x"],[null,"y"]]',
    ],
    ["a quote", "a,b\n1,'x, y'\n2,'it''s'\n", { quote: "'" }, '[[1,"x, y"],[2,"it\'s"]]'],
    ["no quote", 'a,b\n1,"x\n2,y"\n', { quote: "" }, '[[1,"\\"x"],[2,"y\\""]]'],
    ["comments", "a,b\n1,2\n% no row\n3,4\n", { comment: "%" }, "[[1,2],[3,4]]"],
    ["lines before the header", "x,y\nz\n\na,b\n1,2\n", { skip: 3 }, "[[1,2]]"],
    ["ignored errors", 'a,b\n1,2\n3,4,5\n"6"x,7\n8,9\n', { ignoreErrors: true }, "[[1,2],[8,9]]"],
  ])("are %s", (_, text, options, rows) => {
    expect(JSON.stringify(rowsOf(text, options))).toBe(rows);
  });

  it.each<[Options, string]>([
    [{ skip: -1 }, "skip: expected a whole number, found -1"],
    [{ quote: "ab" }, 'quote: expected a character, or none, found "ab"'],
    [{ null: "NA" as never }, 'null: expected an array of strings, found "NA"'],
    [{ nulls: [] } as never, 'unknown key "nulls"'],
  ])("are checked: %j", (options, message) => {
    expect(() => load("a\n1\n", options)).toThrow(message);
  });

  it("note each row that is left out, with its place", () => {
    const text = 'id,a\nx,1\nx,2\ny,oops\n"z"z,4\nu,5,6\nv,7\n';
    const engine = createEngine({ seed: 1 });
    const branch = engine.createWorkspace("w").createDatabase("d").branch("main");
    const columns = [{ name: "a", type: "int" }] as const;
    const fixture = { name: "t.csv", text, ignoreErrors: true };
    const { count, notes } = loadFixture(branch, "t", fixture, { columns });
    expect(count).toBe(2);
    expect(notes).toEqual([
      expect.stringMatching(
        /^4 rows with errors are left out: line 3, column 1: .* already exists.*, line 4, column 3: .*expected .*"oops".*, line 5, column 4: text after a closed quote, line 6, column 5: a cell beyond the 2 columns$/,
      ),
    ]);
    expect(() => loadFixture(branch, "u", { name: "t.csv", text }, { columns })).toThrow(
      "t.csv:5:4",
    );
  });
});

describe("a CSV as people have it", () => {
  it.each<[string, string, string]>([
    ["a preamble", "Survey of 2020\nby us\n\na,b,c\n1,2,3\n4,5,6\n", "[[1,2,3],[4,5,6]]"],
    ["comments", "# made by us\n# a, b\na,b\n1,2\n# more\n3,4\n", "[[1,2],[3,4]]"],
    ["a header with a hash", "##made by us\n#a\tb\n1\t2\n3\t4\n", "[[1,2],[3,4]]"],
    ["single quotes", "a,b\n1,'x, y'\n2,'z'\n", '[[1,"x, y"],[2,"z"]]'],
    ["quotes that are characters", 'a\tb\n1\t"x\n2\t"y\n', '[[1,"\\"x"],[2,"\\"y"]]'],
    ["spaces around quotes", 'a, "b"\n1, "x, y" \n', '[[1,"x, y"]]'],
    ["short rows", "a,b,c\n1,2,3\n4,5\n6\n", "[[1,2,3],[4,5,null],[6,null,null]]"],
    ["no header", "5.1,a\n4.9,b\n4.7,a\n", '[[5.1,"a"],[4.9,"b"],[4.7,"a"]]'],
    ["years as header", "name,2020,2021\nAT,1,2\nDE,3,4\n", '[["AT",1,2],["DE",3,4]]'],
    [
      "a first row with empty cells at its end",
      "0;<control>;Cc;;\n1;A;Lu;;x\n2;B;Lu;y;\n",
      '[[0,"<control>","Cc",null,null],[1,"A","Lu",null,"x"],[2,"B","Lu","y",null]]',
    ],
    [
      "comments among rows, also at their end",
      'a,b\n#\n# by us\n1,x # one, first\n2,"# no comment" # two\n  # end\n3,y\n',
      '[[1,"x "],[2,"# no comment"],[3,"y"]]',
    ],
    ["no comments", "hex,name\n#f00,red\n#00f,blue\n", '[["#f00","red"],["#00f","blue"]]'],
    ["decimal commas", "a;b\n1,5;2\n2,5;3\n", '[["1,5",2],["2,5",3]]'],
    ["a title of many words", "Report, of 2020\na,b,c\n1,2,3\n4,5,6\n", "[[1,2,3],[4,5,6]]"],
    [
      "a header without the last columns",
      "a,b\n1,2,3\n4,5,6\n7,8,9\n",
      "[[1,2,3],[4,5,6],[7,8,9]]",
    ],
    ["rows of different lengths", "# x, y\nA,1\nB,2,3\nC,4\n", '[["A,1"],["B,2,3"],["C,4"]]'],
    ["quotes that split no row alike", 'a,b\n"x"y, z,2\n3,4\n', '[["\\"x\\"y, z,2"],["3,4"]]'],
    ["one column of texts", "name\nLee, Ann\nBob\n", '[["Lee, Ann"],["Bob"]]'],
    ["empty lines in one column", "v\n1\n\n\n2\n\n", "[[1],[null],[null],[2],[null]]"],
    ["empty lines between rows", "a,b\n\n1,2\n\n", "[[1,2]]"],
  ])("has %s", (_, text, rows) => {
    expect(JSON.stringify(rowsOf(text))).toBe(rows);
  });

  it("notes what was assumed", () => {
    expect(load(`Survey\na,b\n1,'2, 3'\n4\n${"5,'x'\n".repeat(20)}`).notes).toEqual([
      "the first line is not part of the table: skipped",
      "cells are in single quotes",
      "rows with fewer cells than the header end in null: line 4",
    ]);
    expect(load("a,b\n1,2\n3,4,5\n6,7\n").notes).toEqual([
      "no delimiter splits all rows, so that each line is one text (line 3, column 5: a cell beyond the 2 columns)",
      'renamed columns: "a,b" is a_b',
    ]);
  });

  it("is no text of lines if a table, a delimiter or errors to ignore are given", () => {
    const text = "a,b\n1,2\n3,4,5\n6,7\n";
    const place = "t.csv:3:5: a cell beyond the 2 columns";
    expect(() => load(text, { delimiter: "," })).toThrow(place);
    const main = createEngine().createWorkspace("w").createDatabase("d").branch("main");
    main.createTable("t", [{ name: "a", type: "int" }]);
    expect(() => loadFixture(main, "t", { name: "t.csv", text })).toThrow(place);
    expect(load(text, { ignoreErrors: true }).types).toEqual({ a: "int", b: "int" });
  });

  it("keeps whole numbers in cells of JSON", () => {
    const text = 'a\n"{""id"": 9007199254740993, ""b"": [1, 90071992547409931]}"\n';
    expect(rowsOf(text)).toEqual([[{ id: "9007199254740993", b: [1, "90071992547409931"] }]]);
  });

  it("has the order of the file where it has no ids", () => {
    const numbers = Array.from({ length: 150 }, (_, index) => (index * 37) % 150);
    expect(rowsOf(`a\n${numbers.join("\n")}\n`)).toEqual(numbers.map((number) => [number]));
    const repeated = `id,a\n${numbers.map((n) => `1,${n}`).join("\n")}\n`;
    expect(rowsOf(repeated)).toEqual(numbers.map((number) => [1, number]));
  });
});

describe("a CSV that was written by query", () => {
  it.each([
    "id,n\n10,x\n9,y\n",
    'id,a.b,c\nx,1,""\ny,,z\n',
    "v\n1\n\n2\n\n",
    "a,b\n1,\n,\n",
    'a\n"{""id"": 9007199254740993}"\n',
  ])("reads back the same: %j", async (text) => {
    const folder = mkdtempSync(join(tmpdir(), "twinbase-"));
    const path = join(folder, "t.csv");
    const read = () => queryFile([path, "--format", "csv"], () => {});
    writeFileSync(path, text);
    const written = await read();
    writeFileSync(path, written);
    expect(await read()).toBe(written);
    expect(written.split("\n").length).toBe(text.split("\n").length);
    rmSync(folder, { recursive: true });
  });
});

describe("a file of another kind", () => {
  it.each([
    ["PAR1\x15\x04", "a Parquet file"],
    ["BZh91AY", "bzip2"],
    ["PK\x03\x04\x14\0", "a ZIP archive or an Excel file"],
    ["\xd0\xcf\x11\xe0\xa1\xb1", "an Excel file"],
    ["SQLite format 3\0\x10", "an SQLite database"],
  ])("is named: %j", (beginning, kind) => {
    const bytes = Uint8Array.from(beginning, (character) => character.charCodeAt(0));
    expect(() => load(bytes, {}, "t")).toThrow(`t: expected text, found ${kind}`);
  });
});

describe("JSON", () => {
  it.each([
    ['["a", "b"]', [{ value: "a" }, { value: "b" }]],
    ['{"title": "a", "page": 1}', [{ title: "a", page: 1 }]],
  ])("may be %s", (text, records) => {
    expect(load(text, {}, "t.json").records).toEqual(records);
  });

  it("has records by key", () => {
    const text = '{"AT": {"name": "Austria"}, "DE": {"name": "Germany"}}';
    expect(load(text, {}, "t.json").records).toEqual([
      { id: "AT", name: "Austria" },
      { id: "DE", name: "Germany" },
    ]);
  });
});
