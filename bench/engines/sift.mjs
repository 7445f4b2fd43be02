import siftModule from "sift";
import { compareByCreated, compareByRatingAndName, PAGE } from "../workloads.mjs";

/** @typedef {import("../data.mjs").User} User */

/** The package's types do not fit its own module format. */
const sift = /** @type {(query: object) => (row: any) => boolean} */ (
  /** @type {unknown} */ (siftModule)
);

const FILTERS_ONLY = "it filters arrays; it neither writes nor pages";

/** @type {import("./contract.mjs").Adapter} */
export const adapter = {
  title: "sift",
  memory: "heap",
  package: "sift",
  notes: { W1: "live reference", W2: "live references", W8: "an array" },
  unsupported: { W7: FILTERS_ONLY, W9i: FILTERS_ONLY, W9u: FILTERS_ONLY, W10: FILTERS_ONLY },
  create() {
    /** @type {User[]} */
    const users = [];
    /** @type {any[]} */
    let teams = [];
    const get = (/** @type {string} */ id) => users.find(sift({ id })) ?? null;
    return {
      load(teamRecords, batches) {
        teams = teamRecords;
        for (const batch of batches) for (const user of batch) users.push(user);
      },
      count: () => users.length,
      get,
      run: {
        W1: ({ id }) => get(id),
        W2: ({ plan }) => takeFirst(users, sift({ plan })),
        W3: ({ plan, zipFrom, zipTo, prefix }) =>
          users
            .filter(
              sift({
                plan,
                zipcode: { $gte: zipFrom, $lt: zipTo },
                full_name: new RegExp(`^${prefix}`),
              }),
            )
            .sort(compareByRatingAndName)
            .slice(0, PAGE),
        W4({ text }) {
          const found = users.filter(sift({ full_name: new RegExp(text) }));
          return { count: found.length, records: found.slice(0, PAGE) };
        },
        W5: ({ label }) => takeFirst(users, sift({ labels: label })),
        W5c: ({ label }) => users.filter(sift({ labels: label })).length,
        W6({ name }) {
          const team = teams.find(sift({ name }));
          return users
            .filter(sift({ team: team?.id }))
            .sort(compareByCreated)
            .slice(0, PAGE);
        },
        W11: ({ a, b, c, d, e }) =>
          users.filter(
            sift(
              /** @type {any} */ ({
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
              }),
            ),
          ).length,
      },
      close() {},
    };
  },
};

/** @param {readonly User[]} users @param {(user: User) => boolean} matches */
function takeFirst(users, matches) {
  const found = [];
  for (const user of users) {
    if (!matches(user)) continue;
    found.push(user);
    if (found.length === PAGE) break;
  }
  return found;
}
