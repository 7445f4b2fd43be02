// What few rows cost: making an engine, its first query, the next ones, memory.
import { digestAnswer } from "../answers.mjs";
import { makeTeams, makeUserBatches } from "../data.mjs";
import { adapter as referenceAdapter } from "../engines/reference.mjs";
import { median, readMemory, timeCall } from "../measure.mjs";
import { makeConstants, workloadById } from "../workloads.mjs";

/** @typedef {import("../engines/contract.mjs").Adapter} Adapter */
/** @typedef {import("../engines/contract.mjs").Instance} Instance */

const WORK = ["W3", "W11"];
/** At most so many fresh engines are made within the budget, at least two; half warm up. */
const MOST_ENGINES = 60;

/**
 * @param {Adapter} adapter
 * @param {{ rows: number, round: number, budgetMs: number }} args
 */
export async function runSmall(adapter, { rows, round, budgetMs }) {
  const teams = makeTeams().slice(0, rows);
  const users = [...makeUserBatches(rows)];
  const constants = WORK.map((id) => makeConstants(workloadById(id), rows, round));
  const expected = await answerByReference(users, constants);
  const cold = await runFresh(adapter, { teams, users, constants, expected });
  const warm = [];
  const started = performance.now();
  while (
    warm.length < 2 ||
    (warm.length < MOST_ENGINES && performance.now() - started < budgetMs)
  ) {
    warm.push(await runFresh(adapter, { teams, users, constants, expected }));
  }
  const late = warm.slice(Math.floor(warm.length / 2));
  return {
    cold: { createMs: cold.createMs, loadMs: cold.loadMs, firstMs: cold.firstMs },
    warm: {
      createMs: median(late.map(({ createMs }) => createMs)),
      loadMs: median(late.map(({ loadMs }) => loadMs)),
      firstMs: median(late.map(({ firstMs }) => firstMs)),
      W3: median(late.flatMap(({ times }) => times[0] ?? [])),
      W11: median(late.flatMap(({ times }) => times[1] ?? [])),
    },
    ...(await weigh(adapter, teams, rows)),
  };
}

/** @param {any[][]} users @param {any[][]} constants */
async function answerByReference(users, constants) {
  const reference = await referenceAdapter.create();
  reference.load([], users);
  return WORK.map((id, at) =>
    constants[at]?.map((one) =>
      digestAnswer(
        workloadById(id).kind,
        reference.run[id]?.(one, () => {}),
      ),
    ),
  );
}

/**
 * @param {Adapter} adapter
 * @param {{ teams: any[], users: any[][], constants: any[][], expected: any[] }} given
 */
async function runFresh(adapter, { teams, users, constants, expected }) {
  // Some engines keep and mark the objects they are given: each gets its own.
  const given = structuredClone({ teams, users });
  const created = await timeCall(() => adapter.create());
  /** @type {Instance} */
  const instance = created.answer;
  const loaded = await timeCall(async () => {
    await instance.load(given.teams, given.users);
    await instance.index?.();
  });
  /** @type {number[][]} */
  const times = [];
  let firstMs = Number.NaN;
  for (const [at, id] of WORK.entries()) {
    const spent = [];
    for (const [i, one] of (constants[at] ?? []).entries()) {
      const { ms, answer } = await timeCall(() => instance.run[id]?.(one, () => {}));
      if (digestAnswer(workloadById(id).kind, answer) !== expected[at]?.[i]) {
        throw new Error(`${id}: wrong answer for ${JSON.stringify(one)}`);
      }
      if (at === 0 && i === 0) firstMs = ms;
      else spent.push(ms);
    }
    times.push(spent);
  }
  await instance.close();
  return { createMs: created.ms, loadMs: loaded.ms, firstMs, times };
}

/**
 * Bytes of an engine without rows and of one with them: the mean of many that live together.
 *
 * @param {Adapter} adapter
 * @param {any[]} teams
 * @param {number} rows
 */
async function weigh(adapter, teams, rows) {
  const side = adapter.memory === "heap" ? "heap" : "outside";
  const count = adapter.weighed ?? (rows > 100 ? 50 : 400);
  const held = [];
  const none = (await readMemory())[side];
  for (let i = 0; i < count; i++) held.push(await adapter.create());
  const empty = (await readMemory())[side];
  for (const instance of held) {
    await instance.load(structuredClone(teams), makeUserBatches(rows));
    await instance.index?.();
  }
  const full = (await readMemory())[side];
  for (const instance of held) await instance.close();
  return { emptyBytes: (empty - none) / count, bytes: (full - none) / count };
}
