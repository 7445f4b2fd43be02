// Counts the mutants of the engine that the conformance kit kills over createFetch, and those that the unit
// tests kill. npm run mutation:kit [-- --sample 600 --seed 1 --units]
// The same seed and sources give the same sample. A run continues from reports/mutation-kit/results.json.
// `--at` selects the mutants of some files, `--cases` the cases of each law. `--units` judges by the unit
// tests, survivors of the kit first. `--again` judges survivors once more.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { bundleKit, bundleUnits } from "./mutate-kit/bundle.mjs";
import { judgeMutants, readCover } from "./mutate-kit/judge.mjs";
import { countByFolder, OUTSIDE } from "./mutate-kit/results.mjs";
import { drawSample, placeSwitches, ROOT } from "./mutate-kit/sample.mjs";

const WORK = join(ROOT, "reports/mutation-kit");
const RESULTS = join(WORK, "results.json");
/** Milliseconds; slower unit tests are skipped. */
const LONGEST_UNIT = 500;

const { values } = parseArgs({
  options: {
    sample: { type: "string", default: "600" },
    seed: { type: "string", default: "1" },
    at: { type: "string", default: "src" },
    cases: { type: "string", default: "25" },
    again: { type: "boolean", default: false },
    units: { type: "boolean", default: false },
  },
});

mkdirSync(WORK, { recursive: true });
const results = readResults();
const [size, seed, cases] = [values.sample, values.seed, values.cases].map(Number);
const sample = await drawSample(size, seed);
const { sources, mutants } = await placeSwitches(sample.mutants);
const chosen = mutants.filter(isWanted);
console.log(`${sample.all} mutants, ${mutants.length} in the sample, ${chosen.length} to judge`);
if (chosen.length > 0) await (values.units ? judgeByUnits() : judgeByKit());
console.table(countByFolder(mutants, results));

async function judgeByKit() {
  const bundle = join(WORK, "kit.mjs");
  await bundleKit(sources, bundle);
  const cover = await readCover(bundle, { cases });
  const waiting = [];
  const reached = reachedBy(cover);
  for (const mutant of chosen) {
    if (OUTSIDE.test(mutant.file)) saveResult(mutant.key, { verdict: "outside" });
    else if (reached.has(mutant.id)) waiting.push(mutant);
    else saveResult(mutant.key, { verdict: "unreached" });
  }
  await judgeMutants(bundle, waiting, cover, saveResult);
}

async function judgeByUnits() {
  const bundle = join(WORK, "units.mjs");
  // As in `npm run mutation`.
  process.env.TWINBASE_RUNS = "0.005";
  await bundleUnits(sources, bundle);
  const cover = await readCover(bundle, { cases: 1, longest: LONGEST_UNIT });
  const reached = reachedBy(cover);
  const waiting = chosen.filter(({ id }) => reached.has(id));
  // Survivors of the kit first.
  const isKilled = ({ key }) => results[key].verdict === "killed";
  waiting.sort((a, b) => Number(isKilled(a)) - Number(isKilled(b)));
  for (const { key, id } of chosen) if (!reached.has(id)) saveResult(key, { units: "unreached" });
  await judgeMutants(bundle, waiting, cover, (key, { verdict, by, why }) => {
    saveResult(key, { units: verdict, unit: by, unitSays: why });
  });
}

function reachedBy({ atLoad, trials }) {
  return new Set([...Object.keys(atLoad), ...trials.flatMap(({ hits }) => Object.keys(hits))]);
}

function readResults() {
  return existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, "utf8")) : {};
}

function isWanted({ key, file }) {
  if (!file.startsWith(values.at)) return false;
  const result = results[key];
  if (values.units) {
    if (result === undefined || result.verdict === "outside") return false;
    return result.units === undefined || (values.again && result.units !== "killed");
  }
  if (result === undefined) return true;
  // A mutant that no unit test kills may be equivalent.
  const isOpen = result.units === undefined || result.units === "killed";
  return values.again && result.verdict !== "killed" && isOpen;
}

function saveResult(key, result) {
  const { file, line, mutator, original, replacement } = mutants.find(
    (mutant) => mutant.key === key,
  );
  const [from, to] = [original, replacement].map(shorten);
  results[key] = { ...results[key], file, line, mutator, from, to, ...result };
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 1)}\n`);
  const { verdict, by, why, units, unit } = results[key];
  const verdicts = values.units ? `${units} ${unit ?? ""}` : `${verdict} ${by ?? ""} ${why ?? ""}`;
  console.log(`${file}:${line} ${mutator} ${from} → ${to}: ${verdicts}`);
}

function shorten(text) {
  const line = text.replace(/\s+/g, " ");
  return line.length > 120 ? `${line.slice(0, 120)}…` : line;
}
