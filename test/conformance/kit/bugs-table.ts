// Prints which check of the kit finds each planted bug first, and how fast (scripts/bugs-table.mjs).
import { runConformance } from "../../../src/conformance/runner/run.js";
import type { ServiceTarget } from "../../../src/conformance/target/target.js";
import { loadVectors } from "../../../src/conformance/vectors/load.js";
import { CONCURRENT_BUGS } from "./concurrent-bugs.js";
import { PLANTED_BUGS, type PlantedBug } from "./planted-bugs.js";
import { createTarget } from "./wrap.js";

const vectors = loadVectors();

/** Runs the kit until its first divergence; measures CPU seconds. */
async function hunt(
  { name: bug, wrap, ...profiles }: Omit<PlantedBug, "rules">,
  only?: readonly string[],
) {
  const target = createTarget(wrap, profiles);
  let requests = 0;
  const fetch: ServiceTarget["fetch"] = (url, init) => {
    requests++;
    return (target.fetch ?? globalThis.fetch)(url, init);
  };
  const began = process.cpuUsage();
  const concurrently = only === undefined ? {} : { only, concurrent: true };
  const options = { vectors, failFast: true, ...concurrently };
  const { divergences } = await runConformance({ ...target, fetch }, options);
  const [found] = divergences;
  if (found === undefined) throw new Error(`no check finds the bug: ${bug}`);
  const { user, system } = process.cpuUsage(began);
  const seconds = Math.round((user + system) / 1e4) / 100;
  return { bug, rules: found.rules.join(), check: found.title, requests, seconds };
}

/** The median and the maximum. */
function summarize(numbers: readonly number[]): { median: number; most: number } {
  const sorted = numbers.toSorted((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)] ?? 0, most: sorted.at(-1) ?? 0 };
}

const rows = [];
for (const bug of PLANTED_BUGS) rows.push(await hunt(bug));
const concurrent = [];
for (const bug of CONCURRENT_BUGS) concurrent.push(await hunt(bug, ["concurrent"]));
const all = [...rows, ...concurrent];
console.table(all);
console.log({
  bugs: all.length,
  seconds: summarize(all.map((row) => row.seconds)),
  requests: summarize(rows.map((row) => row.requests)),
});
