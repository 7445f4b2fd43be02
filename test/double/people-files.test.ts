import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type Fixture, loadFixture } from "../../src/fixtures.js";
import { createEngine } from "../../src/index.js";

function load(name: string, text: Fixture["text"], options: Partial<Fixture> = {}) {
  const branch = createEngine({ now: 0, seed: 1 }).createWorkspace("w").createDatabase("d");
  const loaded = loadFixture(branch.branch("main"), "t", { name, text, ...options });
  const [first] = loaded.columns;
  const sort = first === undefined || first.type === "json" ? [] : [first.name];
  const { records } = loaded.table.query({ sort });
  const types = Object.fromEntries(loaded.columns.map(({ name, type }) => [name, type]));
  return { ...loaded, records, types };
}

const utf16 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "utf16le"));

describe("whole numbers beyond 2^53", () => {
  it.each([
    ["t.csv", "n,m\n9007199254740993,1\n9007199254740992,2\n"],
    ["t.json", '[{"n":9007199254740993,"m":1},\n{"n":9007199254740992,"m":2}]'],
    ["t.ndjson", '{"n":9007199254740993,"m":1}\n{"n":9007199254740992,"m":2}\n'],
    ["t.json", '{"data":[{"n":9007199254740993,"m":1},{"n":9007199254740992,"m":2}]}'],
  ])("stay text in %s", (name, text) => {
    const { types, records, notes } = load(name, text);
    expect(types).toEqual({ n: "string", m: "int" });
    expect(records.map(({ n }) => n)).toEqual(["9007199254740992", "9007199254740993"]);
    expect(notes).toContain("column n has whole numbers beyond 2^53, which stay text");
  });

  it("make all values of their column text, also where they come late", () => {
    const lines = Array.from({ length: 15_000 }, (_, i) => `{"n":${i}}`);
    const { types, table } = load("t.ndjson", [...lines, '{"n":12345678901234567891}'].join("\n"));
    expect(types).toEqual({ n: "string" });
    expect(table.count({ n: { $any: ["7", "12345678901234567891"] } })).toBe(2);
  });

  it("are numbers where a double holds them, and text in strings stays as it is", () => {
    const { types, records } = load(
      "t.ndjson",
      '{"n":10000000000000000000,"s":"9007199254740993"}',
    );
    expect(types).toEqual({ n: "float", s: "string" });
    expect(records[0]).toMatchObject({ n: 1e19, s: "9007199254740993" });
  });
});

describe("a fixture that is none", () => {
  const text = "a,b\n1,2\n";
  it.each<[string, unknown, RegExp]>([
    ["bytes alone", Buffer.from(text), /expected an object with name and text/],
    ["text alone", text, /expected an object with name and text/],
    ["no text", { name: "t.csv" }, /^t\.csv: text: expected a string, bytes/],
    ["no name", { text }, /^fixture: name: expected a string/],
    ["records", { name: "t.json", text: [{ a: 1 }] }, /found an array of 1/],
    ["a promise", { name: "t.csv", text: Promise.resolve(text) }, /^t\.csv: text: expected/],
    [
      "an asynchronous generator",
      { name: "t.csv", text: async function* () {} },
      /^t\.csv: text: expected an iterable/,
    ],
    ["an unknown key", { name: "t.csv", text, headers: false }, /did you mean header/],
    ["an unknown format", { name: "t.csv", text, format: "xml" }, /^t\.csv: format: expected csv/],
    ["gzip", { name: "t.csv.gz", text: gzipSync(text) }, /found gzip: decompress it first/],
  ])("is refused: %s", (_, fixture, message) => {
    const main = createEngine().createWorkspace("w").createDatabase("d").branch("main");
    expect(() => loadFixture(main, "t", fixture as Fixture)).toThrow(message);
    expect(main.tables()).toEqual([]);
  });

  it.each<[object, RegExp]>([
    [{ type: { a: "string" } }, /did you mean types/],
    [{ types: ["a"] }, /^types: expected an object/],
  ])("so are options: %j", (options, message) => {
    const main = createEngine().createWorkspace("w").createDatabase("d").branch("main");
    expect(() => loadFixture(main, "t", { name: "t.csv", text }, options)).toThrow(message);
  });
});

