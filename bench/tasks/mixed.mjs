// Milliseconds of calls in a mixed load of nine queries to one write.
import { digestAnswer } from "../answers.mjs";
import { createRandom, makeTeams, makeUser, pick, SEED, userId } from "../data.mjs";
import { adapter as plainAdapter } from "../engines/plain.mjs";
import { createLoaded } from "../engines/twinbase.mjs";
import { quantile } from "../measure.mjs";
import { makeConstants, workloadById } from "../workloads.mjs";

const QUERIES = ["W1", "W2", "W3", "W4", "W5", "W5c", "W6", "W11"];
const WARM_UP_MS = 4000;

export async function runMixed({ rows, seconds }) {
  const instance = createLoaded(rows);
  const next = createLoad(instance, rows);
  runFor(next, WARM_UP_MS);
  const { queries, writes } = runFor(next, seconds * 1000);
  const checked = checkAnswers(instance, rows);
  return { queries: summarize(queries), writes: summarize(writes), checked };
}

/** Returns a function that returns the next operation. */
function createLoad(instance, rows) {
  const random = createRandom(SEED + 11);
  const teams = makeTeams();
  const inserted = [];
  let step = 0;
  let nextIndex = rows;
  return () => {
    step++;
    if (step % 10 !== 0) {
      const name = pick(random, QUERIES);
      const constants = workloadById(name).constants(random, rows, step);
      return { kind: "queries", call: () => instance.run[name](constants) };
    }
    const write = (step / 10) % 3;
    if (write === 0) {
      const user = makeUser(nextIndex++, random, teams);
      inserted.push(user.id);
      return { kind: "writes", call: () => instance.run.W9i({ user }) };
    }
    if (write === 1 && inserted.length > 0) {
      const id = inserted.shift();
      return { kind: "writes", call: () => instance.users.delete(id) };
    }
    const id = userId(Math.floor(random() * rows));
    const changes = { zipcode: 10_000 + Math.floor(random() * 90_000), rating: 2.5 };
    return { kind: "writes", call: () => instance.run.W9u({ id, changes }) };
  };
}

/** Returns the milliseconds of each call. */
function runFor(next, budgetMs) {
  const times = { queries: [], writes: [] };
  const end = performance.now() + budgetMs;
  for (let started = performance.now(); started < end; started = performance.now()) {
    const { kind, call } = next();
    const before = performance.now();
    call();
    times[kind].push(performance.now() - before);
  }
  return times;
}

function summarize(times) {
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) => quantile(times, share));
  return { calls: times.length, p50, p99, max };
}

/** Compares answers after all writes with those of a plain loop over the same rows. */
function checkAnswers(instance, rows) {
  const users = [];
  instance.run.W7({}, (page) => {
    for (const user of page) users.push({ ...user, labels: user.labels ?? [], team: user.team.id });
  });
  users.sort((a, b) => (a.id < b.id ? -1 : 1));
  const plain = plainAdapter.create();
  plain.load(makeTeams(), [users]);
  let compared = 0;
  for (const id of QUERIES) {
    const workload = workloadById(id);
    for (const constants of makeConstants(workload, rows, 99).slice(0, 5)) {
      const [found, expected] = [instance, plain].map(({ run }) =>
        digestAnswer(workload.kind, run[id](constants)),
      );
      if (found !== expected) throw new Error(`${id}: wrong answer after the writes`);
      compared++;
    }
  }
  return compared;
}
