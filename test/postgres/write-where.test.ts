/** @module-tag slow */
import fc from "fast-check";
import { expect, it } from "vitest";
import { createEngine } from "../../src/index.js";
import { openPostgres } from "../../src/postgres.js";
import {
  fillPeople,
  insertPeople,
  outcomeOf,
  whereCases,
  writeBefore,
  writeWhere,
} from "../engine/where-cases.js";
import { runs, seed } from "../generated.js";
import "./copied-database.js";

const OPTIONS = { now: 0, seed: 1 };
const SHOP = { database: "d" };
const PEOPLE = { ...SHOP, table: "people" };
const TABLES = ["teams", "people", "cards"];

it.each(["free", "checked"] as const)(
  `E-6: updateWhere and deleteWhere, alone and in transact, equal those in memory, with %s links, seed ${seed}`,
  { timeout: 480_000 },
  async (links) => {
    const profile = { links };
    await using db = await openPostgres(
      { pglite: true },
      { profile, ...OPTIONS, workspaces: ["w"], indexes: "never" },
    );
    await db.change((engine) =>
      fillPeople(engine.workspace("w").createDatabase("d").branch("main")),
    );
    const check = fc.asyncProperty(
      whereCases,
      fc.constantFrom(undefined, ["*", "boss.age"]),
      fc.boolean(),
      async (generated, chosen, isAlone) => {
        const given = isAlone ? { ...generated, limit: undefined } : generated;
        const columns = isAlone ? undefined : chosen;
        const engine = createEngine({ profile, ...OPTIONS });
        const main = engine.createWorkspace("w").createDatabase("d").branch("main");
        fillPeople(main);
        insertPeople(main);
        writeBefore(main, given);
        await db.transact(SHOP, (branch) => {
          for (const name of TABLES.toReversed()) branch.table(name).deleteWhere({});
          insertPeople(branch);
        });
        const expected = outcomeOf(() => writeWhere(main, given, columns));
        const write = async (): Promise<unknown> => {
          const { filter, changes } = given;
          if (!isAlone) {
            return db.transact(SHOP, (branch) => {
              writeBefore(branch, given);
              return writeWhere(branch, given, columns);
            });
          }
          await db.transact(SHOP, (branch) => writeBefore(branch, given));
          return changes === null
            ? db.deleteWhere(PEOPLE, filter)
            : db.updateWhere(PEOPLE, filter, changes);
        };
        const actual = await write().then(
          (value) => ({ value }),
          (error: unknown) =>
            outcomeOf(() => {
              throw error;
            }),
        );
        expect(actual).toEqual(expected);
        if (expected.error !== undefined) return;
        for (const table of TABLES) {
          const { records } = await db.query({ ...SHOP, table });
          expect(records).toEqual(main.table(table).query().records);
        }
      },
    );
    await fc.assert(check, { seed, numRuns: Math.ceil(400 * runs) });
    await db.transact(SHOP, (branch) => {
      for (const name of TABLES.toReversed()) branch.table(name).deleteWhere({});
      insertPeople(branch);
    });
    const { statements } = db.stats();
    expect(await db.updateWhere(PEOPLE, { age: { $ge: 2 } }, { city: "Rom" })).toBe(4);
    expect(db.stats().statements - statements).toBe(1);
  },
);
