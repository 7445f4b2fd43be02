// How many mutants the conformance kit alone tells from the engine, over createFetch, and how many of
// those that it lets through the other tests find.
// npm run mutation:kit [-- --sample 600 --seed 1 --batch 100 --units]
//
// A sample is the same for the same seed and sources. Results are kept in reports/mutation-kit.json, and
// what is there is not run again: a run may be ended and gone on with. `--units` runs the other tests on
// what the kit lets through, `--again` what it let through once more, `--at src/query` those of a room.
import { execFileSync, fork, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { Instrumenter } from "@stryker-mutator/instrumenter";
import { build } from "esbuild";

const ROOT = resolve(import.meta.dirname, "..");
const ROOMS = ["query", "storage", "schema", "catalog", "http", "search"];
const KEPT = join(ROOT, "reports/mutation-kit.json");
const WORK = join(ROOT, "reports/mutation-kit");
/** Milliseconds without a word after which a mutant hangs; the longest check takes a second. */
const PATIENCE = 30_000;
/** Tests that the kit has no part in, by directory; the first that fails ends them. */
const UNITS = [
  "value",
  "schema",
  "catalog",
  "rules",
  "query",
  "search",
  "storage",
  "engine",
  "http",
  "history",
];

const CHILD = `process.once("message", async (file) => {
  let by;
  try { by = await (await import(file)).judge((check) => process.send({ check })); }
  catch (error) { by = "fails: " + String(error).slice(0, 100); }
  process.send({ done: true, by }, () => process.exit());
});`;

const { values } = parseArgs({
  options: {
    sample: { type: "string", default: "600" },
    seed: { type: "string", default: "1" },
    batch: { type: "string", default: "1000000" },
    at: { type: "string" },
    again: { type: "boolean", default: false },
    units: { type: "boolean", default: false },
  },
});

mkdirSync(WORK, { recursive: true });
mkdirSync(dirname(KEPT), { recursive: true });
const kept = readKept();
const mutants = drawSample(await findMutants(), Number(values.sample), Number(values.seed));
const waiting = mutants.filter(isWanted).slice(0, Number(values.batch));
console.log(`${mutants.length} mutants in the sample, ${waiting.length} to run now`);
if (values.units) runUnits(waiting);
else await Promise.all([runKit(waiting, 0), runKit(waiting, 1)]);
printTable();

/** Every mutant that Stryker makes of the rooms. */
async function findMutants() {
  const quiet = () => {};
  const off = () => false;
  const logger = { debug: quiet, info: quiet, trace: quiet, warn: quiet, error: console.error };
  const asks = { isDebugEnabled: off, isInfoEnabled: off, isTraceEnabled: off };
  const files = ROOMS.flatMap((room) => listFiles(join(ROOT, "src", room))).map((name) => ({
    name,
    mutate: true,
    content: readFileSync(name, "utf8"),
  }));
  const instrumenter = new Instrumenter({ ...logger, ...asks });
  const options = { plugins: null, excludedMutations: [], ignorers: [] };
  const found = await instrumenter.instrument(files, options);
  return found.mutants.map(({ fileName, location, mutatorName, replacement }) => {
    const content = files.find(({ name }) => name === fileName).content;
    const [from, to] = [location.start, location.end].map((place) => offsetOf(content, place));
    const file = relative(ROOT, fileName);
    const original = content.slice(from, to);
    const line = location.start.line + 1;
    // Without its place: a change elsewhere in the file leaves it the same.
    const key = createHash("sha1")
      .update(
        [file, content.slice(Math.max(0, from - 80), to + 80), original, replacement].join("\0"),
      )
      .digest("hex")
      .slice(0, 12);
    return { key, file, line, from, to, mutator: mutatorName, original, replacement };
  });
}

function listFiles(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function offsetOf(content, { line, column }) {
  let at = 0;
  for (let i = 0; i < line; i++) at = content.indexOf("\n", at) + 1;
  return at + column;
}

/** A sample without order of its own; the same for the same seed. */
function drawSample(all, size, seed) {
  const rank = ({ key }) => createHash("sha1").update(`${seed} ${key}`).digest("hex");
  const ranked = all.map((mutant) => [rank(mutant), mutant]).sort(([a], [b]) => (a < b ? -1 : 1));
  return ranked.slice(0, size).map(([, mutant]) => mutant);
}

function readKept() {
  try {
    return JSON.parse(readFileSync(KEPT, "utf8"));
  } catch {
    return {};
  }
}

function isWanted({ key, file }) {
  if (values.at !== undefined && !file.startsWith(values.at)) return false;
  const result = kept[key];
  if (values.units)
    return result !== undefined && !result.kit && (values.again || result.units === undefined);
  return result === undefined || (values.again && !result.kit);
}

function keep(mutant, result) {
  const { key, file, line, mutator, original, replacement } = mutant;
  const short = (text) => (text.length > 300 ? `${text.slice(0, 300)}…` : text);
  const place = { file, line, mutator, original: short(original), replacement: short(replacement) };
  kept[key] = { ...kept[key], ...place, ...result };
  writeFileSync(KEPT, `${JSON.stringify(kept, null, 1)}\n`);
  const { kit, by, units } = kept[key];
  const said = values.units ? `units: ${units}` : kit ? `told by ${by}` : "NOT TOLD";
  console.log(
    `${file}:${line} ${mutator} ${short(original).replace(/\s+/g, " ").slice(0, 60)} → ${short(replacement).replace(/\s+/g, " ").slice(0, 40)}: ${said}`,
  );
}

function mutate({ file, from, to, replacement }) {
  const content = readFileSync(join(ROOT, file), "utf8");
  return content.slice(0, from) + replacement + content.slice(to);
}

/** Takes mutants from the list until there are none: two of these run beside each other. */
async function runKit(list, worker) {
  for (let mutant = list.shift(); mutant !== undefined; mutant = list.shift()) {
    const began = Date.now();
    const outfile = join(WORK, `kit-${worker}.mjs`);
    await bundle(mutant, outfile);
    const by = await judge(outfile);
    keep(mutant, {
      kit: by !== undefined,
      by,
      seconds: Math.round((Date.now() - began) / 100) / 10,
    });
  }
}

async function bundle(mutant, outfile) {
  const path = join(ROOT, mutant.file);
  const plugin = {
    name: "mutant",
    setup(context) {
      context.onLoad({ filter: /\.ts$/ }, (args) =>
        args.path === path ? { contents: mutate(mutant), loader: "ts" } : undefined,
      );
    },
  };
  await build({
    entryPoints: [join(ROOT, "test/mutation/kit.ts")],
    bundle: true,
    packages: "external",
    external: ["#page"],
    format: "esm",
    platform: "node",
    logLevel: "error",
    plugins: [plugin],
    outfile,
  });
}

/** The check that tells a mutant, or that it hangs or ends the process; undefined where none does. */
function judge(file) {
  writeFileSync(join(WORK, "child.mjs"), CHILD);
  return new Promise((done) => {
    const execArgv = ["--max-old-space-size=1500"];
    const child = fork(join(WORK, "child.mjs"), {
      execArgv,
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    let check = "";
    const hang = () => end(`hangs in ${check}`);
    let timer = setTimeout(hang, PATIENCE);
    const end = (by) => {
      clearTimeout(timer);
      child.kill("SIGKILL");
      done(by);
    };
    child.on("message", (message) => {
      if (message.done) return end(message.by);
      check = message.check;
      clearTimeout(timer);
      timer = setTimeout(hang, PATIENCE);
    });
    child.on("exit", () => end(`ends the process in ${check}`));
    child.send(file);
  });
}

/** The other tests, in a copy of the project, on what the kit has let through. */
function runUnits(list) {
  const copy = join(WORK, "copy");
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(copy);
  const names = execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8" })
    .trim()
    .split("\n");
  for (const name of names) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  for (const mutant of list) {
    const path = join(copy, mutant.file);
    const before = readFileSync(path);
    writeFileSync(path, mutate(mutant));
    const args = ["vitest", "run", "--bail=1", "--reporter=dot", "--testTimeout=20000"];
    const run = spawnSync("npx", [...args, ...UNITS.map((room) => `test/${room}/`)], {
      cwd: copy,
      timeout: 120_000,
      stdio: "ignore",
      env: { ...process.env, TWINBASE_RUNS: "0.2" },
    });
    writeFileSync(path, before);
    keep(mutant, { units: run.status !== 0 });
  }
}

function printTable() {
  const rows = [...ROOMS, "all"].map((room) => {
    const of = mutants.filter(({ file }) => room === "all" || file.startsWith(`src/${room}/`));
    const results = of.map(({ key }) => kept[key]).filter((result) => result !== undefined);
    const told = results.filter(({ kit }) => kit).length;
    const units = results.filter((result) => !result.kit && result.units).length;
    const percent = told + units === 0 ? "" : Math.round((1000 * told) / (told + units)) / 10;
    return { room, mutants: results.length, kit: told, "only other tests": units, "%": percent };
  });
  console.table(rows);
}
