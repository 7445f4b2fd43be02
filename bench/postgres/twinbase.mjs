// Twinbase on PostgreSQL, called from a program.
import { openPostgres } from "../../dist/postgres.js";
import { makeTeams, makeUserBatches } from "../data.mjs";
import { runQueries, USER_COLUMNS } from "../engines/twinbase.mjs";
import { PAGE, WALK_PAGE } from "../workloads.mjs";

export const BULK = 1000;

const ADDRESS = "http://localhost/db/bench:main/tables";
export const BENCH = { database: "bench" };
const USERS = { database: "bench", table: "users" };

export async function openTwinbase(url) {
  const db = await openPostgres(url, { workspaces: ["bench"], workspace: "bench" });
  const ask = async (method, path, body) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const response = await db.fetch(`${ADDRESS}/${path}`, { method, body: text });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${answer.message}`);
    return answer;
  };
  const page = { size: PAGE };
  const query = async (request) => (await db.query(USERS, request)).records;
  const count = async (filter) => {
    const request = { filter, aggs: { all: { count: "*" } } };
    return (await ask("POST", "users/aggregate", request)).aggs.all;
  };
  const byCreated = (after, size) =>
    db.query(
      USERS,
      after === undefined
        ? { sort: { created: "asc" }, page: { size } }
        : { page: { after, size } },
    );
  return {
    db,
    get: (id) => ask("GET", `users/data/${id}`),
    byCreated,
    run: {
      ...runQueries(query, count),
      W1: ({ id }) => ask("GET", `users/data/${id}`),
      W1q: async ({ id }) => (await query({ filter: { id } }))[0] ?? null,
      async W4({ text }) {
        const filter = { full_name: { $contains: text } };
        return { count: await count(filter), records: await query({ filter, page }) };
      },
      async W7(_constants, visit) {
        for (let result = await byCreated(undefined, WALK_PAGE); ; ) {
          visit(result.records);
          const { more, cursor } = result.meta.page;
          if (!more) return;
          result = await byCreated(cursor, WALK_PAGE);
        }
      },
      W9u: ({ id, changes }) => db.update({ ...BENCH, table: "users" }, id, changes),
      W9p: ({ id, changes }) => ask("PATCH", `users/data/${id}`, changes),
      W9i: ({ user }) => db.transact(BENCH, (main) => main.table("users").insert(user)),
      bulk: ({ users }) => db.transact(BENCH, (main) => main.table("bulk").insert(users)),
      bulkByRequest: ({ users }) => ask("POST", "bulk/bulk", { records: users }),
    },
    close: () => db.close(),
  };
}

/** Changes the branch with all tables. */
export function changeSchema(db, act) {
  return db.change((engine) => {
    act(engine.workspace("bench").database("bench").branch("main"));
  });
}

/** Creates the tables and loads them, a thousand rows at a time. */
export async function loadTwinbase({ db }, rows) {
  await db.change((engine) => {
    const main = engine.workspace("bench").createDatabase("bench").branch("main");
    main.createTable("teams", [{ name: "name", type: "string" }]);
    for (const name of ["users", "bulk"]) main.createTable(name, USER_COLUMNS);
  });
  await db.transact(BENCH, (main) => main.table("teams").insert(makeTeams()));
  for (const users of makeUserBatches(rows, BULK)) {
    await db.transact(BENCH, (main) => main.table("users").insert(users));
  }
}
