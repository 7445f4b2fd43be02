import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkProject, root, slashed } from "./compiler.js";
import { writeLargeProgram } from "./large-schema.js";

/** Limit of type instantiations of the type tests: the measured count and 6 %. */
const TESTS_BUDGET = 796_000;
/** The same for a program with a large schema, and 0.5 %. */
const LARGE_BUDGET = 815_000;

const directories: string[] = [];

afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true });
});

describe("types", () => {
  // `npm run typecheck`, in `npm test`, finds the same faults.
  it("accept and reject the expected programs, within the checker's budget", { tags: ["slow"] }, ({
    annotate,
  }) => {
    const report = checkProject(join(import.meta.dirname, "tsconfig.json"));
    expect(report.faults).toEqual([]);
    expect(report.instantiations).toBeGreaterThan(TESTS_BUDGET / 2);
    expect(report.instantiations).toBeLessThan(TESTS_BUDGET);
    return annotate(report.checkTime);
  });

  it("of twenty tables with links in cycles stay within the budget, and find a fault", ({
    annotate,
  }) => {
    const program = writeLargeProgram(slashed(join(root, "src")));
    const report = checkProject(
      writeProject({ "program.mts": program.replace("$contains", "$contans") }),
    );
    expect(report.faults).toEqual([expect.stringContaining("$contans")]);
    expect(report.instantiations).toBeGreaterThan(LARGE_BUDGET / 2);
    expect(report.instantiations).toBeLessThan(LARGE_BUDGET);
    return annotate(report.checkTime);
  });
});

const RECORDS = `
import { createEngine } from "${slashed(join(root, "src/index.js"))}";
const main = createEngine().createWorkspace("w").createDatabase("d").branch("main");
const schema = {
  users: [
    { name: "email", type: "email" },
    { name: "age", type: "int" },
    { name: "active", type: "bool" },
    { name: "labels", type: "multiple" },
    { name: "team", type: "link", link: { table: "teams" } },
    { name: "address", type: "object", columns: [{ name: "zip", type: "int" }] },
  ],
  teams: [{ name: "name", type: "string", notNull: true }],
} as const;
const { users } = main.createTables(schema);
users.insert({ email: "a@b.c", emial: "x@example.com" });
users.insert({ email: "a@b.c", age: "36" });
users.insert([{ email: "a@b.c" }, { age: true }]);
users.insert([{ emial: "x@example.com" }]);
users.update("ada", { emial: "x@example.com" });
users.replace("ada", { emial: "x@example.com" });
users.upsert("ada", { emial: "x@example.com" });
users.put("ada", { emial: "x@example.com" });
users.insert({ labels: "vip" });
users.update("ada", { active: "yes" });
users.update("ada", { age: "36" });
users.update("ada", { address: { zip: "1" } });
users.upsert("ada", { active: "yes" });
main.transaction<typeof schema>([{ update: { table: "users", id: "a", fields: { active: "yes" } } }]);
main.transaction<typeof schema>([{ insert: { table: "users", record: { age: true } } }]);
`;

const QUERIES = `
import { createEngine } from "${slashed(join(root, "src/index.js"))}";
const main = createEngine().createWorkspace("w").createDatabase("d").branch("main");
const { users } = main.createTables({
  users: [
    { name: "age", type: "int" },
    { name: "team", type: "link", link: { table: "teams" } },
  ],
  teams: [{ name: "name", type: "string" }],
});
users.query({ sort: ["aeg"] });
users.query({ sort: ["age", { "team.nmae": "asc" }] });
users.query({ filter: { $any: [{ age: 1 }, { aeg: 5 }] } });
users.query({ filter: { $any: [{ age: "5" }] } });
users.query({ filter: { team: [{ nmae: "x" }] } });
users.query({ filter: { $not: { aeg: 5 } } });
users.query({ filter: { $not: { team: { nmae: "x" } } } });
users.query({ filter: { $any: [{ $not: { age: { $gt: "5" } } }] } });
declare const names: string[];
users.query({ columns: names });
users.get("ada", { columns: names });
`;

/** The faults of both programs, checked at once. */
let faults: readonly string[] = [];

