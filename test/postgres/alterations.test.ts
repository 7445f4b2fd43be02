/** @module-tag slow */
import fc from "fast-check";
import { expect, it } from "vitest";
import { createFetch } from "../../src/http.js";
import { createEngine } from "../../src/index.js";
import { openPostgres } from "../../src/postgres.js";
import { runs, seed } from "../generated.js";
import { alter, alterationCase, WAYS } from "../history/alterations.js";
import { ask } from "../http/ask.js";
import "./copied-database.js";

it.each(["documented", "xata"] as const)(
  `K-5, E-6: PostgreSQL keeps and refuses what memory does, under %s (seed ${seed})`,
  { timeout: 480_000 },
  async (profile) => {
    const options = { profile, seed: 1, now: Date.UTC(2026, 0, 2) };
    const engine = createEngine(options);
    engine.createWorkspace("w");
    const memory = createFetch(engine, { workspace: "w" });
    await using db = await openPostgres({ pglite: true }, { ...options, workspace: "w" });
    await db.change((own) => void own.createWorkspace("w"));
    const cases = fc.sample(alterationCase, { seed, numRuns: Math.ceil(24 * runs) });
    for (const [index, given] of cases.entries()) {
      for (const way of WAYS) {
        const name = `d${index}-${way}`;
        const expected = await alter(memory, name, given, way);
        const shown = `${name}: ${JSON.stringify(given)}`;
        expect(await alter(db.fetch, name, given, way), shown).toEqual(expected);
      }
    }
    // The first fault of a list is named, also if a later step removes the records that cause it.
    const main = "/db/faults:main";
    const required = { name: "m", type: "int", notNull: true };
    const lists: object[][] = [
      [{ addColumn: { table: "t", column: required } }, { removeTable: { table: "t" } }],
      [{ addColumn: { table: "t", column: required } }, { removeTable: { table: "none" } }],
      [{ removeTable: { table: "none" } }, { addColumn: { table: "t", column: required } }],
      [
        { addColumn: { table: "t", column: { name: "m", type: "int", defaultValue: 1 } } },
        { alterColumn: { table: "t", column: { ...required, unique: true } } },
        { addColumn: { table: "t", column: { name: "n", type: "int" } } },
      ],
      [
        { alterColumn: { table: "t", column: { name: "n", type: "int", notNull: true } } },
        { alterColumn: { table: "t", column: { name: "n", type: "int", unique: true } } },
      ],
      [
        { renameTable: { oldName: "t", newName: "s" } },
        { addColumn: { table: "s", column: required } },
      ],
      [{ addTable: { table: "s" } }, { addColumn: { table: "s", column: required } }],
    ];
    const answers = [];
    for (const fetch of [memory, db.fetch]) {
      const target = { fetch };
      await ask(target, "PUT /workspaces/w/dbs/faults", {});
      await ask(target, `PUT ${main}/tables/t`);
      await ask(target, `POST ${main}/tables/t/columns`, { name: "n", type: "int" });
      for (const [id, n] of [
        ["b", 1],
        ["a", 1],
        ["c", null],
      ] as const) {
        await ask(target, `PUT ${main}/tables/t/data/${id}?createOnly=true`, { n });
      }
      const own = [];
      for (const operations of lists) {
        const { status, body } = await ask(target, `POST ${main}/schema/apply`, {
          edits: { operations },
        });
        const { code, message, path, rule } = body;
        own.push({ status, code, message, path, rule });
      }
      answers.push(own);
    }
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[0]!.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400, 200]);
  },
);
