import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { queryCaseArbitrary } from "../../../src/conformance/arbitraries/cases.js";
import { Table } from "../../../src/engine/table.js";
import { enableFiles } from "../../../src/files.js";
import {
  type AnyBranch,
  type AnyTable,
  createEngine,
  type IndexOption,
} from "../../../src/index.js";
import { type ProfileName, resolveProfile } from "../../../src/profile.js";
import { runQuery, runQueryAsJson } from "../../../src/query/run.js";
import { openMirror } from "../../conformance/mirror.js";
import { runs, seed } from "../../generated.js";

const indexes = fc.constantFrom<IndexOption>("auto", "always", "never");

function openMain(profile: ProfileName = "documented"): AnyBranch {
  return createEngine({ profile, seed: 1 }).createWorkspace("w").createDatabase("d").branch("main");
}

/** The answer of a query as records, and as text; both draw the same random order. */
function answer(table: AnyTable, request?: unknown): { result: unknown; text: string } {
  const { environment, version } = Table.sourceOf(table);
  const drawn = { ...environment, drawSeed: () => 1 };
  return {
    result: runQuery(drawn, version, request),
    text: runQueryAsJson(drawn, version, request),
  };
}

function expectSame(table: AnyTable, request?: unknown): void {
  const { result, text } = answer(table, request);
  expect(text).toBe(JSON.stringify(result));
}

