// Nine queries to one write, for a while: how long each takes, and whether the heap stays flat.
import { digestAnswer } from "../answers.mjs";
import { createRandom, makeTeams, makeUser, makeUserBatches, SEED, userId } from "../data.mjs";
import { adapter as referenceAdapter } from "../engines/reference.mjs";
import { quantile, readMemory, timeCall } from "../measure.mjs";
import { makeConstants, workloadById } from "../workloads.mjs";

/** @typedef {import("../engines/contract.mjs").Adapter} Adapter */
/** @typedef {import("../engines/contract.mjs").Instance} Instance */

const QUERIES = ["W1", "W2", "W3", "W4", "W5", "W5c", "W6", "W11"];
const WARM_UP_MS = 4000;
const SAMPLE_MS = 10_000;
/** Calls whose times are kept. */
const MAX_CALLS = 4_000_000;

/**
 * @param {Adapter} adapter
 * @param {{ rows: number, seconds: number }} args
 */
export async function runMixed(adapter, { rows, seconds }) {
  const instance = await adapter.create();
  await instance.load(makeTeams(), makeUserBatches(rows));
  await instance.index?.();
  const load = createLoad(instance, rows);
  await runFor(load, WARM_UP_MS, () => {});
  const record = createRecord();
  const side = adapter.memory === "heap" ? "heap" : "outside";
  const heap = [(await readMemory())[side]];
  for (let left = seconds * 1000; left > 0; left -= SAMPLE_MS) {
    await runFor(load, Math.min(left, SAMPLE_MS), record.add);
    heap.push((await readMemory())[side]);
  }
  const checked = await checkAgainstRows(instance, rows);
  await instance.close();
  const times = record.byName();
  const names = Object.keys(times);
  const queries = names.filter((name) => QUERIES.includes(name));
  const writes = names.filter((name) => !QUERIES.includes(name));
  const all = (/** @type {string[]} */ wanted) => wanted.flatMap((name) => times[name] ?? []);
  return {
    queries: summarize(all(queries)),
    writes: summarize(all(writes)),
    each: Object.fromEntries(names.map((name) => [name, summarize(times[name] ?? [])])),
    heapBytes: heap,
    checked,
  };
}

/** Keeps times in room made beforehand, so that they are no part of what memory grows by. */
function createRecord() {
  /** @type {string[]} */
  const names = [];
  const calls = new Uint8Array(MAX_CALLS);
  const times = new Float64Array(MAX_CALLS);
  let count = 0;
  return {
    /**
     * @param {string} name
     * @param {number} ms
     */
    add: (name, ms) => {
      if (count === MAX_CALLS) throw new Error("more calls than there is room for");
      if (!names.includes(name)) names.push(name);
      calls[count] = names.indexOf(name);
      times[count++] = ms;
    },
    /** @returns {Record<string, number[]>} */
    byName: () =>
      Object.fromEntries(
        names.map((name, i) => [
          name,
          Array.from(times.subarray(0, count)).filter((_, call) => calls[call] === i),
        ]),
      ),
  };
}

/**
 * The next operation each time: the same ones for every engine, only not equally many.
 *
 * @param {Instance} instance
 * @param {number} rows
 */
function createLoad(instance, rows) {
  const random = createRandom(SEED + 11);
  const teams = makeTeams();
  /** @type {string[]} */
  const inserted = [];
  let step = 0;
  let nextIndex = rows;
  return () => {
    step++;
    if (step % 10 !== 0) {
      const name = QUERIES[Math.floor(random() * QUERIES.length)] ?? "W1";
      const constants = workloadById(name).constants(random, rows, step);
      return { name, call: () => instance.run[name]?.(constants, () => {}) };
    }
    const write = (step / 10) % 3;
    if (write === 0) {
      const user = makeUser(nextIndex++, random, teams);
      inserted.push(user.id);
      return { name: "insert", call: () => instance.run.W9i?.({ user }, () => {}) };
    }
    if (write === 1 && inserted.length > 0) {
      const id = /** @type {string} */ (inserted.shift());
      return { name: "delete", call: () => instance.remove?.(id) };
    }
    const id = userId(Math.floor(random() * rows));
    const changes = { zipcode: 10_000 + Math.floor(random() * 90_000), rating: 2.5 };
    return { name: "update", call: () => instance.run.W9u?.({ id, changes }, () => {}) };
  };
}

/**
 * @param {ReturnType<typeof createLoad>} load
 * @param {number} budgetMs
 * @param {(name: string, ms: number) => void} record
 */
async function runFor(load, budgetMs, record) {
  const end = performance.now() + budgetMs;
  while (performance.now() < end) {
    const { name, call } = load();
    const { ms } = await timeCall(call);
    record(name, ms);
  }
}

/** @param {readonly number[]} times */
function summarize(times) {
  return {
    calls: times.length,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    max: quantile(times, 1),
  };
}

/**
 * After all those writes: what the engine answers, beside a plain loop over all it holds.
 *
 * @param {Instance} instance
 * @param {number} rows
 */
async function checkAgainstRows(instance, rows) {
  /** @type {any[]} */
  const users = [];
  await instance.run.W7?.({}, (page) => {
    for (const user of page) users.push({ ...user, labels: user.labels ?? [], team: idOf(user) });
  });
  users.sort((a, b) => (a.id < b.id ? -1 : 1));
  const reference = await referenceAdapter.create();
  reference.load(makeTeams(), [users]);
  let compared = 0;
  for (const id of QUERIES) {
    const { kind } = workloadById(id);
    for (const constants of makeConstants(workloadById(id), rows, 99).slice(0, 5)) {
      const found = digestAnswer(kind, await instance.run[id]?.(constants, () => {}));
      const expected = digestAnswer(
        kind,
        reference.run[id]?.(constants, () => {}),
      );
      if (found !== expected) throw new Error(`${id}: wrong answer after the writes`);
      compared++;
    }
  }
  return compared;
}

/** @param {any} user */
function idOf({ team }) {
  return typeof team === "object" ? team.id : team;
}
