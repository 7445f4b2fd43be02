import { DuckDBDataChunk, DuckDBInstance, DuckDBTimestampValue, listValue } from "@duckdb/node-api";
import { WALK_PAGE } from "../workloads.mjs";
import { aggregateBySql, DUCKDB, readBySql, rowOf } from "./postgres-sql.mjs";

const COLUMNS = `id, full_name, email, plan, zipcode, rating,
  strftime(created, '%Y-%m-%dT%H:%M:%SZ') AS created, labels, team, street, number`;

/** Rows per data chunk. */
const CHUNK_ROWS = 2048;

export const adapter = {
  memory: "process",
  notes: { W7: "one ordered result, streamed" },
  async create(options = {}) {
    const db = await DuckDBInstance.create(":memory:", options);
    const connection = await db.connect();
    await connection.run(`
      CREATE TABLE teams (id VARCHAR PRIMARY KEY, name VARCHAR NOT NULL);
      CREATE TABLE users (
        id VARCHAR PRIMARY KEY, full_name VARCHAR, email VARCHAR, plan VARCHAR, zipcode INTEGER,
        rating DOUBLE, created TIMESTAMP, labels VARCHAR[], team VARCHAR, street VARCHAR,
        number INTEGER
      );
    `);

    const statements = new Map();
    const read = async (sql, ...values) => {
      let preparing = statements.get(sql);
      if (preparing === undefined) {
        preparing = connection.prepare(sql);
        statements.set(sql, preparing);
      }
      const statement = await preparing;
      statement.bind(values);
      const reader = await statement.runAndReadAll();
      return reader.getRowObjectsJS();
    };
    const select = async (rest, ...values) =>
      (await read(`SELECT ${COLUMNS} FROM users ${rest}`, ...values)).map(toUser);
    const count = async (rest, ...values) =>
      Number((await read(`SELECT count(*) AS n FROM users ${rest}`, ...values))[0].n);
    const get = async (id) => (await select("WHERE id = ?", id))[0] ?? null;
    return {
      async load(teams, batches) {
        const teamAppender = await connection.createAppender("teams");
        for (const { id, name } of teams) {
          teamAppender.appendVarchar(id);
          teamAppender.appendVarchar(name);
          teamAppender.endRow();
        }
        teamAppender.closeSync();
        const appender = await connection.createAppender("users");
        const types = Array.from({ length: appender.columnCount }, (_, i) =>
          appender.columnType(i),
        );
        for (const batch of batches) {
          for (let from = 0; from < batch.length; from += CHUNK_ROWS) {
            const users = batch.slice(from, from + CHUNK_ROWS);
            const chunk = DuckDBDataChunk.create(types);
            chunk.setColumns(toColumns(users));
            appender.appendDataChunk(chunk);
          }
        }
        appender.closeSync();
      },
      index: () => connection.run("CREATE INDEX users_team ON users (team); ANALYZE;"),
      count: () => count(""),
      get,
      run: {
        ...readBySql({ select, count, teams: "teams" }, DUCKDB).run,
        ...aggregateBySql(async (sql, ...values) => {
          const rows = await read(sql, ...values);
          return rows.map((row) =>
            Object.values(row).map((v) => (typeof v === "bigint" ? Number(v) : v)),
          );
        }, "strftime(created, '%Y-%m')"),
        async W7(_constants, visit) {
          const sql = `SELECT ${COLUMNS} FROM users ORDER BY users.created, id`;
          const result = await connection.stream(sql);

          let rest = [];
          for await (const rows of result.yieldRowObjectJs()) {
            const ready = [...rest, ...rows];
            let from = 0;
            for (; from + WALK_PAGE <= ready.length; from += WALK_PAGE) {
              visit(ready.slice(from, from + WALK_PAGE).map(toUser));
            }
            rest = ready.slice(from);
          }
          if (rest.length > 0) visit(rest.map(toUser));
        },
        W9i: ({ user }) =>
          read(
            "INSERT INTO users VALUES (?, ?, ?, ?, ?, ?, ?::TIMESTAMP, ?::VARCHAR[], ?, ?, ?)",
            ...rowOf(user, { labels: `[${user.labels}]` }),
          ),
        W9u: ({ id, changes }) =>
          read(
            "UPDATE users SET zipcode = ?, rating = ? WHERE id = ?",
            changes.zipcode,
            changes.rating,
            id,
          ),
      },
      async branch({ name, id, changes }) {
        const copy = `"${name}"`;
        await connection.run(`CREATE TABLE ${copy} AS FROM users`);
        await connection.run(`UPDATE ${copy} SET zipcode = $1, rating = $2 WHERE id = $3`, [
          changes.zipcode,
          changes.rating,
          id,
        ]);
        const rows = async (sql, values) => {
          const reader = await connection.runAndReadAll(sql, values);
          return reader.getRowObjectsJS();
        };
        return {
          get: async (wanted) =>
            (await rows(`SELECT ${COLUMNS} FROM ${copy} WHERE id = $1`, [wanted])).map(toUser)[0],
          count: async () => Number((await rows(`SELECT count(*) AS n FROM ${copy}`, []))[0].n),
          drop: () => connection.run(`DROP TABLE ${copy}`),
        };
      },
    };
  },
};

/** With one thread, for the aggregates. */
export const oneThread = {
  ...adapter,
  async create() {
    const { branch: _, ...instance } = await adapter.create({ threads: "1" });
    const run = Object.entries(instance.run).filter(([id]) => /^W1[2-6]/.test(id));
    return { ...instance, run: Object.fromEntries(run) };
  },
};

function toColumns(users) {
  const rows = users.map((user) => {
    const created = new DuckDBTimestampValue(BigInt(Date.parse(user.created)) * 1000n);
    return rowOf(user, { created, labels: listValue(user.labels) });
  });
  return rows[0].map((_, at) => rows.map((row) => row[at]));
}

function toUser({ street, number, ...rest }) {
  return { ...rest, address: { street, number } };
}
