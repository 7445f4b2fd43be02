// One engine from the start of a process to its last answer: node cold-process.mjs <engine> <file>
// [clock]. The clock is `wall`, or `cpu`: what the main thread ran for, which no other process
// lengthens by its turns. The file holds rows, constants and the shapes of the queries, so that no process makes them.
import { readFileSync } from "node:fs";
import { ENGINES } from "./engines/index.mjs";
import "./workloads.mjs"; // as every engine's adapter does

const [name = "", file = "", clock = "wall"] = process.argv.slice(2);
const { teams, users, calls, engines } = JSON.parse(readFileSync(file, "utf8"));
const given = Array.from({ length: engines }, () => JSON.stringify({ teams, users }));
const began = now();
const load = ENGINES[/** @type {keyof typeof ENGINES} */ (name)];
const adapter = (await load?.())?.adapter;
const imported = now();
const answers = [];
const engineMs = [];
let fillMs = 0;
let queryMs = 0;
for (let i = 0; i < engines && adapter !== undefined; i++) {
  const rows = JSON.parse(given[i] ?? ""); // some engines keep and mark what they are given
  const started = now();
  const instance = await adapter.create();
  await instance.load(rows.teams, [rows.users]);
  await instance.index?.();
  const filled = now();
  for (const [id, constants] of calls) {
    let answer = instance.run[id]?.(constants, () => {});
    if (answer instanceof Promise) answer = await answer;
    if (i === 0) answers.push([id, answer]);
  }
  const ended = now();
  fillMs += filled - started;
  queryMs += ended - filled;
  engineMs.push(ended - started);
  if (i + 1 < engines) await instance.close();
}
const allMs = now();
const { digestAnswer } = await import("./answers.mjs");
const { workloadById } = await import("./workloads.mjs");
const digest = answers.map(([id, answer]) => digestAnswer(workloadById(id).kind, answer));
const figures = { allMs, importMs: imported - began, fillMs, queryMs, engineMs };
process.stdout.write(JSON.stringify({ digest: digest.join("\n\n"), ...figures }), () =>
  process.exit(),
);

function now() {
  if (clock === "wall") return performance.now();
  const [ran] = readFileSync("/proc/self/schedstat", "utf8").split(" ");
  return Number(ran) / 1e6;
}
