// The statements of the workloads, for PostgreSQL and in the dialects of SQLite and DuckDB.
import { PAGE, WALK_PAGE } from "../workloads.mjs";

const same = (text) => text;

/** Conditions with one `?` each, functions that encode their values, and the syntax of placeholders. */
const POSTGRES = {
  startsWith: "full_name like ?",
  contains: "full_name like ?",
  hasLabel: "labels @> array[?]",
  time: "?",
  prefix: (text) => `${text}%`,
  part: (text) => `%${text}%`,
  label: same,
  place(sql) {
    let number = 0;
    return sql.replaceAll("?", () => `$${++number}`);
  },
};

export const SQLITE = {
  startsWith: "full_name GLOB ?",
  contains: "place IN (SELECT rowid FROM names WHERE full_name GLOB ?)",
  hasLabel: "instr(labels, ?) > 0",
  time: "?",
  prefix: (text) => `${text}*`,
  part: (text) => `*${text}*`,
  label: (label) => `"${label}"`,
  place: same,
};

export const DUCKDB = {
  startsWith: "starts_with(full_name, ?)",
  contains: "contains(full_name, ?)",
  hasLabel: "list_contains(labels, ?)",
  time: "?::TIMESTAMP",
  prefix: same,
  part: same,
  label: same,
  place: same,
};

/**
 * Returns the workloads of aggregates, as rows of values. `read` takes a statement and its values;
 * `month` is an expression of the month of `created`.
 */
export function aggregateBySql(read, month) {
  const measures = "SELECT sum(rating) a, avg(rating) b, max(rating) c FROM users";
  const groups = (key, rest) =>
    read(`SELECT ${key} a, sum(number) b, count(*) c FROM users GROUP BY ${key} ORDER BY ${rest}`);
  const counts = (key, rest) =>
    read(`SELECT ${key} a, count(*) b FROM users GROUP BY 1 ORDER BY ${rest}`);
  return {
    W12: () => read(measures),
    W12f: ({ zipFrom }) => read(`${measures} WHERE zipcode >= ?`, zipFrom),
    W13: () => groups("plan", "a"),
    W13t: () => groups("team", "a LIMIT 200"),
    W14: () => groups("zipcode", `b DESC, a LIMIT ${PAGE}`),
    W15: () => counts(month, "a"),
    W15t: () => counts("plan", "b DESC LIMIT 5"),
    W16: () => read("SELECT count(DISTINCT zipcode) a FROM users"),
    W16p: () =>
      read("SELECT quantile_cont(rating, 0.5) a, quantile_cont(rating, 0.95) b FROM users"),
  };
}

/** Returns a user as a list of values; some may be encoded. */
export function rowOf(user, encoded) {
  const { address, rating = null, ...rest } = { ...user, ...encoded };
  const { id, full_name, email, plan, zipcode, created, labels, team } = rest;
  const { street, number } = address;
  return [id, full_name, email, plan, zipcode, rating, created, labels, team, street, number];
}

/**
 * Returns functions for a record, a page in the order of `created`, and each workload that only reads.
 * `select` and `count` take the part of a statement after the table, and its values.
 */
export function readBySql({ teams, ...sender }, dialect = POSTGRES) {
  const { startsWith, contains, hasLabel, time, prefix, part, label, place } = dialect;
  const select = (rest, ...values) => sender.select(place(rest), ...values);
  const count = (rest, ...values) => sender.count(place(rest), ...values);
  const get = async (id) => (await select("where id = ?", id))[0] ?? null;
  const byCreated = (last, size) =>
    last === undefined
      ? select(`order by created, id limit ${size}`)
      : select(
          `where (created, id) > (?, ?) order by created, id limit ${size}`,
          last.created,
          last.id,
        );

  const run = {
    W1: ({ id }) => get(id),
    W2: ({ plan }) => select(`where plan = ? order by id limit ${PAGE}`, plan),
    W3: (constants) =>
      select(
        `where plan = ? and zipcode >= ? and zipcode < ? and ${startsWith}
         order by rating desc nulls first, full_name, id limit ${PAGE}`,
        constants.plan,
        constants.zipFrom,
        constants.zipTo,
        prefix(constants.prefix),
      ),
    async W4({ text }) {
      const where = `where ${contains}`;
      return {
        count: await count(where, part(text)),
        records: await select(`${where} order by id limit ${PAGE}`, part(text)),
      };
    },
    W5: (constants) =>
      select(`where ${hasLabel} order by id limit ${PAGE}`, label(constants.label)),
    W5c: (constants) => count(`where ${hasLabel}`, label(constants.label)),
    W6: ({ name }) =>
      select(
        `where team = (select id from ${teams} where name = ?)
         order by users.created, id limit ${PAGE}`,
        name,
      ),
    W18: () => select(`order by id desc limit ${PAGE}`),
    async W7(_constants, visit) {
      let page = await byCreated(undefined, WALK_PAGE);
      while (page.length > 0) {
        visit?.(page);
        page = await byCreated(page[page.length - 1], WALK_PAGE);
      }
    },
    W11: ({ a, b, c, d, e }) =>
      count(
        `where (plan = ? and zipcode >= ? and zipcode < ? and rating >= ?)
         or (plan = ? and created >= ${time} and created < ${time} and rating < ?)
         or (number <= ? and zipcode >= ? and rating >= ? and created < ${time})
         or (${hasLabel} and zipcode < ? and created >= ${time} and plan = ?)
         or (${startsWith} and rating >= ? and zipcode >= ? and created < ${time})`,
        ...[a.plan, a.zipFrom, a.zipTo, a.ratingFrom],
        ...[b.plan, b.createdFrom, b.createdTo, b.ratingTo],
        ...[c.numberTo, c.zipFrom, c.ratingFrom, c.createdTo],
        ...[label(d.label), d.zipTo, d.createdFrom, d.plan],
        ...[prefix(e.prefix), e.ratingFrom, e.zipFrom, e.createdTo],
      ),
  };
  return { get, byCreated, run };
}
