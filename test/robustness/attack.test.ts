/** @module-tag slow */
import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { buildPackage } from "../built-package.js";
import { seed } from "../generated.js";

const home: string = buildPackage();
afterAll(() => rmSync(home, { recursive: true }));

interface Run {
  readonly code: number;
  readonly text: string;
}

/** Runs a script on the built package; returns its exit code and output. */
async function start(script: string, ...options: string[]): Promise<Run> {
  const file = join(home, "scripts", script);
  const run = promisify(execFile)(process.execPath, ["--expose-gc", file, ...options]);
  return run.then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    ({ code, stdout, stderr }) => ({ code, text: stdout + stderr }),
  );
}

const attack = (...options: string[]): Promise<Run> => start("attack.mjs", ...options);
const sendBad = (...options: string[]): Promise<Run> => start("bad-requests.mjs", ...options);

it(`E-5, G-4: an engine after a random program equals the import of its export, seed ${seed}`, async () => {
  const options = ["--programs", "1", "--length", "200", "--seed", String(seed >>> 0)];
  const { code, text } = await attack(...options);
  expect(code, text).toBe(0);
  expect(text).toContain('"programs":1');
});

it("E-5, G-4: an engine behind a server that drops, truncates and delays answers equals its import", async () => {
  const { code, text } = await attack(
    "--programs",
    "1",
    "--length",
    "150",
    "--seed",
    "3",
    "--serve",
  );
  expect(code, text).toBe(0);
});

it("attack.mjs finds a planted difference, and prints the shortest program that shows it", async () => {
  const options = ["--programs", "1", "--length", "60", "--seed", "1"];
  const { code, text } = await attack(...options, "--plant", "insert");
  expect(code, text).toBe(1);
  const { steps } = JSON.parse(text.trimEnd().split("\n").at(-1)!) as { steps: unknown[][] };
  // An insert needs a table.
  expect(steps.map(([kind]) => kind)).toEqual(["createTable", "insert"]);
});

it("bad-requests.mjs has a valid request for each operation", async () => {
  const { code, text } = await sendBad("--samples");
  expect(code, text).toBe(0);
  const forgotten = await sendBad("--samples", "--forget", "vectorSearchTable");
  expect(forgotten.code).toBe(1);
  expect(forgotten.text).toContain("vectorSearchTable: ");
});

it(`E-5: invalid requests to every operation change nothing and leak no memory, seed ${seed}`, async () => {
  for (const way of [
    ["--count", "2500"],
    ["--count", "400", "--socket"],
  ]) {
    const { code, text } = await sendBad(...way, "--seed", String(seed >>> 0));
    expect(code, text).toBe(0);
    const profiles = text.trimEnd().split("\n");
    expect(profiles).toHaveLength(2);
    for (const profile of profiles) {
      const { heapBefore, heapAfter, operations } = JSON.parse(profile) as Record<string, number>;
      expect(operations).toBeGreaterThan(140);
      expect(heapAfter! - heapBefore!, text).toBeLessThan(20);
    }
  }
});

it(`H-5: a damaged data folder opens in a committed state, or is refused with the line, seed ${seed}`, async () => {
  const options = ["--rounds", "1", "--stride", "60", "--seed", String(seed >>> 0)];
  const { code, text } = await start("attack-folder.mjs", ...options);
  expect(code, text).toBe(0);
  const lying = await start("attack-folder.mjs", ...options, "--plant");
  expect(lying.code).toBe(1);
  expect(lying.text).toContain("found: the power failed");
});

it("the heap does not grow while the amount of data stays the same", async () => {
  const { code, text } = await start("memory.mjs", "--points", "6");
  expect(code, text).toBe(0);
});
