// Runs tasks of the parent for one engine, and sends times and answers.
import { ENGINES } from "./engines/index.mjs";
import { timeFloor } from "./measure.mjs";
import { answerWorkload, openTable, runWorkload } from "./tasks/workload.mjs";

const name = process.argv[2];

/** Imported lazily, because some tasks load an engine. */
const TASKS = {
  open: async ({ rows }) => openTable(await loadAdapter(), rows),
  run: runWorkload,
  answer: answerWorkload,
  floor: timeFloor,
  build: async (args) => (await import("./tasks/builds.mjs")).runBuild(args),
  http: async (args) => (await import("./tasks/http.mjs")).runHttp(args),
  live: async (args) => (await import("./tasks/live.mjs")).runLive(name, args),
  mixed: async (args) => (await import("./tasks/mixed.mjs")).runMixed(args),
  memory: async (args) => (await import("./tasks/memory.mjs")).runMemory(args),
  search: async (args) => (await import("./tasks/search.mjs")).runSearch(name, args),
  vectors: async (args) => (await import("./tasks/vectors.mjs")).runVectors(args),
};

process.on("message", async ({ task, args }) => {
  try {
    process.send({ result: await TASKS[task](args) });
  } catch (error) {
    process.send({ error: error.stack ?? `${error}` });
  }
});
process.on("disconnect", () => process.exit());

async function loadAdapter() {
  return (await ENGINES[name]()).adapter;
}
