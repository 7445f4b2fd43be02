// The measured workloads, and constants that vary from call to call.
import {
  CREATED,
  createRandom,
  formatSeconds,
  INITIALS,
  initialShare,
  LABELS,
  makeTeams,
  makeUser,
  PLANS,
  pick,
  SEED,
  SYLLABLES,
  TEAM_COUNT,
  teamName,
  userId,
  ZIPCODES,
} from "./data.mjs";

export const PAGE = 20;
export const WALK_PAGE = 200;

/**
 * `kind` determines the compared answers: `record`; `records`, in order; `count`; `page`, a count and
 * records; `rows`, aggregates; `walk`, all ids in order; `write`, the record afterwards; `branch`, its record and that of its
 * source; `load`. `calls` is the maximum per round, `rounds` the maximum number of rounds; calls of
 * a `group` are timed together if one is too short for the clock.
 */
export const WORKLOADS = [
  {
    id: "W1",
    title: "get by id",
    kind: "record",
    calls: 5000,
    group: 100,
    constants: (random, rows) => ({ id: randomId(random, rows) }),
  },
  {
    id: "W2",
    title: "plan = x, first 20",
    kind: "records",
    calls: 200,
    constants: (_random, _rows, call) => ({ plan: at(PLANS, call).name }),
  },
  {
    id: "W3",
    title: "eq + range + startsWith (1 %), sort rating desc, name asc, first 20",
    kind: "records",
    calls: 30,
    constants: varyThreeLeaves,
  },
  {
    id: "W4",
    title: "full_name $contains x, count and first 20",
    kind: "page",
    calls: 30,
    constants: (random) => ({ text: `${pick(random, SYLLABLES)}${pick(random, SYLLABLES)}` }),
  },
  {
    id: "W5",
    title: "labels includes x, first 20",
    kind: "records",
    calls: 200,
    constants: (_random, _rows, call) => ({ label: at(LABELS, call * 7) }),
  },
  {
    id: "W5c",
    title: "labels includes x, count all",
    kind: "count",
    calls: 50,
    constants: (_random, _rows, call) => ({ label: at(LABELS, call * 7) }),
  },
  {
    id: "W6",
    title: "team.name = x, sort by created, first 20",
    kind: "records",
    calls: 200,
    constants: (_random, _rows, call) => ({ name: teamName((call * 389) % TEAM_COUNT) }),
  },
  {
    id: "W18",
    title: "newest first: sort by id, which rises with insertion, desc, first 20",
    kind: "records",
    calls: 50,
    constants: () => ({}),
  },
  {
    id: "W7",
    title: "walk all rows by created, pages of 200 by cursor",
    kind: "walk",
    calls: 1,
    rounds: 3,
    constants: () => ({}),
  },
  {
    id: "W11",
    title: "20 leaves of OR of AND, count",
    kind: "count",
    calls: 15,
    constants: varyTwentyLeaves,
  },
  ...[
    ["W12", "sum, average and greatest rating", () => ({})],
    ["W12f", "the same with zipcode >= x, which keeps 33 to 100 %", varyZipcode(0, 0.67)],
    ["W12f1", "the same, 1 %", varyZipcode(0.985, 0.995)],
    ["W12f50", "the same, 50 %", varyZipcode(0.495, 0.505)],
    ["W12f99", "the same, 99 %", varyZipcode(0.005, 0.015)],
    ["W13", "sum and count by plan", () => ({})],
    ["W13t", "sum and count by team (1,000), first 200", () => ({})],
    ["W14", "top 20 of 90,000 zipcodes by sum", () => ({})],
    ["W15", "count by month", () => ({})],
    ["W15t", "top values of plan", () => ({})],
    ["W16", "distinct zipcodes", () => ({})],
    ["W16p", "percentiles 50 and 95 of rating", () => ({})],
  ].map(([id, title, constants]) => ({ id, title, kind: "rows", calls: 15, constants })),
  {
    id: "W10",
    title: "branch the table, then one write",
    kind: "branch",
    calls: 20,
    constants: (random, rows, call) => ({
      ...varyChange(random, rows, call),
      name: `branch-${call}`,
    }),
  },
  {
    id: "W9i",
    title: "insert one",
    kind: "write",
    calls: 1000,
    group: 10,
    constants: (random, rows, call) => ({ user: makeUser(rows + call, random, TEAMS) }),
  },
  {
    id: "W9u",
    title: "update one",
    kind: "write",
    calls: 1000,
    group: 10,
    constants: varyChange,
  },
  {
    id: "W8",
    title: "load all rows",
    kind: "load",
    calls: 1,
    rounds: 3,
    constants: () => ({}),
  },
];

