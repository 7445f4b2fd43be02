// The steps of a world: the calls, and requests by handles and over HTTP. Each returns its answer.
import { CALLS, createWorld, KINDS } from "./calls.mjs";
import {
  makeAggregate,
  makeFilter,
  makeOperation,
  makePage,
  makeQuery,
  makeRecord,
  makeReturned,
  makeSort,
  makeSummarize,
  makeValue,
} from "./generate.mjs";
import { spoil as spoilValue } from "./spoil.mjs";

/** Repetitions of a query with other constants: enough to build an index. */
const REPEATS = 70;
const NOT_REPEATED = new Set(["object", "json", "vector", "file", "file[]"]);
const BODIES = ["", "{", "[]", "null", '{"page":{"size":"5"}}', '{"filter":{}}x', "\u0000"];
const WORDS = ["text many", "a b", "texd", "s1 ab", "of many", ""];
const CURSORS = { after: 10, before: 5, start: 2, end: 2, range: 3, last: 1, odd: 1 };
const METHODS = { update: "PATCH", upsert: "POST", put: "PUT", delete: "DELETE", insert: "POST" };

/** An engine for programs with requests by handles and over HTTP. */
export function createAsked(api, engine, options) {
  const world = createWorld(api, engine, options);
  const send = async (method, path, text) => {
    const body = text === undefined || method === "GET" ? {} : { body: text };
    const response = await world.fetch(`http://x${path}`, { method, ...body });
    const answer = await response.text();
    const headers = Object.fromEntries(response.headers);
    const requestId = headers["x-request-id"] ?? "none";
    delete headers["x-request-id"];
    return { status: response.status, headers, text: answer.replaceAll(requestId, "(id)") };
  };
  const ask = (method, path, body) => world.send(method, path, body && JSON.stringify(body));
  const fetch = api.createFetch(engine, { workspace: "w", auth: "open" });
  return Object.assign(world, { profile: "documented", cursors: [], fetch, send, ask });
}

/** The tables of a place, for the generators of requests. */
export function schemaOf({ world, branch, names, name, columns }) {
  const tables = names.map((each) => ({
    name: each,
    columns: branch.table(each).schema().columns,
  }));
  const table = { name, columns };
  const { profile, isRepeatable } = world;
  return { world: { profile, isRepeatable, tables }, table };
}

function addressOf({ branch, name }, path) {
  return `/db/d:${branch.name}/tables/${encodeURIComponent(name)}/${path}`;
}

/** Often makes a value invalid, unless answers must be repeatable: it may become a random order. */
function spoil({ world, random }, value, probability = 0.2) {
  const isSpoilt = random.chance(probability) && !world.isRepeatable;
  return isSpoilt ? spoilValue(value, random) : value;
}

/** Sends a query, by the handle or over HTTP, and notes its cursor. */
async function query(place, request, probability) {
  const { world, branch, name, random } = place;
  const asked = spoil(place, request, probability);
  const note = ({ meta }) => world.cursors.push({ branch, name, cursor: meta.page.cursor });
  if (random.chance(0.6)) {
    const page = place.table.query(asked);
    note(page);
    return page;
  }
  const { status, text } = await world.ask("POST", addressOf(place, "query"), asked);
  if (status === 200) note(JSON.parse(text));
  return text;
}

function drawCursorPage({ world: { cursors }, random }) {
  const cursor = () => (random.chance(0.8) ? cursors.at(-1) : random.pick(cursors)).cursor;
  const kind = random.weighted(CURSORS);
  switch (kind) {
    case "after":
      return { after: cursor(), ...random.pick([{}, {}, {}, {}, {}, {}, { offset: 2 }]) };
    case "range":
      return { after: random.pick(cursors).cursor, before: cursor() };
    case "last":
      return random.pick([{ before: "end" }, { after: "end" }, { after: cursor(), before: "end" }]);
    case "odd":
      return { after: "x0", before: cursor() };
    default:
      return { [kind]: cursor() };
  }
}

