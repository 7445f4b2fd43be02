// Bodies of requests that the rules allow, most of the time; what they hold is plain data.
import { listPaths, makeId, makeValue, makeValues } from "./world.mjs";

const CALCULATED = ["sum", "average", "min", "max"];
const NO_ORDER = new Set(["multiple", "json", "vector", "object"]);
const TEXT_OPERATORS = [
  "$contains",
  "$startsWith",
  "$endsWith",
  "$iContains",
  "$pattern",
  "$iPattern",
];
const RANGES = ["$gt", "$ge", "$lt", "$le"];

/** A query without a page. */
export function makeQuery(world, random, table) {
  const query = {};
  if (random.chance(0.5)) query.columns = makeColumns(world, random, table);
  if (random.chance(0.75)) query.filter = makeFilter(world, random, table);
  if (random.chance(0.6)) query.sort = makeSort(world, random, table);
  return query;
}

export function makePage(random) {
  const page = {};
  if (random.chance(0.7)) page.size = random.pick([1, 2, 3, 5, 20, 50, 200, 201, 1000, 1001]);
  if (random.chance(0.25))
    page.offset = random.pick([0, 1, 1, 2, 3, 30, 300, 800, 801, 49_000, 49_001]);
  return page;
}

function makeColumns(world, random, table) {
  const paths = listPaths(world, table);
  if (paths.length === 0 || random.chance(0.1)) return [];
  const columns = random.some(
    paths.map(({ path, column }) =>
      (column.type === "link" || column.type === "object") && random.chance(0.4)
        ? `${path}.*`
        : path,
    ),
    4,
  );
  if (random.chance(0.15)) columns.push("*");
  if (random.chance(0.2)) columns.push(...makeReverse(world, random, table));
  return columns;
}

/** The records that link to these (rule P-11), where there is such a link. */
function makeReverse(world, random, table) {
  const links = world.tables.flatMap(({ name, columns }) =>
    columns.filter(({ link }) => link?.table === table).map((column) => `<-${name}.${column.name}`),
  );
  if (links.length === 0) return [];
  const name = random.pick(links);
  const reverse = { name, as: "back" };
  if (random.chance(0.5)) reverse.limit = random.pick([1, 2, 10]);
  if (random.chance(0.3)) reverse.offset = 1;
  if (random.chance(0.5)) reverse.sort = makeSort(world, random, name.slice(2).split(".")[0]);
  return [reverse];
}

export function makeSort(world, random, table) {
  const paths = listPaths(world, table).filter(({ column }) => !NO_ORDER.has(column.type));
  if (paths.length === 0) return { id: "desc" };
  const keys = random.some(paths, 3).map(({ path }) => [path, random.chance(0.5) ? "asc" : "desc"]);
  if (random.chance(0.12)) keys.splice(random.below(2), keys.length, ["*", "random"]);
  if (random.chance(0.6)) return Object.fromEntries(keys);
  return keys.map(([path, way]) => (way === "asc" && random.chance(0.5) ? path : { [path]: way }));
}

export function makeFilter(world, random, table, depth = 2) {
  const paths = listPaths(world, table);
  const condition = () => {
    if (paths.length === 0) return { id: "r1" };
    const { path, column } = random.pick(paths);
    return { [path]: makePredicate(world, random, column) };
  };
  const parts = random.several(1, random.chance(0.3) ? 3 : 1, () => {
    if (depth === 0 || random.chance(0.7)) return condition();
    if (random.chance(0.2))
      return { [random.pick(["$exists", "$notExists"])]: random.pick(paths)?.path };
    const inner = () => makeFilter(world, random, table, depth - 1);
    const body = random.chance(0.6) ? random.several(0, 3, inner) : inner();
    return { [random.pick(["$all", "$any", "$not", "$none"])]: body };
  });
  return Object.assign({}, ...parts);
}

function makePredicate(world, random, column) {
  const value = () => makeLiteral(world, random, column);
  const kinds = { plain: 5, is: 2, isNot: 3, list: 3, null: 1, not: 2 };
  if (isText(column)) kinds.text = 8;
  if (["int", "float", "datetime"].includes(column.type)) kinds.range = 8;
  if (column.type === "multiple") kinds.includes = 10;
  if (column.type === "vector") return random.pick([null, { $isNot: null }]);
  switch (random.weighted(kinds)) {
    case "plain":
      return column.type === "object" || column.type === "json" ? { $is: value() } : value();
    case "is":
      return { $is: value() };
    case "isNot":
      return { $isNot: value() };
    case "list":
      return { [random.pick(["$any", "$none", "$is"])]: random.several(0, 4, value) };
    case "null":
      return random.pick([null, { $isNot: null }]);
    case "not":
      return { $not: makePredicate(world, random, column) };
    case "text":
      return {
        [random.pick(TEXT_OPERATORS)]: random.pick(["a", "", "A", "*b*", "?", "a*", "～", "1"]),
      };
    case "range":
      return Object.fromEntries(random.some(RANGES, 2).map((operator) => [operator, value()]));
    default:
      return {
        [random.pick(["$includes", "$includesAny", "$includesAll", "$includesNone"])]: random.pick([
          "a",
          ["a", "b"],
          { $startsWith: "～" },
          [],
        ]),
      };
  }
}

function makeLiteral(world, random, column) {
  if (column.type === "id") return makeId(random, world.size);
  const value = makeValue(random, column, world.size);
  return column.type === "json" && world.profile === "xata" ? JSON.stringify(value) : value;
}

function isText({ type }) {
  return type === "id" || type === "string" || type === "text" || type === "email";
}

