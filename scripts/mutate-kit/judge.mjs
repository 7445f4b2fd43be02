// Runs the processes that judge mutants; restarts those that hang, end or are corrupted.
import { fork } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { ROOT } from "./sample.mjs";

const VECTORS = join(ROOT, "vectors");
/** Milliseconds without a message after which a mutant counts as hanging. */
const PATIENCE = 60_000;
/** A hanging mutant counts as killed, as in Stryker. */
const HANGS = "hangs";

/** Returns the mutants that each check reaches, cached until the bundle or a vector changes. */
export async function readCover(file, options) {
  const vectors = readdirSync(VECTORS).map((name) => readFileSync(join(VECTORS, name)));
  const digest = createHash("sha1").update(readFileSync(file)).update(Buffer.concat(vectors));
  const version = digest.update(JSON.stringify(options)).digest("hex");
  const cache = file.replace(/\.mjs$/, ".cover.json");
  if (existsSync(cache)) {
    const read = JSON.parse(readFileSync(cache, "utf8"));
    if (read.version === version) return read;
  }
  let cover;
  const { doing, why } = await converse({ file, ...options }, 3 * PATIENCE, (message) => {
    if (message.cover !== undefined) cover = message.cover;
  });
  if (cover === undefined) throw new Error(`without a mutant, ${doing}: ${why}`);
  const made = { version, cases: options.cases, ...cover };
  writeFileSync(cache, JSON.stringify(made));
  return made;
}

/** Calls `save` with each mutant's key and verdict; one process for each core. */
export async function judgeMutants(file, mutants, cover, save) {
  const count = availableParallelism();
  const lanes = Array.from({ length: count }, (_, lane) =>
    mutants.filter((_mutant, i) => i % count === lane),
  );
  await Promise.all(lanes.map((lane) => judgeLane(file, lane, cover, save)));
}

async function judgeLane(file, mutants, cover, save) {
  let waiting = mutants;
  let patience = PATIENCE;
  while (waiting.length > 0) {
    let current;
    const task = { file, mutants: waiting, cover, cases: cover.cases };
    const ended = await converse(task, patience, (message) => {
      if (message.key !== undefined) current = message.key;
      if (message.tried === undefined) return;
      const { key, by, tried, seconds } = message;
      const verdict = by === undefined ? "survived" : "killed";
      save(key, { verdict, by: by?.name, why: by?.why, tried, seconds });
      waiting = waiting.slice(1);
      current = undefined;
      patience = PATIENCE;
    });
    if (current === undefined || ended.spoiled === current) continue;
    // Tries once more, with more time: the machine may be busy.
    if (ended.why === HANGS && patience === PATIENCE) patience *= 3;
    else {
      save(current, { verdict: "killed", by: ended.doing, why: ended.why });
      waiting = waiting.slice(1);
      patience = PATIENCE;
    }
  }
}

/** Runs a process; returns its last action and the reason of its end. */
function converse(task, patience, listen) {
  return new Promise((done) => {
    const child = fork(join(import.meta.dirname, "child.mjs"), {
      execArgv: ["--max-old-space-size=2000"],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    let doing;
    let spoiled;
    let timer;
    const end = (why) => {
      clearTimeout(timer);
      child.kill("SIGKILL");
      done({ doing, spoiled, why });
    };
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => end(HANGS), patience);
    };
    child.on("message", (message) => {
      if (message.doing !== undefined) doing = message.doing;
      if (message.spoiled !== undefined) spoiled = message.spoiled;
      listen(message);
      wait();
    });
    child.on("exit", () => end("ends the process"));
    wait();
    child.send(task);
  });
}
