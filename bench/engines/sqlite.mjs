import Database from "better-sqlite3";
import { PAGE } from "../workloads.mjs";
import { aggregateBySql, readBySql, rowOf, SQLITE } from "./postgres-sql.mjs";

const COLUMNS =
  "id, full_name, email, plan, zipcode, rating, created, labels, team, street, number";

export const adapter = {
  memory: "process",
  notes: {
    W4: "with an FTS5 trigram index",
    W5c: "with a side table of labels",
    W8: "without the secondary indexes",
  },
  create: () => wrap(new Database(":memory:")),
};

function wrap(db) {
  db.exec(`
    CREATE TABLE IF NOT EXISTS teams (id TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS users (
      place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, full_name TEXT, email TEXT, plan TEXT,
      zipcode INTEGER, rating REAL, created TEXT, labels TEXT, team TEXT, street TEXT,
      number INTEGER
    );
    CREATE TABLE IF NOT EXISTS labels (
      label TEXT NOT NULL, place INTEGER NOT NULL, PRIMARY KEY (label, place)
    ) WITHOUT ROWID;
  `);
  const insertUser = db.prepare(`INSERT INTO users (${COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?)`);
  const insertLabel = db.prepare("INSERT INTO labels VALUES (?, ?)");
  const insert = (user) => {
    const { lastInsertRowid } = insertUser.run(
      rowOf(user, { labels: JSON.stringify(user.labels) }),
    );
    for (const label of user.labels) insertLabel.run(label, lastInsertRowid);
  };
  const insertAll = db.transaction((batch) => {
    for (const user of batch) insert(user);
  });
  const insertTeams = db.transaction((teams) => {
    const statement = db.prepare("INSERT INTO teams VALUES (?, ?)");
    for (const { id, name } of teams) statement.run(id, name);
  });
  const insertOne = db.transaction(insert);

  const statements = new Map();
  const prepare = (sql) => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = db.prepare(sql);
      statements.set(sql, statement);
    }
    return statement;
  };
  const { W16p: _noQuantiles, ...aggregates } = aggregateBySql(
    (sql, ...values) =>
      prepare(sql)
        .raw()
        .all(...values),
    "substr(created, 1, 7)",
  );
  const select = (rest, ...values) =>
    prepare(`SELECT ${COLUMNS} FROM users ${rest}`)
      .all(...values)
      .map(toUser);
  const count = (rest, ...values) =>
    prepare(`SELECT count(*) AS n FROM users ${rest}`).get(...values).n;
  const get = (id) => {
    const row = prepare(`SELECT ${COLUMNS} FROM users WHERE id = ?`).get(id);
    return row === undefined ? null : toUser(row);
  };
  return {
    load(teams, batches) {
      insertTeams(teams);
      for (const batch of batches) insertAll(batch);
    },
    index() {
      db.exec(`
        CREATE INDEX users_plan ON users (plan, zipcode);
        CREATE INDEX users_plan_id ON users (plan, id);
        CREATE INDEX users_team ON users (team, created, id);
        CREATE INDEX users_created ON users (created, id);
        CREATE INDEX teams_name ON teams (name);
        CREATE VIRTUAL TABLE names USING fts5
          (full_name, content='users', content_rowid='place', detail='none',
           tokenize='trigram case_sensitive 1');
        INSERT INTO names (names) VALUES ('rebuild');
        CREATE TRIGGER users_insert AFTER INSERT ON users BEGIN
          INSERT INTO names (rowid, full_name) VALUES (new.place, new.full_name);
        END;
        CREATE TRIGGER users_delete AFTER DELETE ON users BEGIN
          INSERT INTO names (names, rowid, full_name) VALUES ('delete', old.place, old.full_name);
        END;
        ANALYZE;
      `);
    },
    count: () => count(""),
    get,
    run: {
      ...readBySql({ select, count, teams: "teams" }, SQLITE).run,
      ...aggregates,
      W1: ({ id }) => get(id),
      W5: ({ label }) =>
        select(
          `WHERE place IN (SELECT place FROM labels WHERE label = ? ORDER BY place LIMIT ${PAGE})
           ORDER BY id`,
          label,
        ),
      W5c: ({ label }) => prepare("SELECT count(*) AS n FROM labels WHERE label = ?").get(label).n,
      W9i: ({ user }) => insertOne(user),
      W9u: ({ id, changes }) =>
        prepare("UPDATE users SET zipcode = ?, rating = ? WHERE id = ?").run(
          changes.zipcode,
          changes.rating,
          id,
        ),
    },
    branch({ id, changes }) {
      const copy = wrap(new Database(db.serialize()));
      copy.run.W9u?.({ id, changes }, () => {});
      return { get: copy.get, count: copy.count, drop: copy.close };
    },
    close: () => db.close(),
  };
}

function toUser({ street, number, labels, ...rest }) {
  return { ...rest, labels: JSON.parse(labels), address: { street, number } };
}