describe("given types", () => {
  const given = { "Loan Amount": "string", b: "string", zz: "int" } as const;
  it.each(["t.csv", "t.json"])("name columns of %s as the file does, or by their path", (name) => {
    const text = name === "t.csv" ? "Loan Amount,b\n1,2\n" : '[{"Loan Amount":1,"b":2}]';
    const main = createEngine().createWorkspace("w").createDatabase("d").branch("main");
    const { columns, notes } = loadFixture(main, "t", { name, text }, { types: given });
    expect(columns.map(({ type }) => type)).toEqual(["string", "string"]);
    expect(notes).toContain("column zz does not exist: its type has no effect");
  });
});

describe("columns with reserved names", () => {
  it.each([
    ["t.csv", "service,xata\nbus,a\n"],
    ["t.json", '[{"service":"bus","xata":"a"}]'],
  ])("are renamed in %s", (name, text) => {
    const { records, notes } = load(name, text);
    expect(records).toMatchObject([{ service_: "bus", xata_: "a" }]);
    expect(notes).toEqual(['renamed columns: "service" is service_, "xata" is xata_']);
  });
});

describe("metadata and ids of the service's own export", () => {
  it.each([
    [
      "t.csv",
      "xata_id,name,xata_version,xata_createdat,xata_updatedat\na,Ann,3,2024-01-31 10:00:00.5+00,2024-02-01 10:00:00+00\n",
    ],
    [
      "t.csv",
      "id,name,xata.version,xata.createdAt,xata.updatedAt\na,Ann,3,2024-01-31T10:00:00.5Z,2024-02-01T10:00:00Z\n",
    ],
    [
      "t.json",
      '[{"id":"a","name":"Ann","xata":{"version":3,"createdAt":"2024-01-31T10:00:00.5Z","updatedAt":"2024-02-01T10:00:00Z"}}]',
    ],
  ])("are those of the records in %s", (name, text) => {
    const { records, notes } = load(name, text);
    const service = {
      version: 3,
      createdAt: "2024-01-31T10:00:00.5Z",
      updatedAt: "2024-02-01T10:00:00Z",
    };
    expect(records).toEqual([{ id: "a", name: "Ann", service }]);
    expect(notes).toEqual([]);
  });

  it("R-2: are refused with their line where they are none", () => {
    const text = "id,xata_version\na,1\nb,x\n";
    expect(() => load("t.csv", text)).toThrow(/^t\.csv:3:3: version: expected a whole number/);
  });
});

