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

/**
 * Bulks of a thousand records without ids, into a table of their own: by the call of a program, and
 * by a request.
 *
 * @param {Sides} sides
 * @param {number} rounds
 * @returns {Promise<Figure[]>}
 */
export async function measureBulk({ twinbase, raw }, rounds) {
  const ways = ["bulk", "bulkByRequest"];
  /** @type {Record<string, number[]>} */
  const times = { bulk: [], bulkByRequest: [], raw: [] };
  let bulk = 0;
  for (const users of makeUserBatches(BULK * rounds * 10, BULK)) {
    const without = users.map(({ id: _, ...user }) => user);
    const named = users.map((user) => ({ ...user, id: `${Date.now()}-${user.id}` }));
    for (const [way, run] of [
      ...ways.map(
        (name) => /** @type {const} */ ([name, () => twinbase.run[name]?.({ users: without })]),
      ),
      /** @type {const} */ (["raw", () => raw.run.bulk?.({ users: named })]),
    ]) {
      const started = performance.now();
      await run();
      if (bulk >= 5) times[way]?.push(performance.now() - started);
    }
    bulk++;
  }
  await twinbase.clearBulk();
  await raw.clearBulk();
  return ways.map((workload) => {
    const ms = median(times[workload] ?? []);
    return {
      workload,
      title: `of ${BULK.toLocaleString("en")}`,
      twinbase: ms,
      raw: median(times.raw ?? []),
      rowsPerSecond: Math.round((1000 * BULK) / ms),
    };
  });
}
