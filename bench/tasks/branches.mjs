// What branches, snapshots and forks cost at a size.
import { makeTeams, makeUserBatches } from "../data.mjs";
import { createInstance } from "../engines/twinbase.mjs";
import { median, readMemory, timeCall } from "../measure.mjs";
import { makeConstants, workloadById } from "../workloads.mjs";

const REPEATS = 40;
const MANY = 100;

/** @param {{ rows: number }} args */
export async function runBranches({ rows }) {
  const instance = createInstance();
  instance.load(makeTeams(), makeUserBatches(rows));
  const cold = await timeBranches(instance, rows, 0);
  askForIndexes(instance, rows);
  const indexed = await timeBranches(instance, rows, 1);
  return { rows, cold, indexed, many: await weighMany(instance, rows) };
}

/** @param {ReturnType<typeof createInstance>} instance @param {number} rows @param {number} round */
async function timeBranches({ engine, database, users }, rows, round) {
  const changes = makeConstants(workloadById("W10"), rows, round);
  const times = { branch: [], snapshot: [], fork: [], restore: [], query: [] };
  /** @type {Record<keyof typeof times, number[]>} */
  const spent = times;
  for (let i = 0; i < REPEATS; i++) {
    const { id, changes: change } = changes[i % changes.length] ?? {};
    const name = `branch-${i}`;
    const branched = await timeCall(() => {
      const copy = database.createBranch(name, { from: "main" }).table("users");
      copy.update(id, change);
      return copy;
    });
    spent.branch.push(branched.ms);
    const query = { filter: { "team.name": `Team ${String(i).padStart(4, "0")}` } };
    spent.query.push((await timeCall(() => branched.answer.query(query))).ms);
    database.deleteBranch(name);
    const saved = await timeCall(() => {
      const snapshot = engine.snapshot();
      users.update(id, change);
      return snapshot;
    });
    spent.snapshot.push(saved.ms);
    spent.restore.push((await timeCall(() => engine.restore(saved.answer))).ms);
    const forked = await timeCall(() => {
      const fork = engine.fork().workspace("bench").database("bench").branch("main");
      fork.table("users").update(id, change);
    });
    spent.fork.push(forked.ms);
  }
  return Object.fromEntries(
    Object.entries(spent).map(([name, ms]) => [name, { ms: median(ms), first: ms[0] }]),
  );
}

/** @param {ReturnType<typeof createInstance>} instance @param {number} rows */
function askForIndexes({ run }, rows) {
  for (const id of ["W2", "W3", "W4", "W5c", "W6", "W7", "W11"]) {
    for (const constants of makeConstants(workloadById(id), rows, 0).slice(0, 5)) {
      run[id]?.(constants, () => {});
    }
  }
}

/** @param {ReturnType<typeof createInstance>} instance @param {number} rows */
async function weighMany({ database }, rows) {
  const before = (await readMemory()).heap;
  const changes = makeConstants(workloadById("W10"), rows, 2);
  const { ms } = await timeCall(() => {
    for (let i = 0; i < MANY; i++) {
      const { id, changes: change } = changes[i % changes.length] ?? {};
      database.createBranch(`many-${i}`, { from: "main" }).table("users").update(id, change);
    }
  });
  const bytes = (await readMemory()).heap - before;
  for (let i = 0; i < MANY; i++) {
    if (database.branch(`many-${i}`).table("users").count() !== rows) {
      throw new Error("a branch lost rows");
    }
    database.deleteBranch(`many-${i}`);
  }
  return { count: MANY, ms, bytes, left: (await readMemory()).heap - before };
}
