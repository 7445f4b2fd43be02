import { op, escape as perRow, table } from "arquero";
import { PAGE, WALK_PAGE } from "../workloads.mjs";

/** @typedef {import("../data.mjs").User} User */

/** @type {import("./contract.mjs").Adapter} */
export const adapter = {
  title: "arquero",
  memory: "heap",
  package: "arquero",
  notes: { W1: "no index: it scans", W9i: "copies the table", W9u: "copies a column" },
  create() {
    let users = table({});
    /** @type {string[]} */
    let ids = [];
    let teams = table({});
    const find = (/** @type {string} */ id) =>
      users.params({ id }).filter((/** @type {any} */ d, /** @type {any} */ $) => d.id === $.id);
    return {
      load(teamRecords, batches) {
        teams = table({
          id: teamRecords.map((team) => team.id),
          name: teamRecords.map((team) => team.name),
        });
        users = makeTable(batches);
        ids = /** @type {string[]} */ (users.array("id"));
      },
      count: () => users.numRows(),
      get: (id) => toUsers(find(id), 1)[0] ?? null,
      run: {
        W1: ({ id }) => toUsers(find(id), 1)[0] ?? null,
        W2: ({ plan }) =>
          toUsers(
            users
              .params({ plan })
              .filter((/** @type {any} */ d, /** @type {any} */ $) => d.plan === $.plan),
          ),
        W3: (constants) =>
          toUsers(
            users
              .params(constants)
              .filter(
                (/** @type {any} */ d, /** @type {any} */ $) =>
                  d.plan === $.plan &&
                  d.zipcode >= $.zipFrom &&
                  d.zipcode < $.zipTo &&
                  op.startswith(d.full_name, $.prefix),
              )
              .orderby(
                perRow((/** @type {any} */ d) => -(d.rating ?? -1)),
                "full_name",
                "id",
              ),
          ),
        W4({ text }) {
          const found = users.filter(perRow((/** @type {any} */ d) => d.full_name.includes(text)));
          return { count: found.numRows(), records: toUsers(found) };
        },
        W5: ({ label }) => toUsers(filterByLabel(users, label)),
        W5c: ({ label }) => filterByLabel(users, label).numRows(),
        W6({ name }) {
          const members = teams
            .params({ name })
            .filter((/** @type {any} */ d, /** @type {any} */ $) => d.name === $.name);
          const team = members.get("id", 0);
          return toUsers(
            users
              .params({ team })
              .filter((/** @type {any} */ d, /** @type {any} */ $) => d.team === $.team)
              .orderby("created", "id"),
          );
        },
        W7(_constants, visit) {
          const sorted = users.orderby("created", "id");
          const rows = sorted.indices();
          for (let from = 0; from < rows.length; from += WALK_PAGE) {
            const page = [];
            const to = Math.min(rows.length, from + WALK_PAGE);
            for (let i = from; i < to; i++) page.push(toUser(users.object(rows[i])));
            visit(page);
          }
        },
        W11: (constants) =>
          users
            .params(constants)
            .filter(
              (/** @type {any} */ d, /** @type {any} */ $) =>
                (d.plan === $.a.plan &&
                  d.zipcode >= $.a.zipFrom &&
                  d.zipcode < $.a.zipTo &&
                  d.rating >= $.a.ratingFrom) ||
                (d.plan === $.b.plan &&
                  d.created >= $.b.createdFrom &&
                  d.created < $.b.createdTo &&
                  d.rating < $.b.ratingTo) ||
                (d.number <= $.c.numberTo &&
                  d.zipcode >= $.c.zipFrom &&
                  d.rating >= $.c.ratingFrom &&
                  d.created < $.c.createdTo) ||
                (op.includes(d.labels, $.d.label, 0) &&
                  d.zipcode < $.d.zipTo &&
                  d.created >= $.d.createdFrom &&
                  d.plan === $.d.plan) ||
                (op.startswith(d.full_name, $.e.prefix) &&
                  d.rating >= $.e.ratingFrom &&
                  d.zipcode >= $.e.zipFrom &&
                  d.created < $.e.createdTo),
            )
            .numRows(),
        W9i({ user }) {
          users = users.concat(makeTable([[user]]));
        },
        W9u({ id, changes }) {
          users = changeUser(users, ids.indexOf(id), changes);
        },
      },
      branch({ id, changes }) {
        const copy = changeUser(users, ids.indexOf(id), changes);
        return {
          get: (/** @type {string} */ wanted) =>
            toUser(/** @type {any} */ (copy.object(ids.indexOf(wanted)))),
          count: () => copy.numRows(),
          drop() {},
        };
      },
      close() {},
    };
  },
};

/** @param {Iterable<User[]>} batches @returns {any} */
function makeTable(batches) {
  /** @type {Record<string, any[]>} */
  const columns = {
    id: [],
    full_name: [],
    email: [],
    plan: [],
    zipcode: [],
    rating: [],
    created: [],
    labels: [],
    team: [],
    street: [],
    number: [],
  };
  for (const batch of batches) {
    for (const { address, rating, ...user } of batch) {
      for (const [name, value] of Object.entries(user)) columns[name]?.push(value);
      columns.rating?.push(rating);
      columns.street?.push(address.street);
      columns.number?.push(address.number);
    }
  }
  return table(columns);
}

/** @param {any} users @param {string} label */
function filterByLabel(users, label) {
  return users
    .params({ label })
    .filter((/** @type {any} */ d, /** @type {any} */ $) => op.includes(d.labels, $.label, 0));
}

/**
 * Tables are immutable: the columns that change are copied, the others shared.
 *
 * @param {any} users
 * @param {number} row
 * @param {{ zipcode: number, rating: number }} changes
 */
function changeUser(users, row, changes) {
  const zipcode = users.array("zipcode").slice();
  const rating = users.array("rating").slice();
  zipcode[row] = changes.zipcode;
  rating[row] = changes.rating;
  return users.assign(table({ zipcode, rating }));
}

/** @param {any} found @param {number} [limit] */
function toUsers(found, limit = PAGE) {
  return found.objects({ limit }).map(toUser);
}

/** @param {any} row */
function toUser({ street, number, ...rest }) {
  return { ...rest, labels: rest.labels.slice(), address: { street, number } };
}
