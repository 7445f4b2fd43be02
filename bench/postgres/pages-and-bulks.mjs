// Pages after a cursor, and writes of a thousand records.
import { digestAnswer } from "../answers.mjs";
import { makeUserBatches } from "../data.mjs";
import { USER_COLUMNS } from "../engines/twinbase.mjs";
import { median } from "../measure.mjs";
import { PAGE, WALK_PAGE } from "../workloads.mjs";
import { BENCH, BULK, changeSchema } from "./twinbase.mjs";

/** Warm-up bulks. */
const WARM_UP = 5;
/** Concurrent bulks. */
const LANES = 4;

/** First pages, and pages after cursors up to half of all rows deep. */
export async function measureDeep({ twinbase, raw }, rounds, rows) {
  const places = [];
  let after;
  for (let deep = WALK_PAGE; deep < rows / 2; deep += WALK_PAGE) {
    const { records, meta } = await twinbase.byCreated(after, WALK_PAGE);
    after = meta.page.cursor;
    if (deep % (10 * WALK_PAGE) === 0) places.push({ cursor: after, last: records.at(-1) });
  }
  const times = { first: { own: [], hand: [] }, after: { own: [], hand: [] } };
  const measure = async (call) => {
    const started = performance.now();
    const records = await call();
    return { ms: performance.now() - started, answer: digestAnswer("records", records) };
  };
  for (let round = 0; round <= rounds; round++) {
    for (const deep of places) {
      for (const [name, { cursor, last }] of [
        ["first", {}],
        ["after", deep],
      ]) {
        const own = await measure(async () => (await twinbase.byCreated(cursor, PAGE)).records);
        const hand = await measure(() => raw.byCreated(last, PAGE));
        if (own.answer !== hand.answer) throw new Error(`${name}: answers differ`);
        if (round === 0) continue;
        times[name].own.push(own.ms);
        times[name].hand.push(hand.ms);
      }
    }
  }
  return [
    { workload: "first", title: "sort by created, first 20" },
    { workload: "after", title: "the same after a cursor, up to half of the rows deep" },
  ].map((figure) => {
    const { own, hand } = times[figure.workload];
    return { ...figure, twinbase: median(own), raw: median(hand) };
  });
}

/** Writes bulks into separate tables: by a call, by a request, and by handwritten SQL. */
export async function measureBulk({ twinbase, raw }, rounds) {
  const times = { bulk: [], bulkByRequest: [], raw: [] };
  const insert = { ...twinbase.run, raw: raw.run.bulk };
  let bulk = 0;
  for (const users of makeUserBatches(BULK * rounds * 10, BULK)) {
    for (const [way, spent] of Object.entries(times)) {
      // Handwritten SQL needs explicit ids.
      const given = way === "raw" ? users : withoutIds(users);
      const ms = await time(() => insert[way]({ users: given }));
      if (bulk >= WARM_UP) spent.push(ms);
    }
    bulk++;
  }
  const [call, request, hand] = Object.values(times).map(median);
  return [
    { workload: "bulk", title: "of 1,000 by a call", twinbase: call, raw: hand },
    { workload: "request", title: "of 1,000 by a request", twinbase: request, raw: hand },
  ];
}

/** Writes bulks with a unique column, by one caller and by several concurrently. */
export async function measureUniqueBulks({ twinbase: { db }, raw }, rounds) {
  const columns = USER_COLUMNS.map((column) =>
    column.name === "email" ? { ...column, unique: true } : column,
  );
  await changeSchema(db, (main) => main.createTable("unique", columns));
  const each = rounds * 10;
  const bulks = [...makeUserBatches(BULK * (WARM_UP + each * (LANES + 1)), BULK)].values();
  const insert = (users) => db.transact(BENCH, (main) => void main.table("unique").insert(users));
  const times = { own: [], hand: [] };
  for (let i = 0; i < WARM_UP + each; i++) {
    const users = bulks.next().value;
    const given = withoutIds(users);
    times.own.push(await time(() => insert(given)));
    times.hand.push(await time(() => raw.run.unique({ users })));
  }
  const [own, hand] = [times.own, times.hand].map((spent) => median(spent.slice(WARM_UP)));
  const others = Array.from(bulks, withoutIds).values();
  const { reruns } = db.stats();
  const lanes = Array.from({ length: LANES }, async () => {
    for (const users of others) await insert(users);
  });
  const all = await time(() => Promise.all(lanes));
  const title = `the same, four at once: ${db.stats().reruns - reruns} reruns`;
  return [
    { workload: "unique", title: "of 1,000 with a unique column", twinbase: own, raw: hand },
    { workload: "lanes", title, twinbase: all / each / LANES },
  ];
}

function withoutIds(users) {
  return users.map(({ id: _, ...user }) => user);
}

async function time(act) {
  const started = performance.now();
  await act();
  return performance.now() - started;
}