describe("encodings", () => {
  const text = "name,n\nMüller,1\n";
  it.each([
    ["UTF-8", new TextEncoder().encode(text), []],
    ["UTF-8 with a mark", new TextEncoder().encode(`\uFEFF${text}`), []],
    ["windows-1252", new Uint8Array(Buffer.from(text, "latin1")), ["read as windows-1252"]],
    ["UTF-16 with a mark", utf16(`\uFEFF${text}`), ["read as utf-16le"]],
    ["UTF-16 by its zero bytes", utf16(text), ["read as utf-16le"]],
    [
      "UTF-16BE",
      utf16(`\uFEFF${text}`)
        .reverse()
        .reverse()
        .slice()
        .map((_, i, all) => all[i ^ 1]!),
      ["read as utf-16be"],
    ],
  ])("%s", (_, bytes, notes) => {
    const found = load("t.csv", bytes);
    expect(found.records).toMatchObject([{ name: "Müller", n: 1 }]);
    expect(found.notes).toEqual(notes);
    const cut = () => [bytes.slice(0, 9), bytes.slice(9)];
    expect(load("t.csv", cut).records).toEqual(found.records);
  });

  it("keeps U+FEFF inside of a file, also where a chunk begins", () => {
    const bytes = new TextEncoder().encode("name,n\n\uFEFFMüller,1\n");
    const cut = () => [bytes.slice(0, 7), bytes.slice(7)];
    expect(load("t.csv", cut).records).toMatchObject([{ name: "\uFEFFMüller", n: 1 }]);
  });

  it("of no bytes, as of one, is UTF-8", () => {
    expect(load("t.csv", new Uint8Array()).notes).toEqual([]);
    expect(load("t.csv", new Uint8Array([0x61])).notes).toEqual([]);
  });

  it("may be given", () => {
    const bytes = new Uint8Array(Buffer.from(text, "latin1"));
    expect(load("t.csv", bytes, { encoding: "iso-8859-2" }).records).toMatchObject([
      { name: "Müller" },
    ]);
    expect(() => load("t.csv", bytes, { encoding: "utf-8" })).toThrow("expected text in utf-8");
    expect(() => load("t.csv", bytes, { encoding: "x" })).toThrow("unknown encoding x");
  });
});

describe("ids", () => {
  it("that repeat are data", () => {
    const { records, types, notes, hasIds } = load("t.csv", "id,n\na,1\nb,2\na,3\n");
    expect(types).toEqual({ id_: "string", n: "int" });
    expect(records.map(({ id_ }) => id_)).toEqual(["a", "a", "b"]);
    expect(hasIds).toBe(false);
    expect(notes[0]).toBe('renamed columns: "id" is id_');
    expect(notes).toContain(
      "the values of id are no ids, or not unique: they are in the column id_",
    );
  });

  it("that are numbers sort and filter as numbers too", () => {
    const { table, notes } = load("t.csv", "id,n\n10,1\n9,2\n");
    const found = table.query({ filter: { id_: { $ge: 9 } }, sort: { id_: "asc" } }).records;
    expect(found.map(({ id }) => id)).toEqual(["9", "10"]);
    expect(notes).toEqual([
      "ids are text; their numbers are in the column id_ too, for sorts and ranges",
    ]);
    expect(load("t.csv", "id,n\n10,1\n9,2\n", { id: "id" }).types).toEqual({ n: "int" });
  });

  it("may be in another column", () => {
    const { records, types } = load("t.csv", "id,key\n1,a\n1,b\n", { id: "key" });
    expect(types).toEqual({ id_: "int" });
    const numbered = load("t.csv", "id,key\n1,7\n1,8\n", { id: "key" });
    expect(numbered.notes).toEqual(['renamed columns: "id" is id_']);
    expect(records.map(({ id }) => id).toSorted()).toEqual(["a", "b"]);
    expect(() => load("t.csv", "a\n1\n", { id: "key" })).toThrow('no column is named "key"');
  });

  it.each(['[{"id":true}]', '[{"id":{"$oid":"a"}}]', '[{"id":1.5}]'])("%s are data", (text) => {
    expect(Object.keys(load("t.json", text).types)).toEqual(["id_"]);
  });
});

