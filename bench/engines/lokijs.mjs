import Loki from "lokijs";
import { compareByRatingAndName, PAGE, WALK_PAGE } from "../workloads.mjs";

export const adapter = {
  memory: "heap",
  notes: { W1: "live reference", W2: "live references", W7: "live references" },
  create() {
    const db = new Loki("bench.db");

    const teams = db.addCollection("teams", { unique: ["name"] });
    const users = addUsers(db, "users");
    const get = (id) => users.by("id", id) ?? null;
    const find = (query) => users.chain().find(query);
    return {
      load(teamRecords, batches) {
        teams.insert(teamRecords);
        for (const batch of batches) users.insert(batch);
      },
      index() {
        users.ensureIndex("zipcode");
        users.ensureIndex("team");
        users.ensureIndex("created");
      },
      count: () => users.count(),
      get,
      run: {
        W1: ({ id }) => get(id),
        W2: ({ plan }) => find({ plan }).limit(PAGE).data(),
        W3: ({ plan, zipFrom, zipTo, prefix }) =>
          find({ zipcode: { $between: [zipFrom, zipTo - 1] } })
            .find({ plan })
            .where((user) => user.full_name.startsWith(prefix))
            .sort(compareByRatingAndName)
            .limit(PAGE)
            .data(),
        W4({ text }) {
          const found = find({ full_name: { $contains: text } });
          return { count: found.count(), records: found.limit(PAGE).data() };
        },
        W5: ({ label }) =>
          find({ labels: { $contains: label } })
            .limit(PAGE)
            .data(),
        W5c: ({ label }) => find({ labels: { $contains: label } }).count(),
        W6: ({ name }) =>
          find({ team: teams.by("name", name)?.id })
            .compoundsort(["created", "id"])
            .limit(PAGE)
            .data(),
        W18: () => users.chain().simplesort("id", true).limit(PAGE).data(),
        W7: (_constants, visit) => walk(users, visit),
        W11: (constants) => find(filterTwentyLeaves(constants)).count(),
        W9i: ({ user }) => users.insert({ ...user }),
        W9u: ({ id, changes }) => users.update(Object.assign(get(id), changes)),
      },
      branch({ name, id, changes }) {
        const copy = addUsers(db, name);
        copy.insert(users.find().map(cloneUser));
        copy.update(Object.assign(copy.by("id", id), changes));
        return {
          get: (wanted) => copy.by("id", wanted),
          count: () => copy.count(),
          drop: () => db.removeCollection(name),
        };
      },
    };
  },
};

function filterTwentyLeaves({ a, b, c, d, e }) {
  return {
    $or: [
      {
        plan: a.plan,
        zipcode: { $between: [a.zipFrom, a.zipTo - 1] },
        rating: { $gte: a.ratingFrom },
      },
      {
        $and: [
          { plan: b.plan },
          ...[{ created: { $gte: b.createdFrom } }, { created: { $lt: b.createdTo } }],
          ...[{ rating: { $between: [0, b.ratingTo] } }, { rating: { $ne: b.ratingTo } }],
        ],
      },
      {
        "address.number": { $lte: c.numberTo },
        zipcode: { $gte: c.zipFrom },
        rating: { $gte: c.ratingFrom },
        created: { $lt: c.createdTo },
      },
      {
        labels: { $contains: d.label },
        zipcode: { $lt: d.zipTo },
        created: { $gte: d.createdFrom },
        plan: d.plan,
      },
      {
        full_name: { $regex: `^${e.prefix}` },
        rating: { $gte: e.ratingFrom },
        zipcode: { $gte: e.zipFrom },
        created: { $lt: e.createdTo },
      },
    ],
  };
}

function addUsers(db, name) {
  return db.addCollection(name, { unique: ["id"], disableMeta: true });
}

/** Sorts once by the index on `created`, breaks ties by id, and visits pages. */
function walk(users, visit) {
  const sorted = users.chain().simplesort("created").filteredrows;
  const rows = users.data;
  breakTies(rows, sorted);
  for (let from = 0; from < sorted.length; from += WALK_PAGE) {
    visit(sorted.slice(from, from + WALK_PAGE).map((at) => rows[at]));
  }
}

function breakTies(rows, sorted) {
  let from = 0;
  for (let to = 1; to <= sorted.length; to++) {
    const tied =
      to < sorted.length && rows[sorted[to] ?? -1]?.created === rows[sorted[from] ?? -1]?.created;
    if (tied) continue;
    if (to - from > 1) {
      // Rows were loaded in the order of their ids.
      const run = sorted.slice(from, to).sort((a, b) => a - b);
      for (let i = 0; i < run.length; i++) sorted[from + i] = run[i] ?? -1;
    }
    from = to;
  }
}

function cloneUser({ $loki: _, ...user }) {
  return { ...user, labels: user.labels.slice(), address: { ...user.address } };
}
