import { pathToFileURL } from "node:url";
import { createRandom, makeTeams, makeUserBatches, userId } from "../data.mjs";
import { PAGE, WALK_PAGE } from "../workloads.mjs";

/** Another build, for `bench/builds.mjs`. */
const { TWINBASE_DIST } = process.env;

const { createEngine } = await import(
  TWINBASE_DIST === undefined
    ? "../../dist/index.js"
    : pathToFileURL(`${TWINBASE_DIST}/index.js`).href
);

export const USER_COLUMNS = [
  { name: "full_name", type: "string" },
  { name: "email", type: "email" },
  { name: "plan", type: "string" },
  { name: "zipcode", type: "int" },
  { name: "rating", type: "float" },
  { name: "created", type: "datetime" },
  { name: "labels", type: "multiple" },
  { name: "team", type: "link", link: { table: "teams" } },
  {
    name: "address",
    type: "object",
    columns: [
      { name: "street", type: "string" },
      { name: "number", type: "int" },
    ],
  },
];

export const adapter = {
  memory: "heap",
  create: () => createInstance(),
};

/** An engine with rows. */
export function createLoaded(rows, options) {
  const instance = createInstance(options);
  instance.load(makeTeams(), makeUserBatches(rows));
  return instance;
}

export function createInstance(options = {}) {
  const engine = createEngine({ seed: 1, ...options });
  const database = engine.createWorkspace("bench").createDatabase("bench");
  const main = database.branch("main");
  const teams = main.createTable("teams", [{ name: "name", type: "string" }]);
  const users = main.createTable("users", USER_COLUMNS);
  const random = createRandom(3);
  const page = { size: PAGE };
  let rows = 0;
  return {
    engine,
    database,
    users,
    load(teamRecords, batches) {
      teams.load(teamRecords);
      rows = users.load(flatten(batches));
    },
    count: () => users.count(),
    get: (id) => users.get(id),
    run: {
      ...runQueries(
        (request) => users.query(request).records,
        (filter) => users.count(filter),
      ),
      W1: ({ id }) => users.get(id),
      W4({ text }) {
        const filter = { full_name: { $contains: text } };
        return { count: users.count(filter), records: users.query({ filter, page }).records };
      },
      W18: () => users.query({ sort: { id: "desc" }, page }).records,
      W7: (_constants, visit) => walk(users, visit),
      ...aggregates(users),
      W9i: ({ user }) => users.insert(user),
      W9u: ({ id, changes }) => users.update(id, changes),
    },
    branch({ name, id, changes }) {
      const copy = database.createBranch(name, { from: "main" }).table("users");
      copy.update(id, changes);
      return {
        get: (wanted) => copy.get(wanted),
        count: () => copy.count(),
        drop: () => database.deleteBranch(name),
      };
    },
    touch() {
      users.update(userId(Math.floor(random() * rows)), {});
    },
  };
}

/** The workloads of one query, by functions that return the records of a page and a count. */
export function runQueries(query, count) {
  const page = { size: PAGE };
  const sort = [{ rating: "desc" }, { full_name: "asc" }];
  return {
    W2: ({ plan }) => query({ filter: { plan }, page }),
    W3: (constants) => query({ filter: filterThreeLeaves(constants), sort, page }),
    W5: ({ label }) => query({ filter: { labels: { $includes: label } }, page }),
    W5c: ({ label }) => count({ labels: { $includes: label } }),
    W6: ({ name }) => query({ filter: { "team.name": name }, sort: { created: "asc" }, page }),
    W11: (constants) => count(filterTwentyLeaves(constants)),
  };
}

function filterThreeLeaves({ plan, zipFrom, zipTo, prefix }) {
  return {
    plan,
    zipcode: { $ge: zipFrom, $lt: zipTo },
    full_name: { $startsWith: prefix },
  };
}

function filterTwentyLeaves({ a, b, c, d, e }) {
  return {
    $any: [
      {
        plan: a.plan,
        zipcode: { $ge: a.zipFrom, $lt: a.zipTo },
        rating: { $ge: a.ratingFrom },
      },
      {
        plan: b.plan,
        created: { $ge: b.createdFrom, $lt: b.createdTo },
        rating: { $lt: b.ratingTo },
      },
      {
        "address.number": { $le: c.numberTo },
        zipcode: { $ge: c.zipFrom },
        rating: { $ge: c.ratingFrom },
        created: { $lt: c.createdTo },
      },
      {
        labels: { $includes: d.label },
        zipcode: { $lt: d.zipTo },
        created: { $ge: d.createdFrom },
        plan: d.plan,
      },
      {
        full_name: { $startsWith: e.prefix },
        rating: { $ge: e.ratingFrom },
        zipcode: { $ge: e.zipFrom },
        created: { $lt: e.createdTo },
      },
    ],
  };
}

/** Aggregates as rows of values. */
function aggregates(users) {
  const measure = (filter) => {
    const column = "rating";
    const aggs = { s: { sum: { column } }, a: { average: { column } }, m: { max: { column } } };
    const { s, a, m } = users.aggregate({ filter, aggs }).aggs;
    return [[s, a, m]];
  };
  const groups = (column, sort, size) => {
    const summaries = { s: { sum: "address.number" }, n: { count: "*" } };
    const rows = users.summarize({ columns: [column], summaries, sort, page: { size } });
    return rows.summaries.map(({ s, n, [column]: key }) => [key.id ?? key, s, n]);
  };
  const buckets = (aggregation) =>
    users
      .aggregate({ aggs: { b: aggregation } })
      .aggs.b.values.map(({ $key, $count }) => [$key, $count]);
  const single = (aggregation) => users.aggregate({ aggs: { a: aggregation } }).aggs.a;
  return {
    W12: () => measure(),
    W12f: ({ zipFrom }) => measure({ zipcode: { $ge: zipFrom } }),
    W13: () => groups("plan", { plan: "asc" }, 20),
    W13t: () => groups("team", { team: "asc" }, 200),
    W14: () => groups("zipcode", { s: "desc" }, 20),
    W15: () =>
      buckets({ dateHistogram: { column: "created", calendarInterval: "month" } }).map(
        ([month, count]) => [month.slice(0, 7), count],
      ),
    W15t: () => buckets({ topValues: { column: "plan", size: 5 } }),
    W16: () => [[single({ uniqueCount: { column: "zipcode" } })]],
    W16p: () => {
      const { values } = single({ percentiles: { column: "rating", percentiles: [50, 95] } });
      return [[values[50], values[95]]];
    },
  };
}

function walk(users, visit) {
  let result = users.query({ sort: { created: "asc" }, page: { size: WALK_PAGE } });
  visit(result.records);
  while (result.meta.page.more) {
    result = users.query({ page: { after: result.meta.page.cursor, size: WALK_PAGE } });
    visit(result.records);
  }
}

export function* flatten(batches) {
  for (const batch of batches) yield* batch;
}
