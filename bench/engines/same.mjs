// The plain loop that gives the same answers as the engine: literals are checked, rows come by id where
// no order is asked for, what is handed out is fresh, and a page has a cursor from which to go on.
import { compareByCreated, compareByRatingAndName, compareText, WALK_PAGE } from "../workloads.mjs";
import {
  copyUser,
  countLabelled,
  countTwentyLeaves,
  getUser,
  insertBounded,
  makeInstance,
  makeRows,
} from "./plain.mjs";

/** @typedef {import("../data.mjs").User} User */
/** @typedef {(a: User, b: User) => number} Compare */

/** @type {import("./contract.mjs").Adapter} */
export const adapter = {
  title: "plain loop, same answer",
  memory: "heap",
  create() {
    const rows = makeRows();
    const { users, usersById, teamIdsByName } = rows;
    const insert = (/** @type {User} */ user) => {
      checkUser(user);
      check(!usersById.has(user.id));
      const own = copyUser(user);
      users.push(own);
      usersById.set(own.id, own);
    };
    return makeInstance(rows, insert, {
      W1: ({ id }) => getUser(usersById, text(id)),
      W2(constants) {
        const plan = text(constants.plan);
        return makePage(users, compareById, (user) => user.plan === plan).records;
      },
      W3(constants) {
        const plan = text(constants.plan);
        const prefix = text(constants.prefix);
        const [from, to] = [number(constants.zipFrom), number(constants.zipTo)];
        const matches = (/** @type {User} */ user) =>
          user.plan === plan &&
          user.zipcode >= from &&
          user.zipcode < to &&
          user.full_name.startsWith(prefix);
        return makePage(users, compareByRatingAndName, matches).records;
      },
      W4(constants) {
        const part = text(constants.text);
        return makePage(users, compareById, (user) => user.full_name.includes(part));
      },
      W5(constants) {
        const label = text(constants.label);
        return makePage(users, compareById, (user) => user.labels.includes(label)).records;
      },
      W5c: ({ label }) => countLabelled(users, text(label)),
      W6({ name }) {
        const team = teamIdsByName.get(text(name));
        return makePage(users, compareByCreated, (user) => user.team === team).records;
      },
      W7: (_constants, visit) => walk(users, visit),
      W11(constants) {
        for (const part of Object.values(constants)) {
          for (const value of Object.values(part)) {
            if (typeof value !== "string") number(value);
          }
        }
        return countTwentyLeaves(users, constants);
      },
      W9i: ({ user }) => insert(user),
      W9u({ id, changes }) {
        const user = usersById.get(text(id));
        if (user === undefined) throw new Error(`no user ${id}`);
        const [zipcode, rating] = [number(changes.zipcode), number(changes.rating)];
        check(Number.isSafeInteger(zipcode));
        Object.assign(user, { zipcode, rating });
        return copyUser(user);
      },
    });
  },
};

/** @type {Compare} */
const compareById = (a, b) => compareText(a.id, b.id);

/**
 * The first page of the users that match, how many there are, and where the next page begins.
 *
 * @param {readonly User[]} users
 * @param {Compare} compare
 * @param {(user: User) => boolean} matches
 */
function makePage(users, compare, matches) {
  /** @type {User[]} */
  const top = [];
  let count = 0;
  for (const user of users) {
    if (!matches(user)) continue;
    count++;
    insertBounded(top, user, compare);
  }
  return { count, records: top.map(copyUser), cursor: writeCursor(top.at(-1)) };
}

/** @param {readonly User[]} users @param {(page: User[]) => void} visit */
function walk(users, visit) {
  const sorted = users.slice().sort(compareByCreated);
  for (let from = 0; from < sorted.length; ) {
    const page = sorted.slice(from, from + WALK_PAGE);
    visit(page.map(copyUser));
    const last = readCursor(writeCursor(page.at(-1)));
    from = placeAfter(sorted, (user) => compareByCreated(user, last) <= 0);
  }
}

/** How many of the first users meet what holds up to some place. @param {readonly User[]} users @param {(user: User) => boolean} holds */
function placeAfter(users, holds) {
  let [low, high] = [0, users.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(/** @type {User} */ (users[middle]))) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** @param {User | undefined} last */
function writeCursor(last) {
  return last === undefined ? "" : Buffer.from(JSON.stringify(last)).toString("base64url");
}

/** @param {string} cursor @returns {User} */
function readCursor(cursor) {
  return JSON.parse(Buffer.from(cursor, "base64url").toString());
}

/** @param {User} user */
function checkUser(user) {
  for (const each of [user.id, user.full_name, user.email, user.plan, user.team]) text(each);
  text(user.address.street);
  check(Number.isSafeInteger(user.zipcode) && Number.isSafeInteger(user.address.number));
  check(user.rating === undefined || Number.isFinite(user.rating));
  check(
    !Number.isNaN(Date.parse(text(user.created))) &&
      user.labels.every((each) => text(each) === each),
  );
}

/** @param {unknown} value @returns {string} */
function text(value) {
  check(typeof value === "string" && value.isWellFormed());
  return /** @type {string} */ (value);
}

/** @param {unknown} value @returns {number} */
function number(value) {
  check(typeof value === "number" && Number.isFinite(value));
  return /** @type {number} */ (value);
}

/** @param {boolean} isGood */
function check(isGood) {
  if (!isGood) throw new Error("refused");
}
