// Worlds and requests, mostly by the generators of the conformance kit: plain data, valid most of the time.
import { build } from "esbuild";

const SIZES = { 0: 1, 1: 1, 3: 2, 12: 8, 60: 10, 300: 8, 1500: 5, 5000: 3 };
const CALCULATED = ["sum", "average", "min", "max"];
const SORTABLE = ["bool", "int", "float", "string", "text", "email", "datetime"];

const kit = await loadKit();

/** The package doesn't export the generators: they are bundled from the sources. */
async function loadKit() {
  const files = ["cases", "domains", "filter", "paths", "query", "schema"];
  const { outputFiles } = await build({
    stdin: {
      contents: `export { sample } from "fast-check";
        ${files.map((file) => `export * from "./src/conformance/arbitraries/${file}.ts";`).join("\n")}`,
      resolveDir: new URL("../..", import.meta.url).pathname,
    },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
  });
  const code = Buffer.from(outputFiles[0].contents).toString("base64");
  return import(`data:text/javascript;base64,${code}`);
}

/** Generates a world without steps: `{ profile, indexes, seed, tables, records, size }`, all plain data. */
export function makeWorld(random, seed) {
  const profile = random.pick(["documented", "xata"]);
  const size = Number(random.weighted(SIZES));
  const [drawn] = kit.sample(kit.tablesArbitrary(), { seed, numRuns: 1 });
  const isUnique = random.chance(0.4);
  const tables = drawn.map(({ name, columns }) => ({
    name,
    columns: columns
      .filter(({ type }) => !type.startsWith("file")) // the engine stores none
      .map((column) =>
        column.type === "email" && isUnique ? { ...column, unique: true } : column,
      ),
  }));
  const makeRecords = (table, index) => {
    const count = index === 0 ? size : random.below(size + 1);
    const records = kit.makeManyRecords(profile, table, count, seedOf(random));
    return records.map((record, number) => vary(random, record, { number, size, isUnique }));
  };
  const records = Object.fromEntries(
    tables.map((table, index) => [table.name, makeRecords(table, index)]),
  );
  const indexes = random.weighted({ auto: 6, always: 3, never: 1 });
  return { profile, indexes, seed, tables, records, size };
}

/** Adds columns with many values, and a unique one: the generators use few values. */
function vary(random, record, { number, size, isUnique }) {
  const many = random.below(Math.max(4, Math.ceil(size / 4)));
  const varied = { ...record };
  if (typeof record["x-1"] === "number") varied["x-1"] = many;
  if (typeof record.body === "string") varied.body = `${record.body} ${many}`;
  if (typeof record.since === "string")
    varied.since = new Date(1.6e12 + many * 3.6e6).toISOString();
  if (typeof record.mail === "string" && isUnique) varied.mail = `m${number}@b.c`;
  return varied;
}

function seedOf(random) {
  return random.below(2 ** 31);
}

function schemaOf({ tables, profile }) {
  return { tables, base: profile, metadataColumn: profile === "xata" ? "xata" : "service" };
}

/** Generates a query without a page. */
export function makeQuery(world, random, table) {
  return {
    ...(random.chance(0.5) && { columns: makeColumns(world, random, table) }),
    ...(random.chance(0.75) && { filter: makeFilter(world, random, table) }),
    ...(random.chance(0.6) && { sort: makeSort(world, random, table) }),
  };
}

export function makePage(random) {
  return {
    ...(random.chance(0.7) && {
      size: random.pick([1, 2, 3, 5, 20, 50, 200, 201, 1000, 1001]),
    }),
    ...(random.chance(0.25) && {
      offset: random.pick([0, 1, 1, 2, 3, 30, 300, 800, 801, 49_000, 49_001]),
    }),
  };
}

function makeColumns(world, random, table) {
  const seeds = random.several(0, 4, () => seedOf(random));
  return kit.renderColumns(schemaOf(world), table, seeds);
}

export function makeSort(world, random, table) {
  const keys = random.several(1, 3, () => seedOf(random));
  const plan = { sort: { form: seedOf(random), keys } };
  const options = world.isRepeatable ? { random: false } : {};
  return kit.renderQuery(schemaOf(world), table, plan, options).sort;
}