export function makeSummarize(world, random, table) {
  const paths = listPaths(world, table, 1);
  const grouped = random
    .some(
      paths.filter(({ column }) => !NO_ORDER.has(column.type)),
      2,
    )
    .map(({ path }) => path);
  const numbers = paths.filter(({ column }) => column.type === "int" || column.type === "float");
  const summaries = { all: { count: "*" } };
  if (numbers.length > 0) {
    summaries.figure = { [random.pick(CALCULATED)]: random.pick(numbers).path };
  }
  const request = { columns: random.chance(0.8) ? grouped : [], summaries };
  if (random.chance(0.4)) request.filter = makeFilter(world, random, table, 1);
  if (random.chance(0.3)) request.summariesFilter = { all: { $ge: random.below(4) } };
  if (random.chance(0.5)) request.sort = { all: random.pick(["asc", "desc"]) };
  if (random.chance(0.3)) request.page = { size: random.pick([1, 5, 100]) };
  return request;
}

export function makeAggregate(world, random, table) {
  const paths = listPaths(world, table, 1);
  const aggs = Object.fromEntries(
    random.several(1, 3, (index) => [`a${index}`, makeAggregation(random, paths, 1)]),
  );
  const request = { aggs };
  if (random.chance(0.4)) request.filter = makeFilter(world, random, table, 1);
  return request;
}

function makeAggregation(random, paths, depth) {
  const of = (...types) =>
    random.pick(paths.filter(({ column }) => types.includes(column.type)))?.path;
  const number = of("int", "float") ?? "n";
  const inner =
    depth > 0 && random.chance(0.5)
      ? { aggs: { in: makeAggregation(random, paths, depth - 1) } }
      : {};
  switch (random.below(7)) {
    case 0:
      return { count: "*" };
    case 1:
      return { [random.pick(CALCULATED)]: { column: number } };
    case 2:
      return { uniqueCount: { column: of("string", "int", "email") ?? "n" } };
    case 3:
      return { percentiles: { column: number, percentiles: [0, 50, 99.9] } };
    case 4:
      return { topValues: { column: of("string", "int", "bool") ?? "n", size: 3, ...inner } };
    case 5:
      return { numericHistogram: { column: "n", interval: 2, ...inner } };
    default:
      return {
        dateHistogram: { column: of("datetime") ?? "n", calendarInterval: "year", ...inner },
      };
  }
}

/** Columns for what a write gives back. */
export function makeReturned(world, random, table) {
  return random.chance(0.6) ? {} : { columns: makeColumns(world, random, table) };
}

/** A record to write, now and then with a number operation, a dotted key or the metadata. */
export function makeRecord(world, random, table) {
  const columns = world.tables.find(({ name }) => name === table)?.columns ?? [];
  const record = makeValues(random, columns, world.size);
  if (random.chance(0.1)) {
    record.n = {
      [random.pick(["$increment", "$decrement", "$multiply", "$divide"])]: random.below(3),
    };
  }
  if (random.chance(0.05)) record.service = { version: 3 };
  for (const column of columns) {
    if (column.type !== "object" || !random.chance(0.2)) continue;
    delete record[column.name];
    const [sub] = column.columns;
    record[`${column.name}.${sub.name}`] = makeValue(random, sub, world.size);
  }
  return record;
}

export function makeOperation(world, random) {
  const table = random.pick(world.tables)?.name ?? "teams";
  const id = makeId(random, world.size);
  const more = random.chance(0.4) ? makeReturned(world, random, table) : {};
  switch (random.below(4)) {
    case 0: {
      const record = makeRecord(world, random, table);
      return {
        insert: { table, record: random.chance(0.5) ? { id, ...record } : record, ...more },
      };
    }
    case 1: {
      const fields = makeRecord(world, random, table);
      return {
        update: { table, id, fields, ...(random.chance(0.4) ? { upsert: true } : {}), ...more },
      };
    }
    case 2:
      return {
        delete: { table, id, ...(random.chance(0.2) ? { failIfMissing: true } : {}), ...more },
      };
    default:
      return { get: { table, id, ...more } };
  }
}

const JUNK = [
  null,
  true,
  0,
  -1,
  1.5,
  1e9,
  "",
  "x",
  "end",
  [],
  {},
  ["x"],
  { $is: 1 },
  { x: { y: 1 } },
];

/** The same with something wrong in it, most likely: a key, a value, or one of too much. */
export function spoil(random, value) {
  const places = [];
  collect(value, (holder, key) => places.push({ holder, key }));
  if (places.length === 0) return random.pick(JUNK);
  const { holder, key } = random.pick(places);
  switch (random.below(4)) {
    case 0:
      holder[key] = structuredClone(random.pick(JUNK));
      break;
    case 1:
      if (!Array.isArray(holder)) {
        holder[`${key}${random.pick(["s", ".x", "x", ".*", ":y"])}`] = holder[key];
        delete holder[key];
        break;
      }
      holder.push(structuredClone(random.pick(JUNK)));
      break;
    case 2:
      if (Array.isArray(holder)) holder.splice(key, 1);
      else delete holder[key];
      break;
    default:
      if (Array.isArray(holder)) holder.push(holder[key]);
      else holder[random.pick(["$foo", "pages", "__proto__x", "$gt", "id"])] = holder[key];
  }
  return value;
}

function collect(value, tell) {
  if (typeof value !== "object" || value === null) return;
  for (const key of Object.keys(value)) {
    tell(value, key);
    collect(value[key], tell);
  }
}
