// Compares two builds of this package by their answers, byte for byte:
// node scripts/compare-builds.mjs <distA> <distB> [--cases 20000] [--seed 1] [--ignore-messages]
// Both run the same generated queries, walks through pages, writes, transactions, changes of schemas,
// aggregates, searches and invalid requests, by calls and over HTTP. The first difference is shrunk and printed as a
// program, with exit code 1.
import { parseArgs } from "node:util";
import { drawSteps, loadBuild } from "./compare-builds/play.mjs";
import { printProgram } from "./compare-builds/print.mjs";
import { findDifference, shrinkDifference } from "./compare-builds/shrink.mjs";
import { makeWorld } from "./programs/generate.mjs";
import { createRandom } from "./random.mjs";

const STEPS_OF_A_WORLD = 100;
const SHRINKING_MS = 60_000;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    cases: { type: "string", default: "20000" },
    seed: { type: "string", default: "1" },
    "ignore-messages": { type: "boolean", default: false },
  },
});
const cases = Number(values.cases);
const seed = Number(values.seed);
if (positionals.length !== 2 || !Number.isSafeInteger(cases) || !Number.isSafeInteger(seed)) {
  process.stderr.write(
    "node scripts/compare-builds.mjs <distA> <distB> [--cases n] [--seed n] [--ignore-messages]\n",
  );
  process.exit(2);
}
process.exitCode = await compare();

async function compare() {
  const builds = await Promise.all(positionals.map(loadBuild));
  const normalize = values["ignore-messages"] ? dropMessages : (answer) => answer;
  let compared = 0;
  for (let number = 0; compared < cases; number++) {
    const worldSeed = Math.imul(seed, 1_000_003) + number;
    const random = createRandom(worldSeed);
    const world = makeWorld(random, worldSeed >>> 0);
    world.steps = drawSteps(worldSeed, Math.max(3, Math.min(STEPS_OF_A_WORLD, cases - compared)));
    if ((await findDifference(builds, world, normalize)) !== null) {
      process.stdout.write(
        printProgram(await shrinkDifference(builds, world, { ms: SHRINKING_MS, normalize })),
      );
      process.stderr.write(
        `The builds differ (--seed ${seed}, world ${number}); a program is above.\n`,
      );
      return 1;
    }
    compared += world.steps.length;
  }
  process.stderr.write(`${compared} answers are the same.\n`);
  return 0;
}

/** Removes the texts of errors, also inside of the text of an answer over HTTP. */
function dropMessages(answer) {
  return answer
    .replace(/"(message|hint|detail)":"(?:[^"\\]|\\.)*"/g, '"$1":""')
    .replace(/\\"(message|hint|detail)\\":\\"(?:[^"\\]|\\\\(?:\\.|[^"\\]))*\\"/g, '"$1":""');
}
