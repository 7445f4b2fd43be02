import { spawn } from "node:child_process";
import { on, once } from "node:events";
import { readdirSync, watch } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { open } from "./folder-program.mjs";

const WRITERS = 3;
const RECORDS = 50;
const SELF = fileURLToPath(import.meta.url);

/** In a child process: opens a folder as soon as possible, and prints each persisted number. */
async function write(folder) {
  for (;;) {
    try {
      const engine = await open(folder, { compactAfter: 0 });
      const table = tableOf(engine);
      for (let n = lastIn(table) + 1; ; n++) {
        table.upsert(`r${n % RECORDS}`, { n, text: "x".repeat(2000) });
        await engine.flushed();
        console.log(n);
      }
    } catch (error) {
      if (error.code !== "unavailable") throw error;
      console.log("refused");
      await new Promise((resolve) => setTimeout(resolve, 5));
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
  let [acknowledged, refused, answers, compacting] = [-1, 0, 0, 0];
  let holder;
  const start = () => {
    const child = spawn(process.execPath, [SELF, folder], { stdio: ["ignore", "pipe", "pipe"] });
    let stderr = "";
    child.stderr.on("data", (text) => {
      stderr += text;
    });
    createInterface(child.stdout).on("line", (line) => {
      if (line === "refused") refused++;
      else {
        answers++;
        holder = child;
        if (Number(line) <= acknowledged) faults.push(`${line} was written twice`);
        acknowledged = Math.max(acknowledged, Number(line));
      }
    });
    child.once("close", (code) => {
      if (code !== null) faults.push(`a writer ended by itself: ${stderr}`);
    });
    return child;
  };
  const children = new Set(Array.from({ length: WRITERS }, start));
  const sight = watch(folder);
  for (let i = 0; i < kills && faults.length === 0; i++) {
    // Every other time, kill one that is writing a base.
    const isCompacting = ([, name]) => i % 2 === 0 || /^base-.*new$/.test(name);
    const before = answers;
    for await (const given of on(sight, "change", { signal: AbortSignal.timeout(60_000) })) {
      if (answers > before && isCompacting(given)) break;
    }
    await new Promise((resolve) => setTimeout(resolve, random(i % 2 === 0 ? 60 : 6)));
    const child = holder ?? [...children][0];
    children.delete(child);
    child.kill("SIGKILL");
    await once(child, "close");
    if (readdirSync(folder).some((name) => /^base-.*new$/.test(name))) compacting++;
    children.add(start());
  }
  sight.close();
  for (const child of children) child.kill("SIGKILL");
  await Promise.all(Array.from(children, (child) => once(child, "close")));
  const engine = await open(folder);
  const found = lastIn(tableOf(engine));
  if (found < acknowledged) faults.push(`${acknowledged} was acknowledged, ${found} is there`);
  await engine.close();
  return {
    faults,
    figures: { kills, killedCompactions: compacting, answers, refusedOpenings: refused },
  };
}

if (process.argv[1] === SELF) await write(process.argv[2]);
