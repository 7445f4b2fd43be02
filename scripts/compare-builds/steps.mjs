// The requests of one world, in order, as plain data: calls of handles and requests over HTTP.
// `{ $cursorOf: n }` stands for the cursor in the answer to step n.
import { spoil as spoilValue } from "../attack/bad-requests.mjs";
import {
  makeAggregate,
  makeColumn,
  makeFilter,
  makeId,
  makeOperation,
  makePage,
  makeQuery,
  makeRecord,
  makeReturned,
  makeSort,
  makeSummarize,
  makeValue,
} from "./generate.mjs";

const KINDS = {
  page: 22,
  walk: 8,
  repeated: 3,
  count: 6,
  scan: 3,
  read: 5,
  write: 26,
  transaction: 5,
  aggregates: 8,
  schema: 4,
  catalog: 3,
  whole: 4,
  wire: 3,
};
/** Repetitions of a query with other constants: enough to build an index. */
const REPEATS = 70;
const NOT_REPEATED = new Set(["object", "json", "vector", "file", "file[]"]);

/** Generates at least `count` steps for a world, with unique ids. */
export function makeSteps(first, random, count) {
  const world = structuredClone(first); // its columns change with the steps
  const steps = [];
  const add = (step) => steps.push({ id: steps.length, ...step }) - 1;
  while (steps.length < count) MAKERS[random.weighted(KINDS)]({ world, random, add });
  add(callOf("engine", "changes"));
  if (world.size <= 300) add(callOf("engine", "export"));
  return steps;
}

const MAKERS = {
  page({ world, random, add }) {
    const table = pickTable(world, random);
    const request = { ...makeQuery(world, random, table), page: makePage(random) };
    addQuery({ random, add, table }, random.chance(0.25) ? spoil(random, request) : request);
  },

  walk({ world, random, add }) {
    const table = random.pick(world.tables);
    const request = { ...makeQuery(world, random, table), page: makePage(random) };
    if (random.chance(0.4)) delete request.filter;
    const cursors = [addQuery({ random, add, table }, request)];
    for (let rest = 1 + random.below(6); rest > 0; rest--) {
      if (random.chance(0.3)) addWrite({ world, random, add });
      const page = makeCursorPage(random, cursors);
      const next = { page };
      if (random.chance(0.15)) next.page.size = random.pick([1, 4, 20]);
      if (random.chance(0.1)) next.columns = ["id"];
      if (random.chance(0.04)) next.sort = makeSort(world, random, table);
      if (random.chance(0.08)) addQuery({ random, add, table }, spoil(random, next));
      else cursors.push(addQuery({ random, add, table }, next));
    }
  },

  repeated({ world, random, add }) {
    const table = pickTable(world, random);
    const column = random.pick(table.columns.filter(({ type }) => !NOT_REPEATED.has(type)));
    if (column === undefined) return;
    const query = random.chance(0.5) ? {} : { sort: makeSort(world, random, table) };
    for (let time = 0; time < REPEATS; time++) {
      const filter = { [column.name]: makeValue(world, random, column) };
      addQuery({ random, add, table }, { ...query, filter, page: { size: 5 } });
      if (time % 10 === 0 && random.chance(0.5)) addWrite({ world, random, add });
    }
  },

  count({ world, random, add }) {
    const table = pickTable(world, random);
    const filter = makeFilter(world, random, table);
    add(
      callOf("table", "count", [random.chance(0.2) ? spoil(random, filter) : filter], table.name),
    );
  },

  scan({ world, random, add }) {
    const table = pickTable(world, random);
    add(callOf("table", "scan", [makeQuery(world, random, table)], table.name));
  },

  read({ world, random, add }) {
    const table = pickTable(world, random);
    const options = makeReturned(world, random, table);
    add(callOf("table", "get", [makeId(world, random), options], table.name));
  },

  write: addWrite,

  transaction({ world, random, add }) {
    const operations = random.several(0, 5, () => makeOperation(world, random));
    const asked = random.chance(0.25) ? spoil(random, operations) : operations;
    if (random.chance(0.5)) add(callOf("branch", "transaction", [asked]));
    else add(overHttp("POST", "/db/shop:main/transaction", { operations: asked }));
  },

  aggregates({ world, random, add }) {
    const table = pickTable(world, random);
    const method = random.pick(["summarize", "aggregate"]);
    const make = method === "summarize" ? makeSummarize : makeAggregate;
    const request = make(world, random, table);
    const asked = random.chance(0.2) ? spoil(random, request) : request;
    if (random.chance(0.6)) add(callOf("table", method, [asked], table.name));
    else add(overHttp("POST", `${addressOf(table)}/${method}`, asked));
  },

  schema({ world, random, add }) {
    const table = random.pick(world.tables);
    const column = random.pick(table.columns);
    switch (random.below(5)) {
      case 0: {
        const made = makeColumn(random, `c${random.below(12)}`);
        if (random.chance(0.15)) made.notNull = true;
        if (random.chance(0.15)) made.unique = true;
        const asked = random.chance(0.2) ? spoil(random, made) : made;
        if (random.chance(0.5)) add(callOf("table", "addColumn", [asked], table.name));
        else add(overHttp("POST", `${addressOf(table)}/columns`, asked));
        if (!table.columns.some(({ name }) => name === made.name)) table.columns.push(made);
        return;
      }
      case 1: {
        if (column === undefined) return;
        const name = `c${random.below(12)}`;
        add(callOf("table", "renameColumn", [column.name, name], table.name));
        if (!table.columns.some((each) => each.name === name)) column.name = name;
        return;
      }
      case 2:
        if (column === undefined || table.columns.length < 3) return;
        add(callOf("table", "removeColumn", [column.name], table.name));
        table.columns = table.columns.filter((each) => each !== column);
        return;
      case 3: {
        const columns = table.columns.filter(() => random.chance(0.8)).reverse();
        if (columns.length < 2) return;
        if (random.chance(0.5)) add(callOf("table", "setSchema", [{ columns }], table.name));
        else add(overHttp("PUT", `${addressOf(table)}/schema`, { columns }));
        table.columns = columns;
        return;
      }
      default:
        add(overHttp("GET", `${addressOf(table)}/${random.pick(["schema", "columns"])}`));
    }
  },

  catalog({ world, random, add }) {
    const table = pickTable(world, random);
    const name = random.pick(["people", "Teams", "more", "a b"]);
    switch (random.below(6)) {
      case 0:
        add(callOf("branch", "createTable", [name, [{ name: "name", type: "string" }]]));
        return;
      case 1: {
        add(callOf("branch", "renameTable", [table.name, name]));
        const isTaken = world.tables.some((each) => each.name === name);
        if (!isTaken && name !== "a b") table.name = name;
        return;
      }
      case 2:
        if (random.chance(0.3)) add(overHttp("DELETE", addressOf(table)));
        return;
      case 3:
        add(overHttp("PUT", `/db/shop:${random.pick(["main", "feature"])}`, { from: "main" }));
        return;
      case 4:
        add(callOf("branch", "tables", []));
        return;
      default:
        add(overHttp("GET", random.pick(["/db/shop:main", "/dbs/shop", "/workspaces/acme/dbs"])));
    }
  },

  whole({ random, add }) {
    const method = random.pick(["snapshot", "restore", "advance", "fork", "changes"]);
    add(callOf("engine", method, method === "advance" ? [random.pick([0, 1, 500, 90_000])] : []));
  },

  wire({ world, random, add }) {
    const path = `${addressOf(pickTable(world, random))}/${random.pick(["query", "data", "nothing"])}`;
    const method = random.pick(["POST", "GET", "PUT", "DELETE"]);
    const text = random.pick([
      "",
      "{",
      "[]",
      "null",
      '{"page":{"size":"5"}}',
      '{"filter":{}}x',
      "\u0000",
    ]);
    add({ kind: "http", method, path: `${path}${random.pick(["", "?columns=id", "?x=1"])}`, text });
  },
};