export const POSTGRES_WORKLOADS = WORKLOADS.map(({ id }) => id)
  .filter((id) => (id !== "W8" && !/^W1[0-8]/.test(id)) || id === "W11")
  .concat("after", "bulk");

const TEAMS = makeTeams();

export function workloadById(id) {
  const found = WORKLOADS.find((workload) => workload.id === id);
  if (found === undefined) throw new Error(`no workload ${id}`);
  return found;
}

/** The workloads that keep other shares of the rows run the same query. */
export function shareRuns({ run }) {
  const { W12f } = run;
  if (W12f !== undefined) Object.assign(run, { W12f1: W12f, W12f50: W12f, W12f99: W12f });
}

/** Generates the constants of a round's calls, the same for every engine. */
export function makeConstants(workload, rows, round) {
  const random = createRandom(SEED + 7919 * (round + 1) + rows + WORKLOADS.indexOf(workload));
  return Array.from({ length: workload.calls }, (_, i) =>
    workload.constants(random, rows, round * workload.calls + i),
  );
}

export function compareByCreated(a, b) {
  return compareText(a.created, b.created) || compareText(a.id, b.id);
}

/** By rating descending, name and id ascending; a missing rating comes first. */
export function compareByRatingAndName(a, b) {
  return (
    (b.rating ?? Infinity) - (a.rating ?? Infinity) || // NaN for two missing ones
    compareText(a.full_name, b.full_name) ||
    compareText(a.id, b.id)
  );
}

/** Compares by UTF-16 units, which here is the order of code points. */
function compareText(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Adjusts the range so that one row in a hundred matches all three conditions. */
function varyThreeLeaves(random) {
  const span = ZIPCODES.to - ZIPCODES.from + 1;
  for (;;) {
    const { name: plan, share } = pick(random, PLANS);
    const prefix = pick(random, INITIALS);
    const width = Math.round((span * 0.01) / ((share / 100) * initialShare(prefix)));
    if (width > span * 0.95) continue;
    const zipFrom = ZIPCODES.from + Math.floor(random() * (span - width));
    return { plan, prefix, zipFrom, zipTo: zipFrom + width };
  }
}

function varyTwentyLeaves(random) {
  const zip = (from, to) => Math.floor(10_000 + 90_000 * (from + random() * (to - from)));
  const rating = (from, to) => Math.round((from + random() * (to - from)) * 10) / 10;
  const created = (from, to) =>
    formatSeconds(
      Math.floor(CREATED.from + (CREATED.to - CREATED.from) * (from + random() * (to - from))),
    );
  const plan = () => pick(random, PLANS).name;
  return {
    a: { plan: plan(), zipFrom: zip(0, 0.4), zipTo: zip(0.6, 1), ratingFrom: rating(1, 4) },
    b: {
      plan: plan(),
      createdFrom: created(0, 0.4),
      createdTo: created(0.6, 1),
      ratingTo: rating(1, 3),
    },
    c: {
      numberTo: 10 + Math.floor(random() * 90),
      zipFrom: zip(0.2, 0.6),
      ratingFrom: rating(2, 4),
      createdTo: created(0.5, 0.9),
    },
    d: {
      label: pick(random, LABELS),
      zipTo: zip(0.3, 0.8),
      createdFrom: created(0.1, 0.5),
      plan: plan(),
    },
    e: {
      prefix: pick(random, INITIALS),
      ratingFrom: rating(1, 3),
      zipFrom: zip(0.1, 0.5),
      createdTo: created(0.5, 0.9),
    },
  };
}

/** Successive calls change rows far apart, and each row once before any row twice. */
function varyChange(random, rows, call) {
  const zipcode = ZIPCODES.from + Math.floor(random() * (ZIPCODES.to - ZIPCODES.from + 1));
  const rating = Math.round(random() * 50) / 10;
  return { id: userId((call * 618_033) % rows), changes: { zipcode, rating } };
}

/** A filter that removes a share of the rows between these. */
function varyZipcode(from, to) {
  const span = ZIPCODES.to - ZIPCODES.from + 1;
  return (random) => ({
    zipFrom: ZIPCODES.from + Math.floor(span * (from + random() * (to - from))),
  });
}

function randomId(random, rows) {
  return userId(Math.floor(random() * rows));
}

function at(members, index) {
  return members[index % members.length];
}
