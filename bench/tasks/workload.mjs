// Loads the rows into one engine and runs calls of a workload on them.
import { digestAnswer } from "../answers.mjs";
import { makeTeams, makeUserBatches, userId } from "../data.mjs";
import { clockBatches, readMemory, timeCall } from "../measure.mjs";
import { shareRuns, workloadById } from "../workloads.mjs";

let opened;
let openedRows = 0;
/** Including the comparison of answers, a round takes at most this many times its budget. */
const MOST_BUDGETS = 10;
/** The queries that this version of the table has answered. */
const asked = new Set();

export async function openTable(adapter, rows) {
  const { clock, batches } = clockBatches(makeUserBatches(rows));
  const teams = makeTeams();
  const before = await readMemory();
  const instance = await adapter.create();
  const loaded = await timeCall(() => instance.load(teams, batches));
  const after = await readMemory();
  await instance.index?.();
  shareRuns(instance);
  opened = instance;
  openedRows = rows;
  const side = adapter.memory === "heap" ? "heap" : "outside";
  return {
    ms: loaded.ms - clock.ms,
    bytes: after[side] - before[side],
    answer: await digestLoaded(instance, rows),
    notes: adapter.notes ?? {},
    runs: [...Object.keys(instance.run), ...(instance.branch === undefined ? [] : ["W10"])],
  };
}

/** The count and some of the records. */
async function digestLoaded(instance, rows) {
  const digests = [String(await instance.count())];
  for (let i = 0; i < 20; i++) {
    const id = userId(Math.floor((i * rows) / 20));
    digests.push(digestAnswer("record", await instance.get(id)));
  }
  return digests.join("\n");
}

/**
 * Runs the calls one by one until the budget is spent, at least one, and repeats them for `warmMs`. Returns
 * the milliseconds of each call (the mean of calls that are timed together) and digests of the answers.
 */
export async function runWorkload({ workload: id, constants, budgetMs, warmMs = 0 }) {
  const workload = workloadById(id);
  const group = workload.group ?? 1;
  const times = [];
  const answers = [];
  let used = 0;
  const end = performance.now() + MOST_BUDGETS * budgetMs;
  const goesOn = () => used < budgetMs && performance.now() < end;
  for (let from = 0; from < constants.length && (from === 0 || goesOn()); from += group) {
    const calls = constants.slice(from, from + group);
    touchIfAsked(opened, id, calls);
    const { ms, digests } = await runGroup(opened, workload, calls);
    times.push(ms / calls.length);
    answers.push(...digests);
    used += ms;
  }
  if (REPEATABLE.has(workload.kind)) await warmUp(opened, id, constants, warmMs - used);
  return { times, answers };
}

/** Calls that do not change the table. */
const REPEATABLE = new Set(["record", "records", "page", "count", "rows"]);

async function warmUp(instance, id, constants, ms) {
  const end = performance.now() + ms;
  for (let i = 0; performance.now() < end; i++) {
    const call = constants[i % constants.length];
    touchIfAsked(instance, id, [call]);
    const answer = instance.run[id](call, ignore);
    if (answer instanceof Promise) await answer;
  }
}

/** The digests of the answers to all calls. */
export async function answerWorkload({ workload, constants }) {
  const { kind, group = 1 } = workloadById(workload);
  const digests = [];
  for (let from = 0; from < constants.length; from += group) {
    const calls = constants.slice(from, from + group);
    digests.push(
      ...(kind === "branch"
        ? [await predictBranch(opened, calls[0])]
        : (await runGroup(opened, workloadById(workload), calls)).digests),
    );
  }
  return digests;
}

/** Predicts the digest: copying a million rows takes a plain loop a second. */
async function predictBranch(instance, { id, changes }) {
  const source = await instance.get(id);
  const seen = { branch: { ...source, ...changes }, source, count: await instance.count() };
  return digestAnswer("branch", seen);
}

/** Creates a new version of the table before repeating a query. */
function touchIfAsked(instance, id, calls) {
  const keys = calls.map((constants) => `${id} ${JSON.stringify(constants)}`);
  if (keys.some((key) => asked.has(key))) {
    instance.touch?.();
    asked.clear();
  }
  for (const key of keys) asked.add(key);
}

async function runGroup(instance, workload, calls) {
  const { id, kind } = workload;
  if (kind === "branch") return runBranch(instance, calls[0]);
  if (kind === "walk") return runWalk(instance, id);
  const run = instance.run[id];
  const answers = new Array(calls.length);
  const started = performance.now();
  for (let i = 0; i < calls.length; i++) {
    const answer = run(calls[i], ignore);
    answers[i] = answer instanceof Promise ? await answer : answer;
  }
  const ms = performance.now() - started;
  if (kind !== "write") return { ms, digests: answers.map((one) => digestAnswer(kind, one)) };
  const digests = [];
  for (const { id: given, user } of calls) {
    digests.push(digestAnswer(kind, await instance.get(given ?? user.id)));
  }
  return { ms, digests };
}

async function runWalk(instance, id) {
  const ids = new Array(openedRows);
  let seen = 0;
  const { ms } = await timeCall(() =>
    instance.run[id]({}, (page) => {
      for (let i = 0; i < page.length; i++) ids[seen++] = page[i].id;
    }),
  );
  return { ms, digests: [digestAnswer("walk", ids.slice(0, seen))] };
}

async function runBranch(instance, change) {
  const { ms, answer: branch } = await timeCall(() => instance.branch(change));
  const seen = {
    branch: await branch.get(change.id),
    source: await instance.get(change.id),
    count: await branch.count(),
  };
  await branch.drop();
  return { ms, digests: [digestAnswer("branch", seen)] };
}

function ignore() {}