describe("types", () => {
  it("are text for mixed scalars", () => {
    const { types, records } = load("t.json", '[{"title":300},{"title":"Up"},{"title":true}]');
    expect(types).toEqual({ title: "string" });
    expect(records.map(({ title }) => title)).toEqual(["300", "Up", "true"]);
  });

  it("may be given, and a value of another type is refused with its line", () => {
    const branch = createEngine().createWorkspace("w").createDatabase("d").branch("main");
    const fixture = { name: "t.csv", text: "zip,n\n1010,1\n1020,x\n" };
    const types = { zip: "string", n: "string" } as const;
    const { table } = loadFixture(branch, "a", fixture, { types });
    expect(table.query({ sort: ["zip"] }).records[0]).toMatchObject({ zip: "1010", n: "1" });
    expect(() => loadFixture(branch, "b", fixture, { types: { n: "int" } })).toThrow(
      /^t\.csv:3:6: table \[b\]: column \[n\]: expected int/,
    );
  });

  it.each([
    [[".097", "5.", "+3", "1e5", " 7 "], "float", [0.097, 5, 3, 1e5, 7]],
    [["+3", " 4"], "int", [3, 4]],
    [["yes", "no"], "string", ["yes", "no"]],
    [["007", "1"], "string", ["007", "1"]],
    [["1,5", "2"], "string", ["1,5", "2"]],
  ])("of %j are %s", (cells, type, values) => {
    const { types, table } = load(
      "t.csv",
      `k;c\n${cells.map((cell, i) => `k${i};${cell}`).join("\n")}`,
    );
    expect(types.c).toBe(type);
    expect(table.query({ sort: ["k"] }).records.map(({ c }) => c)).toEqual(values);
  });
});

describe("dates", () => {
  it.each([
    ["2012-01-01", "2012-01-01T00:00:00Z"],
    ["2012/1/31", "2012-01-31T00:00:00Z"],
    ["2024-01-31 10:00:00", "2024-01-31T10:00:00Z"],
    ["2024-01-31T10:00", "2024-01-31T10:00:00Z"],
    ["2024-01-31 10:00:00.25+01", "2024-01-31T09:00:00.25Z"],
    ["2024-01-31T10:00:00+0130", "2024-01-31T08:30:00Z"],
    ["31/12/2023", "2023-12-31T00:00:00Z"],
    ["31.12.2023 8:05", "2023-12-31T08:05:00Z"],
    ["12/31/2023", "2023-12-31T00:00:00Z"],
    ["31/1/68", "2068-01-31T00:00:00Z"],
    ["1/31/69", "1969-01-31T00:00:00Z"],
    ["12/31/2023 10:20:11 PM", "2023-12-31T22:20:11Z"],
    ["12/31/23 12:05 am", "2023-12-31T00:05:00Z"],
    ["1/2/23 1:05:10 PM", "2023-01-02T13:05:10Z"],
    ["31/12/2023 1:05 PM", "2023-12-31T13:05:00Z"],
  ])("%s is %s", (text, expected) => {
    for (const [name, file] of [
      ["t.csv", `d\n${text}\n`],
      ["t.ndjson", JSON.stringify({ d: text })],
    ] as const) {
      const { types, records } = load(name, file);
      expect(types).toEqual({ d: "datetime" });
      expect(records[0]?.d).toBe(expected);
    }
  });

  it("without a zone are UTC, said once", () => {
    const { notes } = load("t.csv", "a,b,c\n2012-01-01,2012-01-01 10:00,2012-01-01T00:00:00Z\n");
    expect(notes).toEqual(["column a, b has dates without a time zone, which are read as UTC"]);
  });

  it("have the order that another value or column of the file decides", () => {
    const { types, records, notes } = load("t.csv", "a,b\n01/02/2023,13/01/2023\n03/02/2023,\n");
    expect(types).toEqual({ a: "datetime", b: "datetime" });
    expect(records.map(({ a }) => a)).toEqual(["2023-02-01T00:00:00Z", "2023-02-03T00:00:00Z"]);
    expect(notes).toContain("dates: a begins with the day, b begins with the day");
  });

  it("begin with the day in a CSV, as in DuckDB, and stay text in JSON, where nothing decides the order", () => {
    const { records, notes } = load("t.csv", "d\n01/02/2023\n03/02/2023\n");
    expect(records.map(({ d }) => d)).toEqual(["2023-02-01T00:00:00Z", "2023-02-03T00:00:00Z"]);
    expect(notes).toContain("dates: d begins with the day");
    expect(load("t.ndjson", '{"d":"01/02/2023"}').types).toEqual({ d: "string" });
  });

  it.each([
    ["two orders are mixed", "d\n31/12/2023\n12/31/2023\n"],
    ["a date does not exist", "d\n2024-01-31\n2024-02-30\n"],
    ["an hour does not exist", "d\n12/31/2023 13:05 PM\n12/31/2023 0:05 AM\n"],
    ["they may be versions", "d\n13.2.21\n14-2-21\n"],
  ])("stay text where %s", (_, text) => {
    expect(load("t.csv", text).types).toEqual({ d: "string" });
  });
});

