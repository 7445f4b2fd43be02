// Milliseconds of processor time for a call of one build.
import { makeUserBatches } from "../data.mjs";
import { createInstance, createLoaded } from "../engines/twinbase.mjs";
import { processorMs } from "../measure.mjs";
import { makeConstants, shareRuns, workloadById } from "../workloads.mjs";

const TINY_ROWS = 1000;
/** Milliseconds of a round. */
const ROUND_MS = 200;

const instances = new Map();
let branches = 0;

export function runBuild({ work, rows, round }) {
  if (work === "small engines") return measureSmall(200);
  if (work === "first query") return measureSmall(1);
  const [id, tiny] = work.split(" ");
  const size = tiny === undefined ? rows : TINY_ROWS;
  const instance = openInstance(size);
  const workload = workloadById(id);
  const call = {
    branch: (change) => instance.branch({ ...change, name: `branch${branches++}` }).drop(),
    walk: (constants) => instance.run[id](constants, () => {}),
  };
  const run = call[workload.kind] ?? instance.run[id];
  globalThis.gc();
  const constants = makeConstants(workload, size, round);
  let calls = 0;
  const before = process.cpuUsage();
  const end = performance.now() + ROUND_MS;
  do {
    for (const each of constants) run(each);
    calls += constants.length;
  } while (performance.now() < end && workload.kind !== "write");
  return processorMs(before) / calls;
}

function openInstance(rows) {
  const opened = instances.get(rows);
  if (opened !== undefined) return opened;
  const instance = createLoaded(rows);
  shareRuns(instance);
  instances.set(rows, instance);
  return instance;
}

/** Engines with a table of ten rows, each queried three times. */
function measureSmall(count) {
  const [batch] = makeUserBatches(10, 10);
  const before = process.cpuUsage();
  for (let i = 0; i < count; i++) {
    const { users } = createInstance();
    users.insert([...batch]);
    users.query({ filter: { zipcode: { $gt: 20_000 } }, sort: { rating: "desc" } });
    users.query({ filter: { plan: "free" } });
    users.query({ filter: { full_name: { $contains: "a" } } });
  }
  return processorMs(before) / count;
}
