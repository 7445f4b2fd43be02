// Milliseconds of nine queries to one write, for some time.
import { digestAnswer } from "../answers.mjs";
import { createRandom, makeTeams, makeUser, makeUserBatches, SEED, userId } from "../data.mjs";
import { adapter as plainAdapter } from "../engines/plain.mjs";
import { quantile, timeCall } from "../measure.mjs";
import { makeConstants, workloadById } from "../workloads.mjs";

const QUERIES = ["W1", "W2", "W3", "W4", "W5", "W5c", "W6", "W11"];
const WARM_UP_MS = 4000;

export async function runMixed(adapter, { rows, seconds }) {
  const instance = await adapter.create();
  await instance.load(makeTeams(), makeUserBatches(rows));
  await instance.index?.();
  const next = createLoad(instance, rows);
  await runFor(next, WARM_UP_MS);
  const times = await runFor(next, seconds * 1000);
  const checked = await checkAnswers(instance, rows);
  const all = (wanted) =>
    [...times].flatMap(([name, spent]) => (QUERIES.includes(name) === wanted ? spent : []));
  const named = new Map([["all queries", all(true)], ["all writes", all(false)], ...times]);
  return {
    times: Object.fromEntries([...named].map(([name, spent]) => [name, summarize(spent)])),
    checked,
  };
}

/** Returns a function that returns the next operation: the same sequence for every engine. */
function createLoad(instance, rows) {
  const random = createRandom(SEED + 11);
  const teams = makeTeams();
  const inserted = [];
  let step = 0;
  let nextIndex = rows;
  return () => {
    step++;
    if (step % 10 !== 0) {
      const name = QUERIES[Math.floor(random() * QUERIES.length)];
      const constants = workloadById(name).constants(random, rows, step);
      return { name, call: () => instance.run[name](constants, () => {}) };
    }
    const write = (step / 10) % 3;
    if (write === 0) {
      const user = makeUser(nextIndex++, random, teams);
      inserted.push(user.id);
      return { name: "insert", call: () => instance.run.W9i({ user }, () => {}) };
    }
    if (write === 1 && inserted.length > 0) {
      const id = inserted.shift();
      return { name: "delete", call: () => instance.remove(id) };
    }
    const id = userId(Math.floor(random() * rows));
    const changes = { zipcode: 10_000 + Math.floor(random() * 90_000), rating: 2.5 };
    return { name: "update", call: () => instance.run.W9u({ id, changes }, () => {}) };
  };
}

/** Milliseconds of each call, by the name of the operation. */
async function runFor(next, budgetMs) {
  const times = new Map();
  const end = performance.now() + budgetMs;
  while (performance.now() < end) {
    const { name, call } = next();
    const { ms } = await timeCall(call);
    const spent = times.get(name);
    if (spent === undefined) times.set(name, [ms]);
    else spent.push(ms);
  }
  return times;
}

function summarize(times) {
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) => quantile(times, share));
  return { calls: times.length, p50, p99, max };
}

/** Compares the engine's answers after all writes with those of a plain loop over its rows. */
async function checkAnswers(instance, rows) {
  const users = [];
  await instance.run.W7({}, (page) => {
    for (const user of page) users.push({ ...user, labels: user.labels ?? [], team: idOf(user) });
  });
  users.sort((a, b) => (a.id < b.id ? -1 : 1));
  const plain = await plainAdapter.create();
  plain.load(makeTeams(), [users]);
  let compared = 0;
  for (const id of QUERIES) {
    const workload = workloadById(id);
    for (const constants of makeConstants(workload, rows, 99).slice(0, 5)) {
      const [found, expected] = [instance, plain].map(({ run }) => run[id](constants, () => {}));
      const digests = [await found, expected].map((one) => digestAnswer(workload.kind, one));
      if (digests[0] !== digests[1]) throw new Error(`${id}: wrong answer after the writes`);
      compared++;
    }
  }
  return compared;
}

function idOf({ team }) {
  return typeof team === "object" ? team.id : team;
}
