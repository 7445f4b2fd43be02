// What builds answer otherwise than those before them on purpose, by rule. A change says what of an
// answer it may touch, by levelling that in both: where they are the same then, it explains why they
// differed. Some touch all of an answer, and what is written by the step: they say which they mean.

const MEANT = [
  {
    what: "G-13: cursors hold identities of tables, which name the engine that made them",
    level: ({ text }) =>
      text.replaceAll(/"cursor":"([\w-]{9,})"/g, (_, cursor) => levelCursor(cursor)),
  },
  {
    what: "K-1: the id of a migration comes from the history of schemas",
    level: ({ text }) => text.replaceAll(/"mig_[\w-]+"/g, '"mig"'),
  },
  {
    what: "the layout of an export",
    level: ({ text }) => (text.startsWith('["twinbase-export"') ? "an export" : text),
  },
  {
    what: "X-6: a group has its columns that are null, too, and all in the order of the schema",
    level: ({ text, of }) => (of.endsWith("summarize") ? levelMembers(text) : text),
  },
  {
    what: "X-6: under xata keys of times and percentiles have decimals",
    level: ({ text }) =>
      text.replaceAll(/("\$key":"[-\dT:]+)\.000Z"/g, '$1Z"').replaceAll(/"(\d+)\.0":/g, '"$1":'),
  },
  {
    what: "X-6: the place of a percentile",
    level: ({ text, of }) =>
      of.endsWith("aggregate") ? text.replaceAll(/("\d+(\.\d+)?"):[^{},]+/g, "$1:0") : text,
  },
  {
    what: "X-3: under xata a get of no columns gives the id and the metadata",
    level: ({ text, of }) =>
      of.endsWith("transaction")
        ? text.replaceAll(/("get","columns":\{)"id":"[^"]*","xata":\{[^}]*\}\}/g, "$1}")
        : text,
  },
  {
    what: "X-3: under xata the columns in a result are in the order of T-4",
    level: ({ text, of }) => (of.endsWith("transaction") ? levelMembers(text) : text),
  },
  {
    what: "X-5: under xata a branch made from another has its tables, not its records",
    level: ({ text, of }) => (of === "changes" ? levelBranches(text) : text),
  },
  {
    what: "a listener is told of records in the order that they were written in",
    level: ({ text, of }) => (of === "changes" ? levelOrder(text) : text),
  },
  {
    what: "E-1: words of messages; their codes, places and rules are the same",
    level: ({ text }) => text.replaceAll(/"message":"(?:[^"\\]|\\.)*"/g, '"message":""'),
  },
  {
    what: "X-6: sums and averages are rounded once",
    level: ({ text, of }) =>
      of.endsWith("summarize") || of.endsWith("aggregate")
        ? text.replaceAll(/(?<=:-?)[\d.]+(?=[,}e])/g, (number) => Number(number).toPrecision(9))
        : text,
  },
  {
    what: "P-11: a transaction gives records of reverse links, too",
    isMeant: ([a, b], of) => of.endsWith("transaction") && isIn(a, b, "no such link to this table"),
  },
  {
    what: "E-3: under xata null counts as absent in a request over HTTP",
    isMeant: ([a, b], of) => of.startsWith("/") && isIn(a, b, ", found null"),
  },
];

/**
 * Which of the changes make two answers to a step differ, none where something else does, and
 * whether the builds may hold other records after it.
 */
export function explainDifference({ method, path }, answers) {
  const of = path ?? method;
  const whole = MEANT.find(({ isMeant }) => isMeant?.(answers, of));
  if (whole !== undefined) return { changes: [whole.what], isLast: true };
  const areSame = (changes) => {
    const [a, b] = answers.map((answer) =>
      changes.reduce((text, { level }) => level({ text, of }), answer),
    );
    return a === b;
  };
  const levelled = MEANT.filter(({ level }) => level !== undefined);
  if (!areSame(levelled)) return { changes: [], isLast: true };
  const changes = levelled.filter((one) => !areSame(levelled.filter((other) => other !== one)));
  return { changes: changes.map(({ what }) => what), isLast: false };
}

function isIn(a, b, text) {
  return a.includes(text) && !b.includes(text);
}

/** The query and the points of a cursor, without what holds identities. */
function levelCursor(cursor) {
  try {
    const [format, , ...parts] = JSON.parse(Buffer.from(cursor.slice(8), "base64url").toString());
    const points = parts.splice(5).slice(1);
    return `"cursor":${JSON.stringify([format, ...parts, ...points])}`;
  } catch {
    return `"cursor":"${cursor}"`;
  }
}

/** The JSON in an answer without members that are null, and with the others ordered by name. */
function levelMembers(text) {
  const start = text.search(/\{"(summaries|results)|\[\{"operation/);
  if (start < 0) return text;
  const level = (value) => {
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(level);
    const members = Object.entries(value).map(([key, part]) => [key, level(part)]);
    const kept = members.filter(([, part]) => part !== null && JSON.stringify(part) !== "{}");
    return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  return text.slice(0, start) + JSON.stringify(level(JSON.parse(text.slice(start))));
}

/** Changes without those that fill a new branch, and without what it was made from. */
function levelBranches(text) {
  if (!text.startsWith("[{")) return text;
  const made = new Set();
  const changes = JSON.parse(text).flatMap(({ from, ...change }) => {
    if (change.kind === "branch_created") made.add(change.branch);
    return change.kind === "table_created" && made.has(change.branch) ? [] : [change];
  });
  return JSON.stringify(changes);
}

/** Changes in the order of their tables and ids. */
function levelOrder(text) {
  if (!text.startsWith("[{")) return text;
  const placeOf = ({ branch = "", table = "", record, after }) =>
    JSON.stringify([branch, table, (record ?? after)?.id]);
  const changes = JSON.parse(text).map((change) => [placeOf(change), change]);
  return JSON.stringify(changes.sort(([a], [b]) => (a < b ? -1 : Number(a > b))));
}
