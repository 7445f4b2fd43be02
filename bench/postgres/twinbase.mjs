// Twinbase on PostgreSQL, by the calls that a program makes.
import { openPostgres } from "../../dist/postgres.js";
import { makeTeams, makeUserBatches } from "../data.mjs";
import { filterThreeLeaves, filterTwentyLeaves, USER_COLUMNS } from "../engines/twinbase.mjs";
import { PAGE, WALK_PAGE } from "../workloads.mjs";

/** @typedef {Awaited<ReturnType<typeof openTwinbase>>} Twinbase */
/** @typedef {import("../engines/postgres-sql.mjs").Run} Run */
/** @typedef {import("../../dist/index.js").QueryRequest} QueryRequest */

export const BULK = 1000;

const ADDRESS = "http://localhost/db/bench:main/tables";
const BENCH = { database: "bench" };
const USERS = { database: "bench", table: "users" };

const GET = {
  ...{ method: "GET", host: "localhost", origin: "http://localhost", search: "" },
  header: () => undefined,
  readBytes: async () => new Uint8Array(),
  openSignal: () => new AbortController().signal,
};

/** @param {string} url */
export async function openTwinbase(url) {
  const db = await openPostgres(url, { workspaces: ["bench"], workspace: "bench" });
  const ask = async (
    /** @type {string} */ method,
    /** @type {string} */ path,
    /** @type {unknown} */ body,
  ) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const response = await db.fetch(`${ADDRESS}/${path}`, { method, body: text });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${answer.message}`);
    return answer;
  };
  const respond = await db.openResponder();
  const page = { size: PAGE };
  const query = async (/** @type {QueryRequest} */ request) =>
    (await db.query(USERS, request)).records;
  const count = async (/** @type {unknown} */ filter) => {
    const request = { filter, aggs: { all: { count: "*" } } };
    return (await ask("POST", "users/aggregate", request)).aggs.all;
  };
  const byCreated = (/** @type {string | undefined} */ after, /** @type {number} */ size) =>
    db.query(
      USERS,
      after === undefined
        ? { sort: { created: "asc" }, page: { size } }
        : { page: { after, size } },
    );
  return {
    db,
    get: (/** @type {string} */ id) => ask("GET", `users/data/${id}`, undefined),
    byCreated,
    /** @type {Readonly<Record<string, Run>>} */
    run: {
      W1: ({ id }) => ask("GET", `users/data/${id}`, undefined),
      W1s: async ({ id }) => {
        const { body } = await respond({ ...GET, path: `/db/bench:main/tables/users/data/${id}` });
        return JSON.parse(String(body));
      },
      W2: ({ plan }) => query({ filter: { plan }, page }),
      W3: (constants) =>
        query({
          filter: filterThreeLeaves(constants),
          sort: [{ rating: "desc" }, { full_name: "asc" }],
          page,
        }),
      async W4({ text }) {
        const filter = { full_name: { $contains: text } };
        return { count: await count(filter), records: await query({ filter, page }) };
      },
      W5: ({ label }) => query({ filter: { labels: { $includes: label } }, page }),
      W5c: ({ label }) => count({ labels: { $includes: label } }),
      W6: ({ name }) => query({ filter: { "team.name": name }, sort: { created: "asc" }, page }),
      async W7(_constants, visit) {
        for (let result = await byCreated(undefined, WALK_PAGE); ; ) {
          visit?.(result.records);
          const { more, cursor } = result.meta.page;
          if (!more) return;
          result = await byCreated(cursor, WALK_PAGE);
        }
      },
      W11: (constants) => count(filterTwentyLeaves(constants)),
      W9u: ({ id, changes }) =>
        db.transact(BENCH, (main) => main.table("users").update(id, changes)),
      W9i: ({ user }) => db.transact(BENCH, (main) => main.table("users").insert(user)),
      bulk: ({ users }) => db.transact(BENCH, (main) => main.table("bulk").insert(users)),
      bulkByRequest: ({ users }) => ask("POST", "bulk/bulk", { records: users }),
    },
    remove: (/** @type {string} */ id) =>
      db.transact(BENCH, (main) => void main.table("users").delete(id)),
    /** A table without rows again. */
    clearBulk: () =>
      db.change((engine) => {
        const main = engine.workspace("bench").database("bench").branch("main");
        main.deleteTable("bulk");
        main.createTable("bulk", USER_COLUMNS);
      }),
    close: () => db.close(),
  };
}

/**
 * Makes the tables and loads them, a thousand rows at a time.
 *
 * @param {Twinbase} twinbase
 * @param {number} rows
 * @returns {Promise<number>} milliseconds that it took to write them
 */
export async function loadTwinbase({ db }, rows) {
  await db.change((engine) => {
    const main = engine.workspace("bench").createDatabase("bench").branch("main");
    main.createTable("teams", [{ name: "name", type: "string" }]);
    main.createTable("users", USER_COLUMNS);
  });
  await db.transact(BENCH, (main) => main.table("teams").insert(makeTeams()));
  let ms = 0;
  for (const users of makeUserBatches(rows, BULK)) {
    const started = performance.now();
    await db.transact(BENCH, (main) => main.table("users").insert(users));
    ms += performance.now() - started;
  }
  return ms;
}

/**
 * Makes the table that bulks are written to.
 *
 * @param {Twinbase} twinbase
 */
export async function prepareBulk({ db }) {
  await db.change((engine) => {
    const main = engine.workspace("bench").database("bench").branch("main");
    main.createTable("bulk", USER_COLUMNS);
  });
}
