// Hand-written code: an array of objects, a Map of ids, loops. It returns copies. The bench
// compares the answers of the other engines with its own.
import { compareByCreated, compareByRatingAndName, PAGE, WALK_PAGE } from "../workloads.mjs";

export const adapter = {
  memory: "heap",
  create() {
    const users = [];

    const usersById = new Map();

    const teamIdsByName = new Map();
    const insert = (user) => {
      users.push(user);
      usersById.set(user.id, user);
    };
    return {
      load(teams, batches) {
        for (const team of teams) teamIdsByName.set(team.name, team.id);
        for (const batch of batches) for (const user of batch) insert(user);
      },
      count: () => users.length,
      get: (id) => getUser(usersById, id),
      run: {
        W1: ({ id }) => getUser(usersById, id),
        W2: ({ plan }) => takeFirst(users, (user) => user.plan === plan),
        W3: (constants) => findTop(users, constants),
        W4: ({ text }) => countContaining(users, text),
        W5: ({ label }) => takeFirst(users, (user) => user.labels.includes(label)),
        W5c: ({ label }) => countLabelled(users, label),
        W6: ({ name }) => findTeamMembers(users, teamIdsByName.get(name)),
        W18: () => findNewest(users),
        W7: (_constants, visit) => walk(users, visit),
        W11: (constants) => countTwentyLeaves(users, constants),
        ...aggregates(users),
        W9i: ({ user }) => insert(user),
        W9u: ({ id, changes }) => {
          const user = usersById.get(id);
          if (user === undefined) throw new Error(`no user ${id}`);
          user.zipcode = changes.zipcode;
          user.rating = changes.rating;
        },
      },
      branch: ({ id, changes }) => branchRows(users, usersById, id, changes),
    };
  },
};

function copyUser(user) {
  return { ...user, labels: user.labels.slice(), address: { ...user.address } };
}

function getUser(usersById, id) {
  const user = usersById.get(id);
  return user === undefined ? null : copyUser(user);
}

function takeFirst(users, matches) {
  const found = [];
  for (const user of users) {
    if (!matches(user)) continue;
    found.push(copyUser(user));
    if (found.length === PAGE) break;
  }
  return found;
}

function findTop(users, { plan, zipFrom, zipTo, prefix }) {
  const top = [];
  for (const user of users) {
    if (
      user.plan === plan &&
      user.zipcode >= zipFrom &&
      user.zipcode < zipTo &&
      user.full_name.startsWith(prefix)
    ) {
      insertBounded(top, user, compareByRatingAndName);
    }
  }
  return top.map(copyUser);
}

function countContaining(users, text) {
  let count = 0;
  const records = [];
  for (const user of users) {
    if (!user.full_name.includes(text)) continue;
    if (count++ < PAGE) records.push(copyUser(user));
  }
  return { count, records };
}

function countLabelled(users, label) {
  let count = 0;
  for (const user of users) if (user.labels.includes(label)) count++;
  return count;
}

function findNewest(users) {
  const top = [];
  for (const user of users) insertBounded(top, user, (a, b) => (a.id < b.id ? 1 : -1));
  return top.map(copyUser);
}

function findTeamMembers(users, team) {
  const first = [];
  for (const user of users) {
    if (user.team === team) insertBounded(first, user, compareByCreated);
  }
  return first.map(copyUser);
}

/** Aggregates as rows of values: loops with a Map. */
function aggregates(users) {
  const measure = (zipFrom) => {
    let [sum, count, most] = [0, 0, Number.NEGATIVE_INFINITY];
    for (const { rating, zipcode } of users) {
      if (rating === undefined || zipcode < zipFrom) continue;
      sum += rating;
      count++;
      if (rating > most) most = rating;
    }
    return [[sum, sum / count, most]];
  };
  const groups = (keyOf) => {
    const byKey = new Map();
    for (const user of users) {
      const key = keyOf(user);
      const row = byKey.get(key);
      if (row === undefined) byKey.set(key, [key, user.address.number, 1]);
      else {
        row[1] += user.address.number;
        row[2]++;
      }
    }
    return [...byKey.values()];
  };
  const counts = (keyOf) => {
    const byKey = new Map();
    for (const user of users) byKey.set(keyOf(user), (byKey.get(keyOf(user)) ?? 0) + 1);
    return [...byKey];
  };
  const byKey = ([a], [b]) => (a < b ? -1 : 1);
  return {
    W12: () => measure(0),
    W12f: ({ zipFrom }) => measure(zipFrom),
    W13: () => groups(({ plan }) => plan).sort(byKey),
    W13t: () =>
      groups(({ team }) => team)
        .sort(byKey)
        .slice(0, 200),
    W14: () =>
      groups(({ zipcode }) => zipcode)
        .sort((a, b) => b[1] - a[1] || a[0] - b[0])
        .slice(0, PAGE),
    W15: () => counts(({ created }) => created.slice(0, 7)).sort(byKey),
    W15t: () => counts(({ plan }) => plan).sort((a, b) => b[1] - a[1]),
    W16: () => [[new Set(users.map(({ zipcode }) => zipcode)).size]],
    W16p: () => {
      const ratings = Float64Array.from(
        users.filter(({ rating }) => rating !== undefined),
        (user) => user.rating,
      ).sort();
      return [[0.5, 0.95].map((share) => ratings[Math.floor(share * ratings.length)])];
    },
  };
}

function walk(users, visit) {
  const sorted = users.slice().sort(compareByCreated);
  for (let from = 0; from < sorted.length; from += WALK_PAGE) {
    visit(sorted.slice(from, from + WALK_PAGE).map(copyUser));
  }
}

function countTwentyLeaves(users, { a, b, c, d, e }) {
  let count = 0;
  for (const user of users) {
    const { plan, zipcode, created } = user;
    const rating = user.rating ?? Number.NaN;
    if (
      (plan === a.plan && zipcode >= a.zipFrom && zipcode < a.zipTo && rating >= a.ratingFrom) ||
      (plan === b.plan &&
        rating < b.ratingTo &&
        created >= b.createdFrom &&
        created < b.createdTo) ||
      (user.address.number <= c.numberTo &&
        zipcode >= c.zipFrom &&
        rating >= c.ratingFrom &&
        created < c.createdTo) ||
      (plan === d.plan &&
        zipcode < d.zipTo &&
        user.labels.includes(d.label) &&
        created >= d.createdFrom) ||
      (rating >= e.ratingFrom &&
        zipcode >= e.zipFrom &&
        user.full_name.startsWith(e.prefix) &&
        created < e.createdTo)
    ) {
      count++;
    }
  }
  return count;
}

/**
 * Shares all rows with the source except the changed one: the minimum cost of a branch. In-place updates of
 * the source would also change the branch.
 */
function branchRows(users, usersById, id, changes) {
  const rows = users.slice();
  const rowsById = new Map(usersById);
  const old = rowsById.get(id);
  if (old === undefined) throw new Error(`no user ${id}`);
  const changed = { ...old, ...changes };
  rows[rows.indexOf(old)] = changed;
  rowsById.set(id, changed);
  return {
    get: (wanted) => rowsById.get(wanted),
    count: () => rows.length,
    drop() {},
  };
}

/** Keeps the first {@link PAGE} in order. */
function insertBounded(top, user, compare) {
  const last = top[PAGE - 1];
  if (last !== undefined && compare(user, last) >= 0) return;
  let place = Math.min(top.length, PAGE - 1);
  while (place > 0 && compare(user, top[place - 1]) < 0) {
    top[place] = top[place - 1];
    place--;
  }
  top[place] = user;
}