describe("an answer written as JSON", () => {
  it(
    "R-4, P-10: is what JSON.stringify makes of the records",
    () => {
      const property = fc.property(queryCaseArbitrary(), indexes, (generated, option) => {
        const table = openMirror(generated, option).branch.table(generated.table);
        for (const query of generated.queries) {
          const { result, text } = answer(table, query);
          // Names that are numbers come first in an object, and as in the schema in the text.
          expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(result));
        }
      });
      fc.assert(property, { seed, numRuns: Math.ceil(500 * runs) });
    },
    300_000 * Math.max(1, runs),
  );

  it("has dictionary-encoded texts, with null and escaped characters", () => {
    const table = openMain().createTable("rows", [
      { name: "few", type: "string" },
      { name: "many", type: "string" },
    ]);
    const texts = ["red", 'a "quoted" one', "back\\slash", "Zoë", undefined];
    // More rows than a chunk has, and more strings than are kept written.
    table.load(
      Array.from({ length: 5000 }, (_, i) => ({ few: texts[i % 5], many: `m${i % 1500}` })),
    );
    const { chunks } = Table.sourceOf(table).version;
    expect(chunks[0]!.vectors.some((vector) => vector?.kind === "code")).toBe(true);
    for (const offset of [0, 500, 800]) expectSame(table, { page: { size: 200, offset } });
    for (const few of texts.slice(0, 4)) expectSame(table, { filter: { few } });
  });

  it("has the strings of each fork, where the codes of one are other strings in the other", () => {
    const engine = createEngine({ seed: 1 });
    const main = engine.createWorkspace("w").createDatabase("d").branch("main");
    main.createTable("rows", [
      { name: "color", type: "string" },
      { name: "labels", type: "multiple" },
      { name: "other", type: "link", link: { table: "rows" } },
    ]);
    const forks = ["first", "second"].map((name) => {
      const branch = engine.fork().workspace("w").database("d").branch("main");
      const table = branch.table("rows");
      // A chunk of rows gets its codes when it is full.
      const rows = Array.from({ length: 4200 }, (_, i) => ({
        color: `${name} ${i % 4}`,
        labels: [`${name} "${i % 3}"`, `${i}`],
        other: `${name}${i % 5}`,
      }));
      table.load(rows);
      return table;
    });
    const codes = forks.map((table) => Table.sourceOf(table).version.chunks[0]!.vectors);
    expect(codes.map((vectors) => vectors.some((vector) => vector?.kind === "code"))).toEqual([
      true,
      true,
    ]);
    for (let round = 0; round < 3; round++) {
      for (const table of forks) expectSame(table, { page: { offset: 20 * round } });
    }
  });

  it("has numbers of any length", () => {
    const table = openMain().createTable("rows", [
      { name: "int", type: "int" },
      { name: "float", type: "float" },
    ]);
    const ends = [0, 7, 10, 99, 100, 999, 1000, 1001, 10_010, 99_999, 100_000, 999_999, 1_000_000];
    const ints = [...ends, 1_000_001, 12_003_000, 999_999_999, 1e9, 1_000_000_007, 2 ** 31 - 1]
      .concat([2 ** 31, 2 ** 32 + 5, 2 ** 53 - 1])
      .flatMap((int) => [int, -int]);
    table.load(ints.map((int) => ({ int, float: int / 8 })));
    for (const value of [1e21, 1e-7, 0.1, -2.5, 123_456.789]) table.insert({ float: value });
    expectSame(table, { page: { size: 100 } });
  });

  it.each(["documented", "xata"] as const)("has every type of column, under %s", (profile) => {
    const branch = openMain(profile);
    branch.createTable("teams", [{ name: "name", type: "string" }]);
    const table = branch.createTable("rows", [
      { name: "text", type: "text" },
      { name: "plan", type: "string" },
      { name: "int", type: "int" },
      { name: "float", type: "float" },
      { name: "bool", type: "bool" },
      { name: "at", type: "datetime" },
      { name: "labels", type: "multiple" },
      { name: "json", type: "json" },
      { name: "vector", type: "vector", vector: { dimension: 2 } },
      { name: "team", type: "link", link: { table: "teams" } },
      {
        name: "inner",
        type: "object",
        columns: [
          { name: "first", type: "string" },
          { name: "deep", type: "object", columns: [{ name: "second", type: "int" }] },
        ],
      },
    ]);
    branch.table("teams").insert({ id: "t1", name: 'a "team"' });
    table.insert([
      {},
      {
        text: 'quote " backslash \\ tab \t nul \0 é 😀 \u2028',
        plan: "free",
        int: 0,
        float: -1.5e-7,
        bool: false,
        at: "2024-02-29T12:00:00.000001Z",
        labels: [],
        json: { a: [1, null, { "b\n": "\u007f" }] },
        vector: [0.5, -1],
        team: "t1",
        inner: { first: "x" },
      },
      {
        text: "",
        plan: "free",
        int: -5,
        float: 3,
        bool: true,
        at: "0001-01-01T00:00:00Z",
        labels: ["one", 'tw"o', "one"],
        json: 5,
        team: "gone",
        inner: { deep: { second: 1 } },
      },
      { plan: "p\\ro", labels: ['tw"o'], inner: { first: "y", deep: { second: 2 } } },
    ]);
    const reverse = {
      name: "<-rows.team",
      columns: ["text", "plan"],
      as: "members",
      limit: 2,
      sort: { text: "asc" },
    };
    expectSame(table);
    // Another time, when what was kept of the first is used.
    expectSame(table, { sort: { plan: "desc" } });
    expectSame(table, { columns: ["team.name", "inner.deep.second", "plan"] });
    expectSame(table, { columns: ["team.*", "id"], page: { size: 1 } });
    expectSame(table, { columns: [], filter: { plan: "none" } });
    expectSame(branch.table("teams"), { columns: ["name", reverse] });
  });

  it("has no value of columns that came after the records", () => {
    const table = openMain().createTable("rows", [{ name: "n", type: "int" }]);
    table.insert([{ id: "a" }, { id: "b", n: 1 }]);
    const types = ["int", "float", "bool", "string", "text", "email", "datetime"] as const;
    for (const type of [...types, "multiple", "json", "file", "file[]"] as const) {
      table.addColumn({ name: `late-${type.replace("[]", "s")}`, type });
    }
    expectSame(table);
  });

  it("is whole where the clock asks for another while a file is written", () => {
    let isAsking = false;
    let table: AnyTable | undefined;
    const inner: string[] = [];
    const now = (): number => {
      if (table === undefined || isAsking) return 0;
      isAsking = true;
      inner.push(answer(table).text);
      isAsking = false;
      return 0;
    };
    const main = enableFiles(createEngine({ seed: 1, now })).createWorkspace("w");
    const made = main
      .createDatabase("d")
      .branch("main")
      .createTable("rows", [
        { name: "text", type: "string" },
        { name: "file", type: "file" },
        { name: "object", type: "object", columns: [{ name: "text", type: "string" }] },
      ]);
    const file = { name: "a.txt", base64Content: "YQ==" };
    made.insert([{ id: "a", text: "x", file, object: { text: "y" } }]);
    const columns = ["text", "file.signedUrl", "object"];
    table = made;
    const { text } = answer(made, { columns });
    expect(inner.length).toBeGreaterThan(0);
    expect(Object.keys(JSON.parse(text).records[0])).toEqual([
      "id",
      "text",
      "file",
      "object",
      "service",
    ]);
  });

  it("tells the versions and times of records apart", () => {
    const branch = openMain();
    const table = branch.createTable("rows", [{ name: "n", type: "int" }]);
    table.insert([{ id: "a" }, { id: "b" }]);
    table.update("b", { n: 1 });
    table.insert({ id: "c" });
    table.update("a", { n: 1 });
    expectSame(table);
  });

  it("keeps no text of another table's strings", () => {
    const branch = openMain();
    const table = branch.createTable("rows", [{ name: "labels", type: "multiple" }]);
    table.insert({ id: "a", labels: ["x", "y"] });
    expectSame(table);
    table.delete("a");
    branch.deleteTable("rows");
    const again = branch.createTable("rows", [{ name: "labels", type: "multiple" }]);
    again.insert({ id: "a", labels: ["y", "z"] });
    expectSame(again);
  });

  it("writes strings of a large dictionary too", () => {
    const branch = openMain();
    const table = branch.createTable("rows", [{ name: "labels", type: "multiple" }]);
    table.load(Array.from({ length: 1100 }, (_, i) => ({ labels: [`label ${i}`] })));
    expectSame(table, { sort: { id: "desc" } });
    expectSame(table, { sort: { id: "desc" } });
  });

  it("T-11: follows each engine's profile over one schema and its rows", () => {
    const branch = openMain();
    const table = branch.createTable("rows", [{ name: "json", type: "json" }]);
    table.insert([{ id: "a", json: { n: 1 } }]);
    const { environment, version } = Table.sourceOf(table);
    const { profile } = environment;
    const profiles = [
      profile,
      { ...profile, metadataColumn: "meta" },
      { ...profile, base: "xata" as const },
      resolveProfile("xata"),
    ];
    // Twice, so that what was kept for one profile could be given for another.
    for (const each of [...profiles, ...profiles]) {
      const own = { ...environment, profile: each };
      const [record] = runQuery(own, version, undefined).records;
      expect(Object.keys(record ?? {})).toEqual(["id", "json", each.metadataColumn]);
      expect(record?.json).toEqual(each.base === "xata" ? '{"n":1}' : { n: 1 });
      expect(JSON.parse(runQueryAsJson(own, version, undefined)).records).toEqual([record]);
    }
  });
});
