import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { readBySql } from "./postgres-sql.mjs";

/** @typedef {import("../data.mjs").User} User */

const COLUMNS = `id, full_name, email, plan, zipcode, rating,
  to_char(created AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS created_text,
  labels, team, street, number`;

/** @type {import("./contract.mjs").Adapter} */
export const adapter = {
  title: "pglite",
  memory: "process",
  weighed: 3,
  package: "@electric-sql/pglite",
  notes: { W4: "with a trigram index", W8: "by COPY, without the secondary indexes" },
  async create() {
    const db = await PGlite.create({ extensions: { pg_trgm } });
    await db.exec(`
      CREATE EXTENSION pg_trgm;
      CREATE TABLE teams (id text COLLATE "C" PRIMARY KEY, name text COLLATE "C" NOT NULL);
      CREATE TABLE users (
        id text COLLATE "C" PRIMARY KEY, full_name text COLLATE "C", email text, plan text,
        zipcode int, rating float8, created timestamptz, labels text[], team text,
        street text, number int
      );
    `);
    const rowsOf = async (/** @type {string} */ sql, /** @type {any[]} */ values) =>
      /** @type {any[]} */ ((await db.query(sql, values)).rows);
    const select = async (/** @type {string} */ rest, /** @type {any[]} */ ...values) =>
      (await rowsOf(`SELECT ${COLUMNS} FROM users ${rest}`, values)).map(toUser);
    const count = async (/** @type {string} */ rest, /** @type {any[]} */ ...values) =>
      Number((await rowsOf(`SELECT count(*)::int AS n FROM users ${rest}`, values))[0].n);
    const { get, run } = readBySql({ select, count, teams: "teams" });
    return {
      async load(teams, batches) {
        await copyIn(
          db,
          "teams",
          teams.map(({ id, name }) => `${id},${name}`),
        );
        for (const batch of batches) await copyIn(db, "users", batch.map(toCsv));
      },
      index: () =>
        db.exec(`
          CREATE INDEX ON teams (name);
          CREATE INDEX ON users (plan, zipcode);
          CREATE INDEX ON users (team, created, id);
          CREATE INDEX ON users (created, id);
          CREATE INDEX ON users USING gin (labels);
          CREATE INDEX ON users USING gin (full_name gin_trgm_ops);
          ANALYZE;
        `),
      count: () => count(""),
      get,
      run: {
        ...run,
        W9i: ({ user }) =>
          db.query("INSERT INTO users VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)", [
            ...[user.id, user.full_name, user.email, user.plan, user.zipcode],
            ...[user.rating ?? null, user.created, user.labels, user.team],
            ...[user.address.street, user.address.number],
          ]),
        W9u: ({ id, changes }) =>
          db.query("UPDATE users SET zipcode = $1, rating = $2 WHERE id = $3", [
            changes.zipcode,
            changes.rating,
            id,
          ]),
      },
      async branch({ name, id, changes }) {
        const copy = `"${name}"`;
        await db.exec(`CREATE TABLE ${copy} AS TABLE users`);
        await db.query(`UPDATE ${copy} SET zipcode = $1, rating = $2 WHERE id = $3`, [
          changes.zipcode,
          changes.rating,
          id,
        ]);
        return {
          get: async (/** @type {string} */ wanted) =>
            (await rowsOf(`SELECT ${COLUMNS} FROM ${copy} WHERE id = $1`, [wanted])).map(toUser)[0],
          count: async () =>
            Number((await rowsOf(`SELECT count(*)::int AS n FROM ${copy}`, []))[0].n),
          drop: () => db.exec(`DROP TABLE ${copy}`),
        };
      },
      remove: (id) => db.query("DELETE FROM users WHERE id = $1", [id]),
      close: () => db.close(),
    };
  },
};

/** @param {PGlite} db @param {string} table @param {readonly string[]} lines of CSV */
async function copyIn(db, table, lines) {
  const blob = new Blob([lines.join("\n")]);
  await db.query(`COPY ${table} FROM '/dev/blob' WITH (FORMAT csv)`, [], { blob });
}

/** @param {User} user */
function toCsv(user) {
  const { id, full_name, email, plan, zipcode, rating = "", created, labels, team } = user;
  const list = `"{${labels.join(",")}}"`;
  const { street, number } = user.address;
  return [id, full_name, email, plan, zipcode, rating, created, list, team, street, number].join();
}

/** @param {any} row */
function toUser({ street, number, created_text: created, ...rest }) {
  return { ...rest, created, address: { street, number } };
}
