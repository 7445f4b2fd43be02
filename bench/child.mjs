// One engine in a process of its own: runs tasks of the parent and reports times and answers.
import { ENGINES } from "./engines/index.mjs";
import { timeFloor } from "./measure.mjs";
import { answerWorkload, openTable, runWorkload } from "./tasks/workload.mjs";

const name = process.argv[2] ?? "";

/** @type {Record<string, (args: any) => unknown>} */
const TASKS = {
  describe: async () => {
    const { create: _, ...rest } = await loadAdapter();
    return rest;
  },
  open: async ({ rows }) => openTable(await loadAdapter(), rows),
  run: runWorkload,
  answer: answerWorkload,
  floor: ({ length }) => timeFloor(length),
  mixed: async (args) => (await import("./tasks/mixed.mjs")).runMixed(await loadAdapter(), args),
  memory: async (args) => (await import("./tasks/memory.mjs")).runMemory(args),
  search: async (args) => (await import("./tasks/search.mjs")).runSearch(name, args),
  vectors: async (args) => (await import("./tasks/vectors.mjs")).runVectors(args),
};

process.on("message", async (/** @type {{ task: string, args: any }} */ { task, args }) => {
  try {
    process.send?.({ result: await TASKS[task]?.(args) });
  } catch (error) {
    process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : `${error}` });
  }
});

async function loadAdapter() {
  const load = ENGINES[/** @type {keyof typeof ENGINES} */ (name)];
  if (load === undefined) throw new Error(`no engine ${name}`);
  return (await load()).adapter;
}