function addQuery({ random, add, table }, request) {
  if (random.chance(0.6)) return add(callOf("table", "query", [request], table.name));
  return add(overHttp("POST", `${addressOf(table)}/query`, request));
}

function makeCursorPage(random, cursors) {
  const cursor = () => ({ $cursorOf: random.chance(0.8) ? cursors.at(-1) : random.pick(cursors) });
  switch (random.weighted({ after: 10, before: 5, start: 2, end: 2, range: 3, last: 1, odd: 1 })) {
    case "after":
      return random.chance(0.15) ? { after: cursor(), offset: 2 } : { after: cursor() };
    case "before":
      return { before: cursor() };
    case "start":
      return { start: cursor() };
    case "end":
      return { end: cursor() };
    case "range":
      return { after: { $cursorOf: random.pick(cursors) }, before: cursor() };
    case "last":
      return random.pick([{ before: "end" }, { after: "end" }, { after: cursor(), before: "end" }]);
    default:
      return { after: "x0", before: cursor() };
  }
}

function addWrite({ world, random, add }) {
  const table = pickTable(world, random);
  const id = makeId(world, random);
  const options = makeReturned(world, random, table);
  if (random.chance(0.1)) options.ifVersion = random.below(3);
  let record = makeRecord(world, random, table);
  if (random.chance(0.12)) record = spoil(random, record) ?? {};
  const { columns } = options;
  const query = columns?.every((column) => typeof column === "string")
    ? `?columns=${columns.map(encodeURIComponent).join(",")}`
    : "";
  const address = `${addressOf(table)}/data`;
  const own = `${address}/${encodeURIComponent(id)}${query}`;
  const viaHttp = random.chance(0.4);
  const kind = random.pick([
    "insert",
    "batch",
    "update",
    "update",
    "replace",
    "upsert",
    "put",
    "delete",
  ]);
  switch (kind) {
    case "insert":
      if (viaHttp) add(overHttp("POST", `${address}${query}`, record));
      else add(callOf("table", "insert", [record, columns ? { columns } : {}], table.name));
      return;
    case "batch": {
      const records = random.several(0, 4, () => makeRecord(world, random, table));
      if (viaHttp) add(overHttp("POST", `${addressOf(table)}/bulk${query}`, { records }));
      else add(callOf("table", random.pick(["insert", "load"]), [records], table.name));
      return;
    }
    case "delete":
      if (viaHttp) add(overHttp("DELETE", own));
      else add(callOf("table", "delete", [id], table.name));
      return;
    default:
      if (viaHttp && kind !== "replace") {
        add(overHttp({ update: "PATCH", upsert: "POST", put: "PUT" }[kind], own, record));
      } else add(callOf("table", kind, [id, record, options], table.name));
  }
}

function pickTable(world, random) {
  const table = random.pick(world.tables);
  return random.chance(0.02) ? { ...table, name: "tabels" } : table;
}

/** Usually makes a value invalid. */
function spoil(random, value) {
  return spoilValue(value, random.pick, () => random.below(2 ** 32));
}

function addressOf({ name }) {
  return `/db/shop:main/tables/${encodeURIComponent(name)}`;
}

function callOf(of, method, args = [], table = undefined) {
  return { kind: "call", of, method, args, ...(table === undefined ? {} : { table }) };
}

function overHttp(method, path, body = undefined) {
  return { kind: "http", method, path, ...(body === undefined ? {} : { body }) };
}