describe("empty cells in quotes", () => {
  it("are the empty string in columns of text, and null in others", () => {
    const { types, records } = load(
      "t.csv",
      '"s","n","b","d"\n"","","",""\n"1x","+5","true","2024-01-31"\n',
    );
    expect(types).toEqual({ s: "string", n: "int", b: "bool", d: "datetime" });
    expect(records.map(({ s, n, b, d }) => ({ s, n, b, d }))).toEqual([
      { s: "" },
      { s: "1x", n: 5, b: true, d: "2024-01-31T00:00:00Z" },
    ]);
    expect(load("t.csv", 'a,n\n1,""\n2,x\n').records).toMatchObject([{ n: "" }, { n: "x" }]);
    expect(load("t.csv", 'a,n\n1,""\n').records).toMatchObject([{ n: "" }]);
  });

  it("leave a column open, so that a later value decides its type", () => {
    const { types } = load("t.csv", `a,n\n${'1,""\n'.repeat(15_000)}2,7\n`);
    expect(types).toEqual({ a: "int", n: "int" });
  });
});

describe("headers", () => {
  it("that repeat get a number, also if they differ by case only", () => {
    const { types, notes } = load("t.csv", "name,name,Name,a.b,a.b\nx,y,z,1,2\n");
    expect(types).toEqual({ name: "string", name_2: "string", Name_3: "string", a: "object" });
    expect(notes[0]).toContain('"a.b" is a.b_2');
  });

  it("that are missing are noticed", () => {
    const { types, count, notes } = load("t.csv", "1,2\n3,4\n");
    expect([types, count]).toEqual([{ column1: "int", column2: "int" }, 2]);
    expect(notes).toEqual(["there is no header: the columns are column1, column2"]);
    expect(load("t.csv", "a,b\nc,d\n", { header: false }).count).toBe(2);
    expect(load("t.csv", "2019,2020\n3,4\n", { header: true }).types).toEqual({
      _2019: "int",
      _2020: "int",
    });
  });

  it("may end in empty cells, as rows may", () => {
    const { types, count } = load("t.csv", "a,b,,\n1,2,,\n3,4\n5,6,,,\n");
    expect([types, count]).toEqual([{ a: "int", b: "int" }, 3]);
    expect(load("t.csv", "a,b,\n1,2,3\n").types).toEqual({ a: "int", b: "int", column: "int" });
    const text = "a,b,\n1,2,,3\n1,2,\n1,2,\n";
    expect(() => load("t.csv", text, { delimiter: "," })).toThrow(
      /^t\.csv:2:5: a cell beyond the 2 columns$/,
    );
  });

  it("may begin with comments, the last of which is a header that is wider than most rows", () => {
    const text = "# about\n#\n#code\tname\tnotes\nA\tx\nB\ty\tBay, the east\nC\tz\n";
    const { types, records } = load("t.tab", text);
    expect(types).toEqual({ _code: "string", name: "string", notes: "string" });
    expect(records[1]).toMatchObject({ _code: "B", name: "y", notes: "Bay, the east" });
  });

  it("has one column if no delimiter splits each row", () => {
    const { types, records } = load("t.csv", "title\nOne, two\nThree\nFour\n");
    expect([types, records.length]).toEqual([{ title: "string" }, 3]);
  });

  it("may follow a line with the separator", () => {
    expect(load("t.csv", "sep=;\r\na;b\r\n1;2\r\n").types).toEqual({ a: "int", b: "int" });
  });
});