export const REQUESTS = {
  ...CALLS,
  page: (place) => {
    const { world, table } = schemaOf(place);
    const { random } = place;
    return query(place, { ...makeQuery(world, random, table), page: makePage(random) });
  },
  next: (place) => {
    const { world, random } = place;
    if (world.cursors.length === 0) return undefined;
    const { branch, name } = world.cursors.at(-1);
    const at = Object.assign(Object.create(place), { branch, name });
    Object.defineProperty(at, "table", { get: () => branch.table(name) });
    const page = drawCursorPage(place);
    if (random.chance(0.15)) page.size = random.pick([1, 4, 20]);
    return query(at, { page, ...(random.chance(0.1) && { columns: ["id"] }) }, 0.08);
  },
  repeated: async (place) => {
    const { world, table } = schemaOf(place);
    const { random } = place;
    const column = random.pick(table.columns.filter(({ type }) => !NOT_REPEATED.has(type)));
    if (column === undefined) return undefined;
    const common = random.chance(0.5) ? {} : { sort: makeSort(world, random, table) };
    const answers = [];
    for (let time = 0; time < REPEATS; time++) {
      const filter = { [column.name]: makeValue(world, random, column) };
      answers.push(await query(place, { ...common, filter, page: { size: 5 } }, 0));
    }
    return answers;
  },
  count: (place) => {
    const { world, table } = schemaOf(place);
    return place.table.count(spoil(place, makeFilter(world, place.random, table)));
  },
  scan: (place) => {
    const { world, table } = schemaOf(place);
    return [...place.table.scan(makeQuery(world, place.random, table))];
  },
  get: (place) => {
    const { world, table } = schemaOf(place);
    return place.table.get(place.id(), makeReturned(world, place.random, table));
  },
  write: (place) => {
    const { world, table } = schemaOf(place);
    const { random } = place;
    const options = makeReturned(world, random, table);
    const record = spoil(place, makeRecord(world, random, table), 0.12) ?? {};
    const kind = random.pick([...Object.keys(METHODS), "update", "replace", "bulk"]);
    const id = kind === "insert" || kind === "bulk" ? "" : place.id();
    if (kind === "bulk" || (kind in METHODS && random.chance(0.4))) {
      const { columns } = options;
      const isPlain = columns?.every((column) => typeof column === "string");
      const returned = isPlain ? `?columns=${columns.map(encodeURIComponent).join(",")}` : "";
      const records = () => random.several(0, 30, () => makeRecord(world, random, table));
      const body = kind === "bulk" ? { records: [record, ...records()] } : record;
      const path = kind === "bulk" ? "bulk" : `data/${encodeURIComponent(id)}`.replace(/\/$/, "");
      const sent = kind === "delete" ? undefined : body;
      return place.world.ask(METHODS[kind] ?? "POST", addressOf(place, path + returned), sent);
    }
    if (kind === "insert") return place.table.insert(record, options);
    if (kind === "delete") return place.table.delete(id);
    if (random.chance(0.1)) options.ifVersion = random.below(3);
    return place.table[kind](id, record, options);
  },
  operations: (place) => {
    const { world } = schemaOf(place);
    const { random, branch } = place;
    const list = random.several(0, 5, () => makeOperation(world, random, place.id()));
    const asked = spoil(place, list, 0.25);
    if (random.chance(0.5)) return branch.transaction(asked);
    return place.world.ask("POST", `/db/d:${branch.name}/transaction`, { operations: asked });
  },
  aggregates: (place) => {
    const { world, table } = schemaOf(place);
    const { random } = place;
    const method = random.pick(["summarize", "aggregate"]);
    const make = method === "summarize" ? makeSummarize : makeAggregate;
    const asked = spoil(place, make(world, random, table));
    if (random.chance(0.6)) return place.table[method](asked);
    return place.world.ask("POST", addressOf(place, method), asked);
  },
  httpSchema: (place) => {
    const { world, random, newColumn, column } = place;
    const send = (method, path, body) => world.ask(method, addressOf(place, path), body);
    return random.pick([
      () => send("POST", "columns", spoil(place, newColumn())),
      () => send("PATCH", `columns/${encodeURIComponent(column)}`, { name: "renamed" }),
      () => send("GET", "schema"),
      () => send("GET", "columns"),
      () => world.ask("GET", random.pick(["/db/d:main", "/dbs/d", "/workspaces/w/dbs"])),
    ])();
  },
  wire: (place) => {
    const { world, random } = place;
    const path = random.pick(["query", "data", "nothing", "query?columns=id", "data?x=1"]);
    const method = random.pick(["POST", "GET", "PUT", "DELETE"]);
    return world.send(method, addressOf(place, path), random.pick(BODIES));
  },
  search: (place) => {
    const { world, table } = schemaOf(place);
    const { random } = place;
    const filter = random.chance(0.3) && { filter: makeFilter(world, random, table) };
    const prefix = random.pick(["phrase", "disabled"]);
    const asked = { query: random.pick(WORDS), prefix, ...filter, page: { size: 20 } };
    return place.api.searchTable(place.table, spoil(place, asked, 0.1));
  },
};

/** The calls that change schemas, catalogs and engines; but not those that empty an engine. */
export const SELDOM = [...KINDS.schema, ...KINDS.catalog, ...KINDS.whole].filter(
  (kind) => kind !== "reset" && kind !== "deleteTable",
);
