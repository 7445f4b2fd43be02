import Database from "better-sqlite3";
import { PAGE } from "./contract.mjs";

export const adapter = {
  isFuzzy: false,
  load(texts) {
    const db = new Database(":memory:");
    db.exec(`CREATE VIRTUAL TABLE texts USING fts5
      (id UNINDEXED, text, tokenize = 'unicode61 remove_diacritics 2')`);
    const insert = db.prepare("INSERT INTO texts (rowid, id, text) VALUES (?, ?, ?)");
    db.transaction(() => {
      for (const [number, { id, text }] of texts.entries()) insert.run(number, id, text);
    })();
    const numbers = new Map(texts.map(({ id }, number) => [id, number]));
    const count = db.prepare("SELECT count(*) AS n FROM texts WHERE texts MATCH ?");
    const best = db.prepare(
      `SELECT id, text, rank FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT ${PAGE}`,
    );
    const ids = db.prepare("SELECT id FROM texts WHERE texts MATCH ?").pluck();
    const change = db.prepare("UPDATE texts SET text = ? WHERE rowid = ?");
    return {
      search(query) {
        const match = anyOf(query);
        return {
          count: count.get(match).n,
          records: best.all(match),
        };
      },
      all: (query) => ids.all(anyOf(query)),
      write: ({ id, text }) => change.run(text, numbers.get(id)),
    };
  },
};

function anyOf(query) {
  return query
    .split(" ")
    .map((word) => `"${word}"`)
    .join(" OR ");
}
