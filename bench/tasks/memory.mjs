// Bytes of the engine's tables, columns, indexes and branches.
import { createEngine } from "../../dist/index.js";
import { makeUserBatches } from "../data.mjs";
import { createLoaded, flatten, USER_COLUMNS } from "../engines/twinbase.mjs";
import { readMemory } from "../measure.mjs";
import { makeConstants, workloadById } from "../workloads.mjs";

const BRANCHES = 100;
const QUERIED = ["W1", "W2", "W3", "W4", "W5", "W5c", "W6", "W7", "W11"];

const PARTS = {
  table: async ({ rows }) => weigh(() => createLoaded(rows)),

  column: async ({ rows, column: name }) => {
    const columns = USER_COLUMNS.filter((column) => column.name === name);
    const main = createEngine().createWorkspace("bench").createDatabase("bench").branch("main");
    return weigh(() => {
      const table = main.createTable("rows", columns);
      table.load(select(name, rows));
      return table;
    });
  },

  indexes: async ({ rows }) => {
    const instance = createLoaded(rows);
    return weigh(() => {
      for (const id of QUERIED) {
        for (const constants of makeConstants(workloadById(id), rows, 0).slice(0, 20)) {
          instance.run[id](constants, () => {});
        }
      }
      return instance;
    });
  },

  branches: async ({ rows }) => {
    const { database } = createLoaded(rows);
    const changes = makeConstants(workloadById("W10"), rows, 2);
    return weigh(() => {
      for (let i = 0; i < BRANCHES; i++) {
        const { id, changes: change } = changes[i % changes.length];
        database.createBranch(`many-${i}`, { from: "main" }).table("users").update(id, change);
      }
      return database;
    });
  },
};

export function runMemory(args) {
  createLoaded(2000); // compiles the code
  return PARTS[args.part](args);
}

const held = [];

/** Bytes that a call adds to the heap; its result is not collected. */
async function weigh(act) {
  const before = (await readMemory()).heap;
  held.push(act());
  return (await readMemory()).heap - before;
}

function* select(column, rows) {
  for (const user of flatten(makeUserBatches(rows))) {
    yield column === undefined ? { id: user.id } : { id: user.id, [column]: user[column] };
  }
}
