/** @module-tag slow */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DIST = join(ROOT, "dist");
const scratch = mkdtempSync(join(ROOT, "node_modules", ".compare-"));
afterAll(() => rmSync(scratch, { recursive: true }));

const compare = (a: string, b: string, ...options: string[]) =>
  spawnSync(process.execPath, ["scripts/compare-builds.mjs", a, b, ...options], {
    cwd: ROOT,
    encoding: "utf8",
  });

describe("scripts/compare-builds.mjs", () => {
  it("finds no difference between a build and itself", () => {
    const { status, stdout, stderr } = compare(DIST, DIST, "--cases", "1500", "--seed", "3");
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
    expect(stderr).toMatch(/^\d+ answers are the same\.\n$/);
  });

  it("prints a program that reproduces a changed message", () => {
    const changed = plant("page offset must not exceed", "page offset must never exceed");
    const { status, stdout } = compare(DIST, changed, "--cases", "5000");
    expect(status).toBe(1);
    const program = join(scratch, "program.mjs");
    writeFileSync(program, stdout);
    const answers = [DIST, changed].map((dist) =>
      execFileSync(process.execPath, [program, dist], { encoding: "utf8" }),
    );
    expect(answers[0]).toContain("must not exceed");
    expect(answers[1]).toContain("must never exceed");
  });

  it("prints its usage for invalid arguments", () => {
    expect(compare(DIST, "--cases").status).not.toBe(0);
    expect(compare(DIST, DIST, "--cases", "many").stderr).toMatch("<distA> <distB>");
  });
});

/** A copy of the build with a text replaced. */
function plant(from: string, to: string): string {
  const copy = join(scratch, "dist");
  cpSync(DIST, copy, { recursive: true });
  let found = 0;
  for (const name of readdirSync(join(copy, "chunks"))) {
    const file = join(copy, "chunks", name);
    const code = readFileSync(file, "utf8");
    if (!code.includes(from)) continue;
    writeFileSync(file, code.replaceAll(from, to));
    found++;
  }
  expect(found).toBeGreaterThan(0);
  return copy;
}
