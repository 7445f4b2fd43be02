import { spawn } from "node:child_process";
import { on, once } from "node:events";
import { readdirSync, watch, writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { open } from "./folder-program.mjs";

const WRITERS = 5;
const RECORDS = 50;
const SELF = fileURLToPath(import.meta.url);

/**
 * In a child process: opens a folder as soon as possible, and prints each persisted number. Every few
 * numbers it closes the folder, or kills itself.
 */
async function write(folder) {
  for (;;) {
    try {
      const engine = await open(folder, { compactAfter: 0 });
      const table = tableOf(engine);
      do {
        const n = lastIn(table) + 1;
        table.upsert(`r${n % RECORDS}`, { n, text: "x".repeat(2000) });
        await engine.flushed();
        writeSync(1, `${n}\n`);
      } while (Math.random() < 0.9);
      if (Math.random() < 0.3) process.kill(process.pid, "SIGKILL");
      await engine.close();
    } catch (error) {
      if (!/another process has it open/.test(error.message)) throw error;
      console.log("refused");
      await new Promise((resolve) => setTimeout(resolve, 5 * Math.random()));
    }
  }
}

function tableOf(engine) {
  if (engine.workspaces().length > 0) {
    return engine.workspace("w").database("d").branch("main").table("t");
  }
  const main = engine.createWorkspace("w").createDatabase("d").branch("main");
  return main.createTable("t", [
    { name: "n", type: "int" },
    { name: "text", type: "text" },
  ]);
}

const lastIn = (table) => table.query({ sort: { n: "desc" } }).records[0]?.n ?? -1;

/** Lets processes race for a folder, kills them in turn, and looks for their acknowledged writes. */
export async function raceFor(folder, kills, random) {
  const faults = [];
  let [refused, selfKills, compacting, isOver] = [0, 0, 0, false];
  let holder;
  const acknowledged = new Set();
  const children = new Set();
  const start = () => {
    const child = spawn(process.execPath, [SELF, folder], { stdio: ["ignore", "pipe", "pipe"] });
    children.add(child);
    let stderr = "";
    child.stderr.on("data", (text) => {
      stderr += text;
    });
    createInterface(child.stdout).on("line", (line) => {
      if (line === "refused") refused++;
      else {
        holder = child;
        if (acknowledged.has(Number(line))) faults.push(`${line} was written twice`);
        acknowledged.add(Number(line));
      }
    });
    child.once("close", (code) => {
      children.delete(child);
      if (code !== null) faults.push(`a writer ended by itself: ${stderr}`);
      if (isOver) return;
      if (!child.killed) selfKills++;
      start();
    });
  };
  for (let i = 0; i < WRITERS; i++) start();
  const sight = watch(folder);
  for (let i = 0; i < kills && faults.length === 0; i++) {
    // Every other time, kill one that is writing a base.
    const isCompacting = ([, name]) => i % 2 === 0 || /^base-.*new$/.test(name);
    const before = acknowledged.size;
    for await (const given of on(sight, "change", { signal: AbortSignal.timeout(60_000) })) {
      if (acknowledged.size > before && isCompacting(given)) break;
    }
    await new Promise((resolve) => setTimeout(resolve, random(i % 2 === 0 ? 60 : 6)));
    const child = children.has(holder) ? holder : [...children][0];
    child.kill("SIGKILL");
    await once(child, "close");
    if (readdirSync(folder).some((name) => /^base-.*new$/.test(name))) compacting++;
  }
  sight.close();
  isOver = true;
  for (const child of children) child.kill("SIGKILL");
  await Promise.all(Array.from(children, (child) => once(child, "close")));
  const engine = await open(folder);
  const found = lastIn(tableOf(engine));
  const last = Math.max(...acknowledged);
  if (found < last) faults.push(`${last} was acknowledged, ${found} is there`);
  await engine.close();
  const figures = { kills, selfKills, killedCompactions: compacting, answers: acknowledged.size };
  return { faults, figures: { ...figures, refusedOpenings: refused } };
}

if (process.argv[1] === SELF) await write(process.argv[2]);