describe("JSON", () => {
  it.each([
    ["data", '{"data":[{"a":1}],"total":1}', []],
    [
      "the only array of objects",
      '{"page":1,"cities":[{"a":1}],"tags":["x"]}',
      ['the records are those under "cities"'],
    ],
    ["lines under another name", '{"a":1}\n{"a":2}\n', []],
  ])("is read from %s", (_, text, notes) => {
    expect(load("t.json", text)).toMatchObject({ types: { a: "int" }, notes });
  });

  it.each<[what: string, text: string, types: object, notes: string[]]>([
    [
      "several arrays of objects",
      '{"nodes":[{"a":1}],"links":[{"b":1}]}',
      { nodes: "json", links: "json" },
      ["the whole file is one record, as it has several arrays: nodes and links"],
    ],
    [
      "objects and values",
      '{"type":"Topology","arcs":[[1,2]],"transform":{"scale":[1,2]},"objects":{}}',
      { type: "string", arcs: "json", transform: "object", objects: "json" },
      ["the whole file is one record"],
    ],
    [
      "more members than columns",
      `{"type":"x","data":{${Array.from({ length: 1001 }, (_, i) => `"k${i}":${i}`)}}}`,
      { type: "string", data: "json" },
      [
        "the whole file is one record",
        "objects are JSON: their members are more than 1,000 columns",
      ],
    ],
  ])("of an object with %s is one record", (_, text, types, notes) => {
    expect(load("t.json", text)).toMatchObject({ types, notes, records: [{}] });
  });

  it("of a map has its keys as ids", () => {
    const members = Array.from({ length: 1001 }, (_, i) => [`k${i}`, i]);
    const { records, types } = load("t.json", JSON.stringify(Object.fromEntries(members)));
    expect(types).toEqual({ value: "int" });
    expect(records.slice(0, 2)).toMatchObject([
      { id: "k0", value: 0 },
      { id: "k1", value: 1 },
    ]);
    // Their own keys are more than a table has columns.
    const maps = Object.fromEntries(members.map(([key, value]) => [key, { [`${key}-x`]: value }]));
    const wide = load("t.json", JSON.stringify(maps));
    expect(wide.types).toEqual({ value: "json" });
    expect(wide.records[1]).toMatchObject({ id: "k1", value: { "k1-x": 1 } });
  });

  it("reads columns that are empty objects as JSON", () => {
    const { records, types } = load("t.json", '[{"a":{},"o":{"n":1}},{"o":{}},{"o":{"n":2}}]');
    expect([types, records[0]]).toMatchObject([
      { a: "json", o: "object" },
      { a: {}, o: { n: 1 } },
    ]);
  });

  it("of GeoJSON has the features' properties as columns", () => {
    const feature = {
      type: "Feature",
      id: "at",
      properties: { name: "Wien" },
      geometry: { type: "Point", coordinates: [16.4, 48.2] },
    };
    const text = JSON.stringify({ type: "FeatureCollection", features: [feature] });
    const { records } = load("t.geojson", text);
    expect(records).toMatchObject([
      { id: "at", name: "Wien", geometry: { type: "Point", coordinates: [16.4, 48.2] } },
    ]);
  });

  it.each([
    ['[{"a":1} {"a":2}]', "t.json:1:10"],
    ['[{"a":1},]', "t.json:1:10"],
    ["[,1]", "t.json:1:2"],
    ['[{"a":1}]]', "t.json:1:10"],
    ['[{"a":"x', "t.json:1:"],
    ["[\n", "t.json:2:1"],
    ['[{"a":1,\n"b":2]3}]', "t.json:2:8"],
  ])("%s is refused with its place", (text, place) => {
    for (const size of [1, 3, 100]) {
      const chunks = () => text.match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
      expect(() => load("t.json", chunks)).toThrow(place);
    }
  });
});