beforeAll(() => {
  ({ faults } = checkProject(writeProject({ "records.mts": RECORDS, "queries.mts": QUERIES })));
});

describe("a mistake in a record to write", () => {
  it("is reported in one line, at the wrong value or name", () => {
    const reported = faultsOf("records.mts").map((fault) => {
      const [, line, column, text] = /\((\d+),(\d+)\): error TS\d+: (.*)$/s.exec(fault) ?? [];
      expect(text?.length).toBeLessThan(450);
      expect(text).not.toContain("\n");
      const at = RECORDS.split("\n")[Number(line) - 1]?.slice(Number(column) - 1);
      return [/^\w+/.exec(at ?? "")?.[0], text?.replace(/ in type .*/, "")];
    });
    const nearest = [
      "emial",
      "Type 'string' is not assignable to type 'Invalid<\"there is no column emial; did you mean email?\">'.",
    ];
    const change =
      "Type 'string' is not assignable to type 'number | NumberChange | null | undefined'.";
    expect(reported).toEqual([
      nearest,
      ["age", "Type 'string' is not assignable to type 'number'."],
      ["age", "Type 'boolean' is not assignable to type 'number'."],
      ...Array.from({ length: 5 }, () => nearest),
      ["labels", "Type 'string' is not assignable to type 'readonly string[]'."],
      ["active", "Type 'string' is not assignable to type 'boolean | null | undefined'."],
      ["age", change],
      ["zip", change],
      ["active", "Type 'string' is not assignable to type 'boolean | null | undefined'."],
      ["active", "Type 'string' is not assignable to type 'boolean | null | undefined'."],
      ["age", "Type 'boolean' is not assignable to type 'number'."],
    ]);
  });
});

describe("a mistake in a query", () => {
  it("is reported in one line, at the wrong name or value of the array", () => {
    const reported = faultsOf("queries.mts").map((fault) => {
      const [, line, column, text] = /\((\d+),(\d+)\): error TS\d+: (.*)$/s.exec(fault) ?? [];
      expect(text).not.toMatch(/\n(?! +Type 'string' is)/);
      const at = QUERIES.split("\n")[Number(line) - 1]?.slice(Number(column) - 1);
      return [/^"?[$\w.]+/.exec(at ?? "")?.[0], text?.replace(/ is not assignable to type/, ":")];
    });
    const unknown = /^Type 'string\[\]': .*one of the table's columns; declare the list `as const`/;
    expect(reported).toEqual([
      [
        '"aeg',
        expect.stringMatching(
          /^Type '"aeg"': '"age" \| "id" \| .*Invalid<"there is no column aeg; .*">'\.$/,
        ),
      ],
      ['"team.nmae', mistake("there is no column team.nmae; did you mean team.name?")],
      ["aeg", mistake("there is no column aeg; did you mean age?").replace("string", "number")],
      ["age", "Type 'string': 'Condition<number, NumberPredicate, never> | undefined'."],
      ["nmae", mistake("there is no column nmae; did you mean name?")],
      ["aeg", mistake("there is no column aeg; did you mean age?").replace("string", "number")],
      ["nmae", mistake("there is no column nmae; did you mean name?")],
      ["$gt", "Type 'string': 'number'."],
      ["columns", expect.stringMatching(unknown)],
      ["columns", expect.stringMatching(unknown)],
    ]);
  });

  function mistake(sentence: string): string {
    return `Type 'string': 'Invalid<"${sentence}">'.`;
  }
});

function faultsOf(file: string): string[] {
  return faults.filter((fault) => fault.includes(`${file}(`));
}

/** Writes programs to a new directory; returns their project file. */
function writeProject(programs: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(join(tmpdir(), "twinbase-types-"));
  directories.push(directory);
  const project = {
    extends: slashed(join(root, "tsconfig.json")),
    compilerOptions: {
      rootDir: slashed(resolve("/")),
      types: [],
      declaration: false,
      isolatedDeclarations: false,
    },
    files: Object.keys(programs),
    include: [],
  };
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify(project));
  for (const [name, program] of Object.entries(programs)) {
    writeFileSync(join(directory, name), program);
  }
  return join(directory, "tsconfig.json");
}
