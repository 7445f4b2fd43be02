// The statements of the workloads as PostgreSQL takes them, whoever sends them.
import { PAGE, WALK_PAGE } from "../workloads.mjs";

/** @typedef {import("../data.mjs").User} User */
/** @typedef {import("../workloads.mjs").Constants} Constants */
/** @typedef {import("./contract.mjs").Visit} Visit */
/** @typedef {(constants: Constants, visit?: Visit) => Promise<unknown>} Run */

/**
 * How users are read and counted: `rest` is what follows the table in a statement.
 *
 * @typedef {object} Sender
 * @property {(rest: string, ...values: unknown[]) => Promise<User[]>} select
 * @property {(rest: string, ...values: unknown[]) => Promise<number>} count
 * @property {string} teams the table of teams
 */

/**
 * One record, a page in the order of `created`, and what is run of each workload that only reads.
 *
 * @param {Sender} sender
 */
export function readBySql({ select, count, teams }) {
  const get = async (/** @type {string} */ id) => (await select("where id = $1", id))[0] ?? null;
  const byCreated = (/** @type {User | undefined} */ last, /** @type {number} */ size) =>
    last === undefined
      ? select(`order by created, id limit ${size}`)
      : select(
          `where (created, id) > ($1, $2) order by created, id limit ${size}`,
          last.created,
          last.id,
        );
  /** @type {Readonly<Record<string, Run>>} */
  const run = {
    W1: ({ id }) => get(id),
    W2: ({ plan }) => select(`where plan = $1 order by id limit ${PAGE}`, plan),
    W3: ({ plan, zipFrom, zipTo, prefix }) =>
      select(
        `where plan = $1 and zipcode >= $2 and zipcode < $3 and full_name like $4
         order by rating desc nulls last, full_name, id limit ${PAGE}`,
        plan,
        zipFrom,
        zipTo,
        `${prefix}%`,
      ),
    async W4({ text }) {
      const where = "where full_name like $1";
      return {
        count: await count(where, `%${text}%`),
        records: await select(`${where} order by id limit ${PAGE}`, `%${text}%`),
      };
    },
    W5: ({ label }) => select(`where labels @> array[$1] order by id limit ${PAGE}`, label),
    W5c: ({ label }) => count("where labels @> array[$1]", label),
    W6: ({ name }) =>
      select(
        `where team = (select id from ${teams} where name = $1)
         order by created, id limit ${PAGE}`,
        name,
      ),
    async W7(_constants, visit) {
      let page = await byCreated(undefined, WALK_PAGE);
      while (page.length > 0) {
        visit?.(page);
        page = await byCreated(page[page.length - 1], WALK_PAGE);
      }
    },
    W11: ({ a, b, c, d, e }) =>
      count(
        `where (plan = $1 and zipcode >= $2 and zipcode < $3 and rating >= $4)
         or (plan = $5 and created >= $6 and created < $7 and rating < $8)
         or (number <= $9 and zipcode >= $10 and rating >= $11 and created < $12)
         or (labels @> array[$13] and zipcode < $14 and created >= $15 and plan = $16)
         or (full_name like $17 and rating >= $18 and zipcode >= $19 and created < $20)`,
        ...[a.plan, a.zipFrom, a.zipTo, a.ratingFrom],
        ...[b.plan, b.createdFrom, b.createdTo, b.ratingTo],
        ...[c.numberTo, c.zipFrom, c.ratingFrom, c.createdTo],
        ...[d.label, d.zipTo, d.createdFrom, d.plan],
        ...[`${e.prefix}%`, e.ratingFrom, e.zipFrom, e.createdTo],
      ),
  };
  return { get, byCreated, run };
}
