// Attacks a data folder. It must open in a committed state, no older than the last acknowledged one, or
// fail with file and line. Runs on the built package.
// node scripts/attack-folder.mjs [--minutes 10 | --rounds 1] [--seed n] [--stride 1] [--plant]
// Each round commits groups of two to twenty calls, and opens the folder after each; simulates a power failure, a full disk and a move of the folder at each step; truncates each
// file at, and flips, every byte (--stride skips some steps and bytes); sets the clock back; and kills
// processes that race for the folder while they write and compact.
// --plant tests the test: power failures only, with a disk that ignores syncs.
import fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { watchDisk } from "./attack/disk.mjs";
import { groupCalls, open, runProgram, textOf } from "./attack/folder-program.mjs";
import { raceFor } from "./attack/folder-race.mjs";
import { createRandom } from "./random.mjs";

const { values } = parseArgs({
  options: {
    minutes: { type: "string" },
    rounds: { type: "string" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    stride: { type: "string", default: "1" },
    plant: { type: "boolean", default: false },
  },
});
const minutes = Number(values.minutes ?? (values.rounds === undefined ? 10 : Infinity));
const rounds = Number(values.rounds ?? Infinity);
const stride = Number(values.stride);
/** Attacks one of this many steps. */
const every = Math.ceil(stride / 15);
const home = fs.mkdtempSync(join(tmpdir(), "twinbase-folder-"));
const figures = {};
const faults = [];
const count = (name, more = 1) => {
  figures[name] = (figures[name] ?? 0) + more;
};
const find = (what) => {
  if (faults.push(what) <= 5) console.log(`found: ${what}`);
};
console.error = () => {};

function writeFolder(files) {
  const folder = fs.mkdtempSync(join(home, "copy-"));
  for (const [name, bytes] of files) fs.writeFileSync(join(folder, name), bytes);
  return folder;
}

/** Returns the files of a folder, without its lock. */
function readFolder(folder) {
  const names = fs.readdirSync(folder).filter((name) => !name.startsWith("lock"));
  return new Map(names.map((name) => [name, fs.readFileSync(join(folder, name))]));
}

/** Opens files as a folder; returns the text of the engine, or the error. */
async function openFiles(files) {
  const folder = writeFolder(files);
  try {
    const engine = await open(folder);
    const text = textOf(engine);
    await engine.close();
    const again = await open(folder);
    if (textOf(again) !== text) find("a folder opens differently the second time");
    await again.close();
    return { text };
  } catch (error) {
    return { error };
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

/** Checks that files open in one of the states, or fail as damaged. */
async function requireState(files, states, what, mayRefuse = false) {
  const { text, error } = await openFiles(files);
  if (error === undefined) {
    if (!states.includes(text)) find(`${what}: opens in none of ${states.length} states`);
    return "opened";
  }
  const says = /(?:base|log)-\d+\.ndjson(?:: line \d+: | is missing| ends before)|no base-/;
  if (!mayRefuse || error.code !== "invalid_request" || !says.test(error.message)) {
    find(`${what}: ${error.stack}`);
  }
  return "refused";
}

async function failPower(seed, random) {
  const folder = fs.mkdtempSync(join(home, "power-"));
  const progress = { states: [], acknowledged: 0 };
  const lost = [];
  const onChange = () => {
    const { states, acknowledged } = progress;
    if (random(every) !== 0) return;
    for (let i = 0; i < 3; i++) {
      const files = disk.lose(random);
      lost.push({ files, from: acknowledged, to: states.length });
    }
  };
  const disk = watchDisk(folder, { onChange, isLying: values.plant });
  await runProgram(folder, seed, progress);
  disk.restore();
  for (const [at, { files, from, to }] of lost.entries()) {
    const states = progress.states.slice(Math.max(0, from - 1), Math.max(1, to));
    const what = `the power failed, ${at} of seed ${seed}`;
    await requireState(files, states, what);
    count("powerFailures");
  }
  return progress;
}

async function fillDisk(seed) {
  for (let step = 0; ; step += every) {
    const folder = fs.mkdtempSync(join(home, "full-"));
    const progress = { states: [], acknowledged: 0 };
    let left = step;
    const code = ["ENOSPC", "EIO"][(step / every) % 2];
    const fault = () => (left-- > 0 ? undefined : Object.assign(new Error(code), { code }));
    const disk = watchDisk(folder, { fault });
    const error = await runProgram(folder, seed, progress).catch((refusal) => refusal);
    disk.restore();
    count("fullDisks");
    const what = `the disk was full from step ${step} on, seed ${seed}`;
    if (error !== undefined && error.code !== "unavailable") find(`${what}: ${error.stack}`);
    const names = fs.readdirSync(folder);
    if (names.some((name) => /\.new$|^lock/.test(name))) find(`${what}: ${names} are left`);
    const { states, acknowledged } = progress;
    if (states.length > 0) {
      await requireState(readFolder(folder), states.slice(Math.max(0, acknowledged - 1)), what);
    } else if (names.length > 0) find(`${what}: ${names} are left of a failed creation`);
    fs.rmSync(folder, { recursive: true });
    if (left > 0) return;
  }
}

async function moveFolder(seed) {
  for (let step = 1; ; step += 3 * every) {
    const folder = join(fs.mkdtempSync(join(home, "moved-")), "data");
    const [moved, other] = [`${folder}-moved`, join(home, `other-${seed}-${step}`)];
    await (await open(other)).close();
    const before = readFolder(other);
    const progress = { states: [], acknowledged: 0 };
    let left = step;
    fs.mkdirSync(folder);
    const disk = watchDisk(folder, {
      // A move between check and change of a folder cannot be detected: no system call does both.
      onChange: (name) => {
        const isGuarded = name === "renameSync" || name === "rmSync";
        if (progress.acknowledged === 0 || isGuarded || --left !== 0) return;
        fs.renameSync(folder, moved);
        fs.renameSync(other, folder);
      },
    });
    const error = await runProgram(folder, seed, progress).catch((refusal) => refusal);
    disk.restore();
    const what = `the folder was moved at step ${step}, seed ${seed}`;
    if (left > 0) return;
    count("moves");
    if (error !== undefined && error.code !== "unavailable") find(`${what}: ${error.stack}`);
    const after = readFolder(folder);
    for (const [name, bytes] of before) {
      if (!after.get(name)?.equals(bytes)) find(`${what}: ${name} of another engine is changed`);
    }
    const files = readFolder(moved);
    const { states, acknowledged } = progress;
    await requireState(files, states.slice(Math.max(0, acknowledged - 1)), what);
  }
}

async function damage(seed, random) {
  const folder = fs.mkdtempSync(join(home, "whole-"));
  const progress = { states: [], acknowledged: 0 };
  const images = [];
  const onChange = (name) => {
    const { states, acknowledged, before = 1 } = progress;
    if (name !== "renameSync" || acknowledged === 0) return;
    images.push([readFolder(folder), states.length, before]);
  };
  const disk = watchDisk(folder, { onChange });
  await runProgram(folder, seed, progress);
  disk.restore();
  images.push([readFolder(folder), progress.states.length, progress.before]);
  // At the end, and before the rename of a base: with two logs and a new base.
  for (const [files, known, before] of [images.at(-1), images[random(images.length - 1)]]) {
    const states = progress.states.slice(0, known);
    for (const [name, bytes] of files) {
      if (!name.endsWith(".ndjson")) continue;
      // A later log without a header yet says nothing about the commits before it.
      const isLast = [...files]
        .filter(([one, content]) => one.startsWith("log-") && content.some((byte) => byte !== 0))
        .every(([one]) => one <= name);
      for (let at = random(stride); at < bytes.length; at += stride) {
        const flipped = Buffer.from(bytes);
        flipped[at] ^= 1 << random(8);
        // A zero counts as preallocated space: it may end a log one commit before.
        const wanted = states.slice(flipped[at] === 0 ? before - 1 : -1);
        const what = `byte ${at} of ${name} flipped, seed ${seed}`;
        count(await requireState(new Map(files).set(name, flipped), wanted, what, true));
        const cut = new Map(files).set(name, bytes.subarray(0, at));
        const earlier = isLast ? states : states.slice(-1);
        count(await requireState(cut, earlier, `${name} cut at ${at}, seed ${seed}`, true));
        count("damages", 2);
      }
    }
  }
}

async function setClockBack(random) {
  const folder = fs.mkdtempSync(join(home, "clock-"));
  let text;
  for (let at = 1e12, times = 0; times < 10; times++, at -= random(1e10)) {
    const engine = await open(folder, { now: () => at, compactAfter: 400 });
    if (text !== undefined && textOf(engine) !== text)
      find("the data differs after the clock is set back");
    engine
      .createWorkspace(`w${times}`)
      .createDatabase("d")
      .branch("main")
      .createTable("t")
      .insert({});
    await engine.flushed();
    text = textOf(engine);
    await engine.close();
    count("clocks");
  }
}

const end = performance.now() + minutes * 60_000;
try {
  for (let round = 0; round < rounds && performance.now() < end; round++) {
    const seed = Number(values.seed) + round;
    const random = createRandom(seed).below;
    for (let program = 0; program < 10 && !values.plant; program++) {
      const copyOf = (folder) => {
        const copy = fs.mkdtempSync(join(home, "copy-"));
        fs.cpSync(folder, copy, { recursive: true }); // with the lock of this process
        return copy;
      };
      const called = await groupCalls(
        fs.mkdtempSync(join(home, "calls-")),
        copyOf,
        createRandom(seed * 10 + program).below,
        seed * 10 + program,
      );
      for (const fault of called.faults) find(fault);
      count("groups", called.groups);
    }
    await failPower(seed, random);
    if (values.plant) continue;
    await fillDisk(seed);
    await moveFolder(seed);
    await damage(seed, random);
    await setClockBack(random);
    const raced = await raceFor(
      fs.mkdtempSync(join(home, "race-")),
      Math.max(6, Math.ceil(20 / stride)),
      random,
    );
    for (const fault of raced.faults) find(fault);
    for (const [name, number] of Object.entries(raced.figures)) count(name, number);
    count("rounds");
  }
} finally {
  fs.rmSync(home, { recursive: true });
}
console.log(JSON.stringify({ seed: Number(values.seed), ...figures, found: faults.length }));
process.exitCode = faults.length === 0 ? 0 : 1;
