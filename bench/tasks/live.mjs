// Writes to a table with live queries, of one engine.
import {
  CREATED,
  createRandom,
  formatSeconds,
  makeTeams,
  makeUser,
  makeUserBatches,
  SEED,
} from "../data.mjs";
import { median, processorMs } from "../measure.mjs";

const PAGE = 20;
const QUERIES = 1000;
/** Milliseconds after which no more queries are opened. */
const OPENING_MS = 120_000;
/** Calls of a block, and blocks: the first half compiles the code. */
const BLOCK = 50;
const BLOCKS = 120;

export async function runLive(engine, { rows }) {
  const { open } = await import(`../live/${engine}.mjs`);
  const teams = makeTeams();
  const table = await open(teams, makeUserBatches(rows), PAGE);
  const random = createRandom(SEED + 17);
  let next = rows;
  const user = (fields) => ({ ...makeUser(next++, random, teams), ...fields });
  let seconds = CREATED.to;
  const later = () => formatSeconds(seconds++);
  const early = formatSeconds(CREATED.from - 1000);

  const page = await table.page();
  const ids = page.ids();
  const checked = [];
  const moved = timeBlocks((i) => table.update(ids[i % PAGE], { created: later() }));
  checked.push(page.ids().join());
  const withOne = timeBlocks(() => table.insert(user({ created: early })));
  checked.push(page.ids().join());
  page.close();
  const updated = timeBlocks((i) => table.update(ids[i % PAGE], { created: later() }));
  const alone = timeBlocks(() => table.insert(user({ created: early })));
  const again = await table.page();
  const withOneAgain = timeBlocks(() => table.insert(user({ created: early })));
  again.close();

  const opened = [];
  const end = performance.now() + OPENING_MS;
  for (const { id } of teams.slice(0, QUERIES)) {
    if (performance.now() < end) opened.push(await table.ofTeam(id));
  }
  const team = teams[7].id;
  const withMany = timeBlocks(() => table.insert(user({ created: later(), team })));
  const isWhole = opened.length === QUERIES;
  checked.push(opened[7]?.ids().join());
  for (const live of opened) live.close();
  const figures = {
    "update one row of a sorted page": moved,
    "the same update without live queries": updated,
    "insert outside of the page": Math.min(withOne, withOneAgain),
    "insert without live queries": alone,
    [`insert that concerns one of ${QUERIES} live queries`]: isWhole ? withMany : undefined,
    "live queries that were opened": opened.length,
  };
  return { figures, checked };
}

/** Milliseconds of processor time of a call: other processes disturb it less than the clock. */
function timeBlocks(call) {
  const times = [];
  for (let block = 0; block < BLOCKS; block++) {
    const before = process.cpuUsage();
    for (let i = 0; i < BLOCK; i++) call(block * BLOCK + i);
    times.push(processorMs(before) / BLOCK);
  }
  return median(times.slice(BLOCKS / 2));
}
