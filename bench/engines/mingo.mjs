import { Query } from "mingo";
import { updateOne } from "mingo/updater";
import { PAGE, WALK_PAGE } from "../workloads.mjs";

/** @typedef {import("../data.mjs").User} User */

/** @type {import("./contract.mjs").Adapter} */
export const adapter = {
  title: "mingo",
  memory: "heap",
  package: "mingo",
  notes: { W2: "live references", W8: "an array" },
  create() {
    /** @type {User[]} */
    const users = [];
    /** @type {any[]} */
    let teams = [];
    const get = (/** @type {string} */ id) => find(users, { id }).next() ?? null;
    return {
      load(teamRecords, batches) {
        teams = teamRecords;
        for (const batch of batches) for (const user of batch) users.push(user);
      },
      count: () => users.length,
      get,
      run: {
        W1: ({ id }) => get(id),
        W2: ({ plan }) => find(users, { plan }).limit(PAGE).all(),
        W3: ({ plan, zipFrom, zipTo, prefix }) =>
          find(users, {
            plan,
            zipcode: { $gte: zipFrom, $lt: zipTo },
            full_name: new RegExp(`^${prefix}`),
          })
            .sort({ rating: -1, full_name: 1, id: 1 })
            .limit(PAGE)
            .all(),
        W4({ text }) {
          const found = find(users, { full_name: new RegExp(text) }).all();
          return { count: found.length, records: found.slice(0, PAGE) };
        },
        W5: ({ label }) => find(users, { labels: label }).limit(PAGE).all(),
        W5c: ({ label }) => find(users, { labels: label }).all().length,
        W6({ name }) {
          const team = /** @type {any} */ (find(teams, { name }).next());
          return find(users, { team: team?.id }).sort({ created: 1, id: 1 }).limit(PAGE).all();
        },
        W7(_constants, visit) {
          const cursor = find(users, {}).sort({ created: 1, id: 1 });
          let page = [];
          for (const user of cursor) {
            page.push(user);
            if (page.length < WALK_PAGE) continue;
            visit(page);
            page = [];
          }
          if (page.length > 0) visit(page);
        },
        W11: ({ a, b, c, d, e }) =>
          find(users, {
            $or: [
              {
                plan: a.plan,
                zipcode: { $gte: a.zipFrom, $lt: a.zipTo },
                rating: { $gte: a.ratingFrom },
              },
              {
                plan: b.plan,
                created: { $gte: b.createdFrom, $lt: b.createdTo },
                rating: { $lt: b.ratingTo },
              },
              {
                "address.number": { $lte: c.numberTo },
                zipcode: { $gte: c.zipFrom },
                rating: { $gte: c.ratingFrom },
                created: { $lt: c.createdTo },
              },
              {
                labels: d.label,
                zipcode: { $lt: d.zipTo },
                created: { $gte: d.createdFrom },
                plan: d.plan,
              },
              {
                full_name: new RegExp(`^${e.prefix}`),
                rating: { $gte: e.ratingFrom },
                zipcode: { $gte: e.zipFrom },
                created: { $lt: e.createdTo },
              },
            ],
          }).all().length,
        W9i: ({ user }) => users.push(user),
        W9u: ({ id, changes }) => updateOne(/** @type {any} */ (users), { id }, { $set: changes }),
      },
      branch({ id, changes }) {
        const copy = users.map((user) => structuredCopy(user));
        updateOne(/** @type {any} */ (copy), { id }, { $set: changes });
        return {
          get: (/** @type {string} */ wanted) => find(copy, { id: wanted }).next(),
          count: () => copy.length,
          drop() {},
        };
      },
      close() {},
    };
  },
};

/** @param {readonly any[]} rows @param {any} criteria */
function find(rows, criteria) {
  return new Query(criteria).find(/** @type {any} */ (rows));
}

/**
 * An update changes the object in place, so a branch needs its own.
 *
 * @param {User} user
 */
function structuredCopy(user) {
  return { ...user, labels: user.labels.slice(), address: { ...user.address } };
}
