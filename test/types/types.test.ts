import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { writeLargeProgram } from "./large-schema.js";

const root: string = resolve(import.meta.dirname, "../..");

/** Most instantiations that the tests of types may take: what they took, and 30 % more. */
const TESTS_BUDGET = 620_000;
/** The same for the program over a large schema. */
const LARGE_BUDGET = 805_000;

describe("types", () => {
  it("accept and refuse what their tests say, within the budget of the checker", ({ annotate }) => {
    const report = checkProject(join(import.meta.dirname, "tsconfig.json"));
    expect(report.faults).toEqual([]);
    expect(report.instantiations).toBeGreaterThan(TESTS_BUDGET / 2);
    expect(report.instantiations).toBeLessThan(TESTS_BUDGET);
    return annotate(report.checkTime);
  });

  it("of twenty tables with links in cycles stay within the budget", ({ annotate }) => {
    const report = checkProject(writeLargeProject());
    expect(report.faults).toEqual([]);
    expect(report.instantiations).toBeGreaterThan(LARGE_BUDGET / 2);
    expect(report.instantiations).toBeLessThan(LARGE_BUDGET);
    return annotate(report.checkTime);
  });

  it("fault a program that does not fit them", () => {
    const report = checkProject(
      writeLargeProject((program) => program.replace("$contains", "$contans")),
    );
    expect(report.faults).toHaveLength(1);
    expect(report.faults[0]).toContain("$contans");
  });
});

interface Report {
  readonly faults: string[];
  /** How often the checker filled in type parameters: the same on every machine. */
  readonly instantiations: number;
  readonly checkTime: string;
}

/** Runs the compiler on a project, in one thread, since its counts depend on how many there are. */
function checkProject(project: string): Report {
  const { stdout } = spawnSync(
    process.execPath,
    [
      join(root, "node_modules/typescript/bin/tsc"),
      ...["-p", project, "--noEmit", "--extendedDiagnostics", "--singleThreaded"],
      ...["--pretty", "false"],
    ],
    { cwd: root, encoding: "utf8" },
  );
  const count = (name: string): string =>
    new RegExp(`^${name}:\\s+(\\S+)`, "m").exec(stdout)?.[1] ?? "";
  return {
    faults: stdout.split("\n").filter((line) => /error TS\d+/.test(line)),
    instantiations: Number(count("Instantiations")),
    checkTime: `checked in ${count("Check time")}`,
  };
}

/** Writes the program over a large schema to a directory of its own, and gives its project file. */
function writeLargeProject(change = (program: string): string => program): string {
  const directory = mkdtempSync(join(tmpdir(), "twinbase-types-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const project = {
    extends: slashed(join(root, "tsconfig.json")),
    compilerOptions: {
      rootDir: slashed(resolve("/")),
      types: [],
      declaration: false,
      isolatedDeclarations: false,
    },
    files: ["large.mts"],
    include: [],
  };
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify(project));
  writeFileSync(
    join(directory, "large.mts"),
    change(writeLargeProgram(slashed(join(root, "src")))),
  );
  return join(directory, "tsconfig.json");
}

function slashed(path: string): string {
  return path.replaceAll("\\", "/");
}
