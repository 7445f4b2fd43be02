// Pages after a cursor, and writes of a thousand records.
import { digestAnswer } from "../answers.mjs";
import { makeUserBatches } from "../data.mjs";
import { median } from "../measure.mjs";
import { PAGE, WALK_PAGE } from "../workloads.mjs";
import { BULK } from "./twinbase.mjs";

/** @typedef {import("../suites/postgres.mjs").Sides} Sides */
/** @typedef {import("../suites/postgres.mjs").Figure} Figure */

/** @typedef {import("../data.mjs").User} User */

/**
 * First pages, and pages after cursors that lie up to half of all rows deep.
 *
 * @param {Sides} sides
 * @param {number} rounds
 * @param {number} rows
 * @returns {Promise<Figure[]>}
 */
export async function measureDeep({ twinbase, raw }, rounds, rows) {
  /** @type {{ cursor: string, last: User }[]} */
  const places = [];
  let after;
  for (let deep = WALK_PAGE; deep < rows / 2; deep += WALK_PAGE) {
    const { records, meta } = await twinbase.byCreated(after, WALK_PAGE);
    after = meta.page.cursor;
    const last = /** @type {User} */ (/** @type {unknown} */ (records.at(-1))); // as loaded
    if (deep % (10 * WALK_PAGE) === 0) places.push({ cursor: after, last });
  }
  /** @type {Record<"first" | "deep", { own: number[], hand: number[] }>} */
  const times = { first: { own: [], hand: [] }, deep: { own: [], hand: [] } };
  const time = async (/** @type {() => Promise<unknown[]>} */ act) => {
    const started = performance.now();
    const records = await act();
    return { ms: performance.now() - started, answer: digestAnswer("records", records) };
  };
  const own = async (/** @type {string | undefined} */ cursor) =>
    (await twinbase.byCreated(cursor, PAGE)).records;
  for (let round = 0; round <= rounds; round++) {
    for (const { cursor, last } of places) {
      for (const { kind, of, at } of [
        { kind: times.first, of: undefined, at: undefined },
        { kind: times.deep, of: cursor, at: last },
      ]) {
        const mine = await time(() => own(of));
        const hand = await time(() => raw.byCreated(at, PAGE));
        if (mine.answer !== hand.answer) throw new Error("after: answers differ");
        if (round === 0) continue;
        kind.own.push(mine.ms);
        kind.hand.push(hand.ms);
      }
    }
  }
  const { first, deep } = times;
  return [
    {
      workload: "first",
      title: "sort by created, first 20",
      twinbase: median(first.own),
      raw: median(first.hand),
      goal: 2,
    },
    {
      workload: "after",
      title: "the same after a cursor, up to half of the rows deep",
      twinbase: median(deep.own),
      raw: median(deep.hand),
      goal: 2,
    },
  ];
}

const BULKS = [
  { workload: "bulk", title: "of 1,000 by a call", by: "bulk", hasIds: false },
  { workload: "bulkIds", title: "of 1,000 with ids by a call", by: "bulk", hasIds: true },
  { workload: "request", title: "of 1,000 by a request", by: "bulkByRequest", hasIds: false },
  {
    workload: "requestIds",
    title: "of 1,000 with ids by a request",
    by: "bulkByRequest",
    hasIds: true,
  },
];
/** Bulks of each before they are measured. */
const WARM_UP = 5;

/**
 * Bulks of a thousand records into a table of their own: by the call of a program and by a request,
 * without ids and with them; by hand with ids.
 *
 * @param {Sides} sides
 * @param {number} rounds
 * @returns {Promise<Figure[]>}
 */
export async function measureBulk({ twinbase, raw }, rounds) {
  const own = BULKS.map((way) => ({ ...way, run: twinbase.run[way.by], ...createTimes() }));
  const hand = { workload: "raw", hasIds: true, run: raw.run.bulk, ...createTimes() };
  let bulk = 0;
  for (const users of makeUserBatches(BULK * rounds * 10, BULK)) {
    for (const { workload, hasIds, run, wall, processor } of [...own, hand]) {
      const given = users.map(({ id, ...user }) =>
        hasIds ? { ...user, id: `${workload}-${id}` } : user,
      );
      const before = process.cpuUsage();
      const started = performance.now();
      await run?.({ users: given });
      const ms = performance.now() - started;
      const { user, system } = process.cpuUsage(before);
      if (bulk < WARM_UP) continue;
      wall.push(ms);
      processor.push((user + system) / 1000);
    }
    bulk++;
  }
  await twinbase.clearBulk();
  await raw.clearBulk();
  return own.map(({ workload, title, wall, processor }) => ({
    workload,
    title,
    twinbase: median(wall),
    raw: median(hand.wall),
    rowsPerSecond: Math.round((1000 * BULK) / median(wall)),
    processorMs: median(processor),
  }));
}

/** @returns {{ wall: number[], processor: number[] }} */
function createTimes() {
  return { wall: [], processor: [] };
}
