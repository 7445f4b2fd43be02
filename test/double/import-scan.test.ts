import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KnownTexts } from "../../src/engine/export/known-texts.js";
import { exportEngine, importEngine } from "../../src/export.js";
import { createEngine, TwinbaseError } from "../../src/index.js";
import { runs, seed } from "../generated.js";
import { sealBytes, sealTexts } from "../seal-lines.js";

/** JSON for the columns of each type, in the form of exports and in others. */
const GOOD: Readonly<Record<string, readonly string[]>> = {
  bool: ["true", "false"],
  int: ["0", "7", "-7", "999999999999999", "9007199254740991", "-0", "1e3", "3.0"],
  float: ["0", "-0", "0.1", "-12.375", "123456789.012345", "0.1234567890123456", "1e-7", "1E+3"],
  string: ['"free"', '"pro"', '"é"', '"\\u0041"', '"\\""', '""', '"a,b]"', '"\\\\"', '"\u007f"'],
  text: ['"a"', '"b"', '"🐝"', '"[\\n{"', `"${"long ".repeat(40)}"`],
  email: ['"a@example.com"', '"ü@example.com"', '"\\u0061@b"'],
  datetime: [
    '"2024-02-29T23:59:59Z"',
    '"0001-01-01T00:00:00Z"',
    '"9999-12-31T23:59:59.999999Z"',
    '"1969-12-31T23:59:59.5Z"',
    '"2024-01-31T00:00:00.000001Z"',
    '"2024-01-31T00:00:00.1234567Z"',
    '"2024-01-31t00:00:00+01:30"',
  ],
  multiple: [
    "[]",
    '["a"]',
    '["a","b"]',
    '["é","a"]',
    '["\\n"]',
    '["a" ,"b"]',
    '["","],["]',
    '["b"] ',
  ],
  link: ['"t1"', '"t2"', '"ü"', '{"id":"t1"}', '"a b"'],
  json: ["1", '"x"', "[[1],[2]]", '{"a":{"b":[]},"__proto__":{"c":1}}', '"],[0,"', "true"],
};
/** What is no value of most, and no JSON at all. */
const ODD = [
  "01",
  "-",
  "1.",
  ".5",
  "1 ",
  " 1",
  "1e400",
  "9007199254740993",
  "1234567890123456789",
  "tru",
  "nul",
  "",
  "]",
  "[",
  "[1",
  "{}",
  '"',
  '"a"b"',
  '"\\ud800"',
  '"\\x"',
  '"a\tb"',
  '"2023-02-29T00:00:00Z"',
  '"2024-13-01T00:00:00Z"',
  '"0000-01-01T00:00:00Z"',
  '"2024-01-01T24:00:00Z"',
  '"2024-01-01T00:00:00.Z"',
  '"2024-01-01T00:00:00"',
  '["a",1]',
  '["a",]',
  '["a""b"]',
  '["a"',
  "[null]",
  '{"ms":1,"micros":0}',
  '"no address"',
  '""',
  "1],[2",
  '1,"x"',
];
const TYPES = Object.keys(GOOD);

/** Everything before the records, and the ends of lines to be. */
const head = makeHead();

describe(`records of an import that are scanned (seed ${seed})`, () => {
  it("are what reading their JSON makes of them, and are refused as it refuses them", () => {
    let refused = 0;
    const property = fc.property(linesArbitrary(), (records) => {
      const scanned = outcomeOf(records);
      // A space is no form of exports: such a line is read as JSON.
      expect(scanned).toBe(outcomeOf(records.map((line) => line.replace("[", "[ "))));
      if (scanned.startsWith("import: ")) refused++;
    });
    const numRuns = Math.ceil(4000 * runs);
    fc.assert(property, { seed, numRuns });
    expect(refused).toBeGreaterThan(numRuns / 10);
    expect(refused).toBeLessThan((numRuns * 9) / 10);
  });

  it("are the same in whatever chunks they come", () => {
    const cut = fc.tuple(linesArbitrary(), fc.integer({ min: 1, max: 400 }));
    const property = fc.property(cut, ([records, size]) => {
      const text = textWith(records);
      const bytes = new TextEncoder().encode(text);
      const pieces = [];
      for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
      expect(importedFrom(pieces)).toBe(importedFrom(text));
      const texts = [];
      for (let at = 0; at < text.length; at += size) texts.push(text.slice(at, at + size));
      expect(importedFrom(texts)).toBe(importedFrom(text));
    });
    fc.assert(property, { seed, numRuns: Math.ceil(200 * runs) });
  });

  it("are refused with the line of the first that is no good, though others come in one chunk", () => {
    const line = (id: string, value: string) =>
      recordOf(
        id,
        TYPES.map((type) => (type === "int" ? value : "null")),
      );
    const before = head.length;
    expect(outcomeOf([line("a", "1"), line("b", '"x"'), line("c", "tru")])).toMatch(
      `import: line ${before + 2}: table [all]: column [int]: expected`,
    );
    expect(outcomeOf([line("a", "1"), line("b", "tru"), line("c", '"x"')])).toBe(
      `import: line ${before + 2}: it is no JSON`,
    );
    const damaged = textWith([line("a", "1"), line("b", '"x"'), line("c", "1")]).replace(
      '"c",0',
      '"c",1',
    );
    expect(importedFrom(damaged)).toMatch(`import: line ${before + 2}: table [all]`);
  });

  it("are read where their form is another, as JSON may have it", () => {
    const cells = TYPES.map(() => "null");
    const record = recordOf("a", cells);
    for (const other of [record.replace(",null", ", null"), record.replace("00Z", "00.0Z")]) {
      expect(outcomeOf([other])).toBe(outcomeOf([record]));
    }
  });

  it("are refused alike where they are no UTF-8", () => {
    const cells = TYPES.map((type) => (type === "json" ? '"\u00ff"' : "null"));
    const record = recordOf("a", cells);
    for (const line of [record, record.replace("[", "[ ")]) {
      const bytes = sealBytes(linesWith([line]).map((text) => Buffer.from(text, "latin1")));
      expect(importedFrom(bytes)).toBe(`import: line ${head.length + 1}: it is no JSON`);
    }
  });

  it("that are many of many texts are the same", () => {
    const records = Array.from({ length: 12_000 }, (_, i) => {
      const values = { string: `"s${i % 700}"`, text: `"t${i}"`, link: `"l${i % 5000}"` };
      const multiple = `["m${i % 4500}","x"]`;
      const cells = TYPES.map((type) => ({ ...values, multiple })[type] ?? "null");
      return recordOf(String(i).padStart(6, "0"), cells);
    });
    const text = textWith(records);
    expect(importedFrom(text)).toBe(text);
  });
});

