// Shrinks a difference: fewer steps, tables, columns and records.
import { shrinkList } from "../shrink-list.mjs";
import { openWorld, playStep } from "./play.mjs";

/** Returns the first step that two builds answer differently, with both answers, or null. */
export async function findDifference(builds, world, normalize) {
  const opened = await Promise.all(builds.map((build) => openWorld(build, world)));
  for (const step of world.steps) {
    const answers = await Promise.all(opened.map((each) => playStep(each, step)));
    if (normalize(answers[0]) !== normalize(answers[1])) return { step, answers };
  }
  return null;
}

/** Returns the smallest world with a difference that is found within `ms` milliseconds. */
export async function shrinkDifference(builds, world, { ms, normalize }) {
  const end = Date.now() + ms;
  let found = await findDifference(builds, world, normalize);
  const index = world.steps.indexOf(found.step);
  let smallest = { ...world, steps: world.steps.slice(0, index + 1) };
  const tryWorld = async (candidate) => {
    if (Date.now() > end) return false;
    const difference = await findDifference(builds, candidate, normalize).catch(() => null);
    if (difference === null) return false;
    smallest = candidate;
    found = difference;
    return true;
  };
  for (let size = -1; size !== sizeOf(smallest) && Date.now() < end; ) {
    size = sizeOf(smallest);
    await shrinkList(smallest.steps, (steps) => tryWorld({ ...smallest, steps }));
    await shrinkList(smallest.tables, (tables) => tryWorld({ ...smallest, tables }));
    for (const { name } of smallest.tables) {
      await shrinkList(smallest.records[name], (records) =>
        tryWorld({ ...smallest, records: { ...smallest.records, [name]: records } }),
      );
      const columnsOf = () => smallest.tables.find((table) => table.name === name).columns;
      await shrinkList(columnsOf(), (columns) => tryWorld(keepColumns(smallest, name, columns)));
    }
  }
  return { world: smallest, ...found };
}

/** Removes columns of a table from a world. */
function keepColumns(world, name, columns) {
  const kept = new Set(["id", ...columns.map((column) => column.name)]);
  const keep = (record) =>
    Object.fromEntries(Object.entries(record).filter(([column]) => kept.has(column)));
  return {
    ...world,
    tables: world.tables.map((table) => (table.name === name ? { ...table, columns } : table)),
    records: { ...world.records, [name]: world.records[name].map(keep) },
  };
}

function sizeOf({ steps, tables, records }) {
  const counts = tables.map(({ name, columns }) => columns.length + records[name].length + 1);
  return counts.reduce((sum, count) => sum + count, steps.length);
}
