// Writes of a thousand records with a unique column, by one caller and by four at once.
import { makeUserBatches } from "../data.mjs";
import { USER_COLUMNS } from "../engines/twinbase.mjs";
import { median } from "../measure.mjs";
import { BULK } from "./twinbase.mjs";

/** @typedef {import("../suites/postgres.mjs").Figure} Figure */

const BENCH = { database: "bench" };
const LANES = 4;
/** Bulks before they are measured. */
const WARM_UP = 5;

/**
 * @param {import("./twinbase.mjs").Twinbase} twinbase
 * @param {number} rounds
 * @returns {Promise<Figure[]>}
 */
export async function measureUniqueBulks({ db }, rounds) {
  const columns = USER_COLUMNS.map((column) =>
    column.name === "email" ? { ...column, unique: true } : column,
  );
  /** @param {(main: import("../../dist/index.js").AnyBranch) => void} act */
  const change = (act) =>
    db.change((engine) => act(engine.workspace("bench").database("bench").branch("main")));
  await change((main) => void main.createTable("unique", columns));
  try {
    const each = rounds * 10;
    const bulks = [...makeUserBatches(BULK * (WARM_UP + each * (LANES + 1)), BULK)];
    const insert = async () => {
      const users = bulks.pop() ?? [];
      await db.transact(BENCH, (main) => void main.table("unique").insert(users));
    };
    const time = async (/** @type {() => Promise<void>} */ act) => {
      const started = performance.now();
      await act();
      return performance.now() - started;
    };
    for (let i = 0; i < WARM_UP; i++) await insert();
    const times = [];
    for (let i = 0; i < each; i++) times.push(await time(insert));
    const one = median(times);
    const { reruns } = db.stats();
    const all = await time(async () => {
      const lane = async () => {
        for (let i = 0; i < each; i++) await insert();
      };
      await Promise.all(Array.from({ length: LANES }, lane));
    });
    const again = db.stats().reruns - reruns;
    return [
      { workload: "unique", title: "of 1,000 with a unique column", twinbase: one },
      {
        workload: "lanes",
        title: `the same, four at once: ${again} reruns`,
        twinbase: all / each / LANES,
      },
    ].map((figure) => ({ ...figure, rowsPerSecond: Math.round((1000 * BULK) / figure.twinbase) }));
  } finally {
    await change((main) => main.deleteTable("unique"));
  }
}