describe("texts that are known", () => {
  it("are found by their bytes alone, whatever their places", () => {
    const text = fc.stringMatching(/^[ab]{0,9}$/);
    const property = fc.property(fc.array(text, { maxLength: 200 }), (texts) => {
      const known = new KnownTexts(true);
      const bytes = new TextEncoder().encode(`${texts.map((text) => `"${text}`).join("")}"1234`);
      const view = new DataView(bytes.buffer);
      let at = 0;
      const numbers = texts.map((text) => {
        const number = known.find(bytes, view, at + 1, bytes.length);
        at += text.length + 1;
        if (number >= 0) expect(known.end).toBe(at + 1);
        return number;
      });
      const made = known.read(() => {});
      expect(new Set(made).size).toBe(made.length);
      for (const [i, number] of numbers.entries())
        if (number >= 0) expect(made[number]).toBe(texts[i]);
    });
    fc.assert(property, { seed, numRuns: Math.ceil(200 * runs) });
  });
});

describe("an export of an older version", () => {
  it("H-5: is read, with its own checksums", () => {
    const old = readFileSync(new URL("export-version-3.ndjson", import.meta.url), "utf8");
    const engine = importEngine(old);
    const again = [...exportEngine(engine)].join("");
    expect(withoutSums(again)).toBe(withoutSums(old.replace('-export",3', '-export",4')));
    expect(importedFrom(again)).toBe(again);
    for (const damaged of [old.replace("wasps", "wesps"), old.replace("[0]", "[ 0]")]) {
      expect(importedFrom(damaged)).toMatch(/line \d+: it is damaged/);
    }
  });
});

/** An engine with a table of all types, as lines without their checksums. */
function makeHead(): readonly string[] {
  const engine = createEngine({ seed: 1, now: 0 });
  const main = engine.createWorkspace("w").createDatabase("d").branch("main");
  main.createTable("teams", []);
  const link = { table: "teams" };
  main.createTable(
    "all",
    TYPES.map((type) => ({ name: type, type, ...(type === "link" ? { link } : {}) })) as never,
  );
  const lines = [...exportEngine(engine)].join("").split("\n").slice(0, -2);
  return lines.map((line) => line.slice(0, -'"12345678"],'.length));
}

function recordOf(id: string, values: readonly string[], times = '"2024-01-31T00:00:00Z",null') {
  return `["r",${JSON.stringify(id)},0,${times},${values.join(",")}`;
}

/** Lines of records of that table: most are good, all are in the order of their ids. */
function linesArbitrary(): fc.Arbitrary<readonly string[]> {
  const cell = (good: readonly string[]) =>
    fc.oneof(
      { weight: 400, arbitrary: fc.constantFrom("null", ...good) },
      { weight: 1, arbitrary: fc.constantFrom(...ODD, ...Object.values(GOOD).flat()) },
    );
  const time = cell(GOOD.datetime ?? []).filter((text) => text !== "null");
  const record = fc.tuple(
    fc.tuple(...TYPES.map((type) => cell(GOOD[type] ?? []))),
    fc.tuple(time, cell(GOOD.datetime ?? [])).map((times) => times.join(",")),
    fc.oneof({ weight: 100, arbitrary: fc.constant("") }, fc.constantFrom("\u0085", "é", '"', "b")),
  );
  return fc
    .array(record, { minLength: 1, maxLength: 12 })
    .map((records) =>
      records.map(([values, times, tail], i) =>
        recordOf(`${String(i).padStart(3, "0")}${tail}`, values, times),
      ),
    );
}

function textWith(records: readonly string[]): string {
  return sealTexts(linesWith(records));
}

function linesWith(records: readonly string[]): readonly string[] {
  const size = `"size":${records.length}}`;
  const lines = head.with(-1, (head.at(-1) ?? "").replace('"size":0}', size)).concat(records);
  return [...lines, `["end",${lines.length}`];
}

function outcomeOf(records: readonly string[]): string {
  return importedFrom(textWith(records));
}

/** What an import exports again, or how it was refused. */
function importedFrom(source: Parameters<typeof importEngine>[0]): string {
  try {
    return [...exportEngine(importEngine(source))].join("");
  } catch (error) {
    if (!(error instanceof TwinbaseError)) throw error;
    return error.message;
  }
}

function withoutSums(text: string): string {
  return text.replaceAll(/,"[\w-]{8}"\]$/gm, "");
}