export function makeFilter(world, random, table) {
  const plan = (levels) => {
    const isLeaf = levels === 0 || random.chance(0.6);
    const parts = isLeaf ? [] : random.several(1, 3, () => plan(levels - 1));
    return { seed: seedOf(random), parts };
  };
  return kit.renderFilter(schemaOf(world), kit.recordScope(table), plan(2));
}

/** Generates a path to a column of given types, through objects and links. */
function makePath(world, random, { table, types }) {
  const fits = ({ column }) => types.includes(column.type);
  const path = kit.walkTo(schemaOf(world), kit.recordScope(table), seedOf(random), fits);
  return path?.names.join(".") ?? "id";
}

export function makeSummarize(world, random, table) {
  const grouped = random.several(0, 2, () => makePath(world, random, { table, types: SORTABLE }));
  const number = makePath(world, random, { table, types: ["int", "float"] });
  return {
    columns: grouped,
    summaries: { all: { count: "*" }, figure: { [random.pick(CALCULATED)]: number } },
    ...(random.chance(0.4) && { filter: makeFilter(world, random, table) }),
    ...(random.chance(0.3) && { summariesFilter: { all: { $ge: random.below(4) } } }),
    ...(random.chance(0.5) && { sort: { all: random.pick(["asc", "desc"]) } }),
    ...(random.chance(0.3) && { page: { size: random.pick([1, 5, 100]) } }),
  };
}

export function makeAggregate(world, random, table) {
  const named = random.several(1, 3, (index) => [
    `a${index}`,
    makeAggregation(world, random, { table, depth: 1 }),
  ]);
  const filter = random.chance(0.4) && { filter: makeFilter(world, random, table) };
  return { aggs: Object.fromEntries(named), ...filter };
}

function makeAggregation(world, random, { table, depth }) {
  const of = (...types) => makePath(world, random, { table, types });
  const inner = depth > 0 &&
    random.chance(0.5) && { aggs: { in: makeAggregation(world, random, { table, depth: 0 }) } };
  return random.pick([
    () => ({ count: "*" }),
    () => ({ [random.pick(CALCULATED)]: { column: of("int", "float") } }),
    () => ({ uniqueCount: { column: of("string", "int", "email") } }),
    () => ({ percentiles: { column: of("int", "float"), percentiles: [0, 50, 99.9] } }),
    () => ({ topValues: { column: of("string", "int", "bool"), size: 3, ...inner } }),
    () => ({ numericHistogram: { column: of("int", "float"), interval: 2, ...inner } }),
    () => ({ dateHistogram: { column: of("datetime"), calendarInterval: "year", ...inner } }),
  ])();
}

/** Generates options of a write: the columns to return. */
export function makeReturned(world, random, table) {
  return random.chance(0.6) ? {} : { columns: makeColumns(world, random, table) };
}

/** Generates a record without an id. */
export function makePlainRecord(world, random, { columns }) {
  const { id: _, ...record } = kit.makeRecord(schemaOf(world), columns, seedOf(random));
  return record;
}

/** Generates a record without an id, sometimes with an operation on a number. */
export function makeRecord(world, random, table) {
  const record = makePlainRecord(world, random, table);
  if (!random.chance(0.1)) return record;
  const operator = random.pick(["$increment", "$decrement", "$multiply", "$divide"]);
  return { ...record, n: { [operator]: random.below(3) } };
}

/** An id that records of worlds have. */
export function makeId(random) {
  return random.pick(kit.RECORD_IDS);
}

/** Generates a valid value of a column. */
export function makeValue(world, random, column) {
  return kit.makeValue(schemaOf(world), column, seedOf(random));
}

export function makeOperation(world, random, id) {
  const table = random.pick(world.tables) ?? { name: "none", columns: [] };
  const returned = random.chance(0.4) ? makeReturned(world, random, table) : {};
  const fields = makeRecord(world, random, table);
  const own = random.chance(0.5) && { id };
  return random.pick([
    { insert: { table: table.name, record: { ...own, ...fields }, ...returned } },
    { update: { table: table.name, id, fields, upsert: random.chance(0.4), ...returned } },
    { delete: { table: table.name, id, failIfMissing: random.chance(0.2), ...returned } },
    { get: { table: table.name, id, ...returned } },
  ]);
}
