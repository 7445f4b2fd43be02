/** @module-tag slow */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { loadVectors } from "../../../src/conformance/vectors/load.js";
import type { VectorCondition } from "../../../src/conformance/vectors/vector.js";
import { createEngine } from "../../../src/index.js";
import { serve } from "../../../src/node.js";
import type { ProfileOption } from "../../../src/profile.js";

interface Run {
  readonly code: number;
  readonly output: string;
}

function runPython(args: readonly string[]): Promise<Run> {
  return new Promise((done) => {
    execFile("python3", args, { maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });
}

const script = fileURLToPath(new URL("../../../vectors/run.py", import.meta.url));
const { code } = await runPython(["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]);
const title = code === 0 ? "in Python" : "in Python (skipped: needs python3 3.9 or later)";

describe.skipIf(code !== 0)(`the vectors ${title}`, () => {
  async function runOn(profile: ProfileOption, args: readonly string[]): Promise<Run> {
    const engine = createEngine({ profile, seed: 1, now: 0 });
    engine.createWorkspace("local");
    // Some vectors name hosts that are not local.
    const server = await serve(engine, { workspace: "local", hosts: "*" });
    try {
      const run = await runPython([script, server.url, "--auth", "open", ...args]);
      expect(engine.workspace("local").databases()).toEqual([]);
      return run;
    } finally {
      await server.close();
    }
  }

  it.each([
    { base: "documented", nullComparison: "complement", branchCopies: "records", links: "free" },
    { base: "xata", nullComparison: "sql", branchCopies: "schema", links: "checked" },
  ] as const)("pass under $base", async (profile) => {
    const about: VectorCondition = { ...profile, auth: "open" };
    const all = loadVectors().flatMap(({ vectors }) => vectors);
    const meant = all.filter(
      ({ when = {}, needs = [] }) =>
        !needs.includes("large") &&
        Object.entries(when).every(([key, value]) => about[key as keyof VectorCondition] === value),
    );
    const run = await runOn(profile.base, ["--profile", profile.base, "--without=large"]);
    const counts = `${meant.length} passed, 0 failed, ${all.length - meant.length} skipped`;
    expect(run).toEqual({ code: 0, output: `${counts}\n` });
  });

  it("print name, rule and part of the answer of a failure", async () => {
    const args = ["--tier", "core"];
    const { code, output } = await runOn({ base: "documented", maxPageSize: 100 }, args);
    expect(code).toBe(1);
    expect(output).toMatch(/^FAILED L-1 page size and offset are bounded: POST .*: status: 400/m);
    expect(output).toMatch(/^\d+ passed, [1-9] failed, \d+ skipped$/m);
  });
});
