import type { EngineContext } from "../../../src/engine/context.js";
import type { LinkColumn } from "../../../src/schema/columns.js";
import { EXTENSION_BUGS } from "./extension-bugs.js";
import {
  type Bugs,
  type Call,
  changeAnswers,
  changeRequests,
  type Handler,
  isPost,
  type Planted,
  type Reply,
  type Wrap,
} from "./wrap.js";

/** A bug, and the rules by one of which the kit has to find it. */
export interface PlantedBug extends Planted {
  readonly name: string;
  readonly rules: readonly string[];
}

// biome-ignore lint/suspicious/noExplicitAny: filters and records of any shape
type Any = any;

const isQuery = (call: Call): boolean => isPost(call, "/query");
const isData = ({ path }: Call): boolean => /\/data(\/|$)/.test(path);
const isDatabase = ({ path }: Call): boolean => /^\/workspaces\/[^/]+\/dbs\/[^/]+$/.test(path);
const isObject = (value: Any): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Changes the bodies of queries. */
const query = (change: (body: Any, call: Call) => Any): Wrap => changeRequests("/query", change);

/** Changes the nodes of filters, bottom-up. */
const filter = (change: (node: Any) => Any): Wrap =>
  query((body) =>
    body.filter === undefined ? body : { ...body, filter: walk(body.filter, change) },
  );

function walk(node: Any, change: (node: Any) => Any): Any {
  if (Array.isArray(node)) return node.map((member) => walk(member, change));
  if (!isObject(node)) return node;
  const entries = Object.entries(node).map(([key, value]) => [key, walk(value, change)]);
  return change(Object.fromEntries(entries));
}

/** Renames an operator. */
const operator = (from: string, to: string): Wrap => filter((node) => rename(node, from, to));

function rename(node: Any, from: string, to: string): Any {
  if (!Object.hasOwn(node, from)) return node;
  const { [from]: operand, ...rest } = node;
  return { ...rest, [to]: operand };
}

/** Changes the answers to queries. */
const answer = (change: (body: Any, call: Call) => Any): Wrap => changeAnswers("/query", change);

/** Changes each record of an answer to a query. */
const record = (change: (record: Any, call: Call) => Any): Wrap =>
  answer((body, call) => ({
    ...body,
    records: body.records.map((each: Any) => change(each, call)),
  }));

/** Changes the keys of `page` in queries. */
const page = (change: (page: Any, body: Any) => Any): Wrap =>
  query((body) => (body.page === undefined ? body : { ...body, page: change(body.page, body) }));

/** Replaces the refusals of some requests. */
const forgive =
  (
    when: (call: Call, reply: Reply) => boolean,
    how: (call: Call, next: Handler) => Promise<Reply>,
  ): Wrap =>
  (next) =>
  async (call) => {
    const reply = await next(call);
    return reply.status >= 400 && when(call, reply) ? how(call, next) : reply;
  };

const EMPTY_PAGE: Reply = {
  status: 200,
  body: { records: [], meta: { page: { cursor: "AAAA", more: false, size: 20 } } },
};

/** Sorts the first pages of sorted queries again. */
const reorder =
  (compare: (a: Any, b: Any, keys: [string, string][]) => number): Wrap =>
  (next) =>
  async (call) => {
    const body = call.body ?? {};
    const { size = 20, offset = 0, ...cursors } = body.page ?? {};
    const plain = Object.keys(cursors).length === 0 && Number.isInteger(size) && size > 0;
    if (!isQuery(call) || body.sort === undefined || !plain) return next(call);
    const reply = await next({ ...call, body: { ...body, page: { size: 200 } } });
    const keys: [string, string][] = [body.sort].flat().flatMap((key: Any) => Object.entries(key));
    if (reply.status !== 200 || keys.some(([path]) => path === "*")) return next(call);
    const records = [...reply.body.records].sort((a, b) => compare(a, b, keys));
    const taken = records.slice(offset, offset + size);
    const meta = { page: { ...reply.body.meta.page, more: records.length > offset + size, size } };
    return { ...reply, body: { records: taken, meta } };
  };

function at(record: Any, path: string): Any {
  return path.split(".").reduce((value, key) => value?.[key], record);
}

function sign(direction: string): 1 | -1 {
  return direction === "desc" ? -1 : 1;
}

/** Orders values of a type by the UTF-16 units of a text. */
const reorderBy = (type: "string" | "number", textOf: (value: Any) => string): Wrap =>
  reorder((a, b, [[path = "id", direction = ""] = []]) => {
    const [x, y] = [at(a, path), at(b, path)];
    if (typeof x !== type || typeof y !== type) return 0;
    const [one, other] = [textOf(x), textOf(y)];
    return sign(direction) * (one < other ? -1 : one > other ? 1 : 0);
  });

/** Stores the record ids of each page. */
const withMemory =
  (
    handle: (
      call: Call,
      next: Handler,
      pages: Map<string, { body: Any; ids: string[] }>,
    ) => Promise<Reply>,
  ): Wrap =>
  (next) => {
    const pages = new Map<string, { body: Any; ids: string[] }>();
    return async (call) => {
      const reply = await handle(call, next, pages);
      if (isQuery(call) && reply.status === 200) {
        const ids = reply.body.records.map(({ id }: Any) => id);
        const { after, before, start, end } = call.body?.page ?? {};
        const origin = pages.get(after ?? before ?? start ?? end)?.body ?? {};
        pages.set(reply.body.meta.page.cursor, { body: { ...origin, ...call.body }, ids });
      }
      return reply;
    };
  };

const FILTER_BUGS: Bugs = {
  "F-11, T-4: ? matches a UTF-16 unit": filter((node) =>
    String(node.$pattern).includes("?")
      ? { $all: [node, { $not: { $contains: "\u{1F600}" } }] }
      : node,
  ),
  "F-11: ? matches one character or none": filter((node) =>
    typeof node.$pattern === "string"
      ? { ...node, $pattern: node.$pattern.replace(/(?<!\\)\?$/, "*") }
      : node,
  ),
  "F-11: a backslash in a pattern escapes nothing": filter((node) =>
    typeof node.$pattern === "string"
      ? { ...node, $pattern: node.$pattern.replace(/\\([*?])/g, "$1") }
      : node,
  ),
  "F-11: a pattern may match a part": filter((node) =>
    typeof node.$pattern === "string" ? { ...node, $pattern: `*${node.$pattern}*` } : node,
  ),
  "F-10: $contains ignores case": operator("$contains", "$iContains"),
  "F-10: $startsWith is $contains": operator("$startsWith", "$contains"),
  "F-10: $endsWith is $startsWith": operator("$endsWith", "$startsWith"),
  "F-13, F-14: $includesAll is false on an empty list": filter((node) =>
    Object.hasOwn(node, "$includesAll") ? { ...node, $includesAny: { $contains: "" } } : node,
  ),
  "F-14: $includesNone is false on null": filter((node) =>
    Object.hasOwn(node, "$includesNone") ? { ...node, $isNot: null } : node,
  ),
  "F-13: $includesAll matches any item": operator("$includesAll", "$includesAny"),
  "F-12: $ge excludes the bound": operator("$ge", "$gt"),
  "F-12: $lt includes the bound": operator("$lt", "$le"),
  "F-12, F-9: only the last of several bounds counts": filter((node) =>
    Object.hasOwn(node, "$ge") && Object.hasOwn(node, "$lt") ? { $lt: node.$lt } : node,
  ),
  "F-2: $any of nothing is true": filter((node) =>
    Array.isArray(node.$any) && node.$any.length === 0 ? rename(node, "$any", "$all") : node,
  ),
  "F-2: $all of nothing is false": filter((node) =>
    Array.isArray(node.$all) && node.$all.length === 0 ? rename(node, "$all", "$any") : node,
  ),
  "F-2: $any over an object requires all of its keys": filter((node) =>
    isObject(node.$any) ? rename(node, "$any", "$all") : node,
  ),
  "F-2: $any flattens the keys of its members": filter((node) =>
    Array.isArray(node.$any) && node.$any.every(isObject)
      ? {
          ...node,
          $any: node.$any.flatMap((member: Any) =>
            Object.entries(member).map(([key, value]) => ({ [key]: value })),
          ),
        }
      : node,
  ),
  "F-3: $not negates each key by itself": filter((node) => {
    if (!isObject(node.$not) || Object.keys(node.$not).length < 2) return node;
    const { $not, ...rest } = node;
    return {
      ...rest,
      $all: Object.entries($not).map(([key, value]) => ({ $not: { [key]: value } })),
    };
  }),
  "F-3: $none is $not of $all": filter((node) =>
    Array.isArray(node.$none) ? { ...rename(node, "$none", "$not") } : node,
  ),
  "F-30: negations do not match null": {
    wrap: (next) => next,
    engineProfile: { base: "documented", nullComparison: "sql" },
  },
  "F-4, T-14: $exists of an object tests one sub-column": filter((node) =>
    node.$exists === "place" ? { ...node, $exists: "place.city" } : node,
  ),
  "F-5, F-15: a plain null matches nothing": filter((node) =>
    node.age === null ? { ...node, age: { $any: [] } } : node,
  ),
  "T-7, F-8, F-12: offsets of datetimes are ignored": filter((node) =>
    Object.fromEntries(
      Object.entries(node).map(([key, value]) => [
        key,
        typeof value === "string" ? value.replace(/^(\d{4}-.*)[+-]\d\d:\d\d$/, "$1Z") : value,
      ]),
    ),
  ),
  "F-6, F-7: nested filters use their first key only": filter((node) =>
    isObject(node.place)
      ? { ...node, place: Object.fromEntries(Object.entries(node.place).slice(0, 1)) }
      : node,
  ),
  "F-16, P-9: an unknown column in a filter matches nothing": forgive(
    (call, { body }) =>
      isQuery(call) && body?.code === "unknown_column" && call.body?.filter !== undefined,
    async () => EMPTY_PAGE,
  ),
  "F-16: a literal of another type matches nothing": forgive(
    (call, { body }) => isQuery(call) && body?.code === "invalid_filter",
    async () => EMPTY_PAGE,
  ),
  "F-8, T-9, F-6: a link is compared with the linked record": filter((node) =>
    typeof node.team === "string" ? { ...node, $exists: "team.name" } : node,
  ),
};

const SORT_BUGS: Bugs = {
  "S-3: null is least": reorder((a, b, [[path = "id", direction = ""] = []]) => {
    const order = Number(at(b, path) === undefined) - Number(at(a, path) === undefined);
    return direction === "desc" ? -order : order;
  }),
  "S-3: nulls last when descending": reorder((a, b, [[path = "id", direction = ""] = []]) =>
    direction === "desc"
      ? Number(at(a, path) === undefined) - Number(at(b, path) === undefined)
      : 0,
  ),
  "S-1: the second key is ignored": query((body) =>
    Array.isArray(body.sort) && body.page === undefined
      ? { ...body, sort: body.sort.slice(0, 1) }
      : body,
  ),
  "S-5: ties of a descending sort are ordered by descending id": query((body) => {
    const [last] = [body.sort ?? []].flat().slice(-1);
    return isObject(last) && Object.values(last)[0] === "desc" && !Object.hasOwn(last, "id")
      ? { ...body, sort: [...[body.sort].flat(), { id: "desc" }] }
      : body;
  }),
  "S-3, T-4: text sorts without regard to case": reorderBy("string", (text) => text.toLowerCase()),
  "S-3, T-4: text sorts by UTF-16 units": reorderBy("string", (text) => text),
  "S-3: numbers sort as text": reorderBy("number", String),
  "S-4: a random order loses a record": answer((body, call) =>
    JSON.stringify(call.body?.sort ?? "").includes('"*"')
      ? { ...body, records: body.records.slice(1) }
      : body,
  ),
  "S-2: an unknown direction is ascending": forgive(
    (call, { body }) => isQuery(call) && body?.code === "invalid_sort",
    async () => EMPTY_PAGE,
  ),
};

/** A record with only the ids of the records that it links to. */
const withLinkIds = (record: Any): Any =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]: [string, Any]) => [
      name,
      isObject(value) && "id" in value ? { id: value.id } : value,
    ]),
  );

const PAGE_BUGS: Bugs = {
  "P-6, G-4: a bare link is an id on later pages": {
    profile: "xata",
    wrap: (next) => async (call) => {
      const reply = await next(call);
      const isLater = isQuery(call) && reply.status === 200 && call.body?.page?.after !== undefined;
      if (!isLater || call.body.columns !== undefined) return reply;
      return { ...reply, body: { ...reply.body, records: reply.body.records.map(withLinkIds) } };
    },
  },
  "G-2: more is true for every full page": answer((body) => {
    body.meta.page.more = body.records.length === body.meta.page.size;
    return body;
  }),
  "G-2: more is false before a last single record": (next) => async (call) => {
    const reply = await next(call);
    if (!isQuery(call) || reply.status !== 200 || !reply.body.meta.page.more) return reply;
    const key = call.body?.page?.before ? "before" : "after";
    const rest = await next({
      ...call,
      body: { page: { [key]: reply.body.meta.page.cursor, size: 2 } },
    });
    if (rest.body.records?.length === 1) reply.body.meta.page.more = false;
    return reply;
  },
  "G-5, G-2, G-11: an offset before a cursor is one too large": page((given) =>
    given.before && given.offset ? { ...given, offset: given.offset + 1 } : given,
  ),
  "G-5, G-11: an offset is ignored after a cursor": page((given) =>
    given.after && given.offset ? { ...given, offset: 0 } : given,
  ),
  "G-4, G-5, G-12: a cursor loses its filter": withMemory(async (call, next, pages) => {
    const held = pages.get(call.body?.page?.after);
    if (!isQuery(call) || held?.body.filter === undefined) return next(call);
    const { filter: _, page: __, ...rest } = held.body;
    const size = call.body.page.size ?? held.body.page?.size ?? 20;
    const all = await next({ ...call, body: { ...rest, page: { size: 200 } } });
    if (all.status !== 200) return next(call);
    const ids = all.body.records.map(({ id }: Any) => id);
    const from = ids.indexOf(held.ids.at(-1)) + 1;
    const reply = await next(call);
    reply.body.records = all.body.records.slice(from, from + size);
    return reply;
  }),
  "G-4, G-5: a cursor loses its size": page((given) =>
    (given.after ?? given.start) !== undefined && given.size === undefined
      ? { ...given, size: 20 }
      : given,
  ),
  "G-4, G-7, G-5: a cursor loses its columns": query((body) =>
    body.page?.after && body.page.after !== "end" && body.columns === undefined
      ? { ...body, columns: ["*"] }
      : body,
  ),
  "G-2, G-5: pages before a cursor are reversed": answer((body, call) =>
    call.body?.page?.before && !call.body.page.after
      ? { ...body, records: body.records.reverse() }
      : body,
  ),
  "G-5: before returns the first page": page((given) =>
    given.before && given.before !== "end" && !given.after
      ? { start: given.before, ...(given.size && { size: given.size }) }
      : given,
  ),
  "G-6: start continues after the cursor": page((given) => {
    const { start, ...rest } = given;
    return start ? { ...rest, after: start } : given;
  }),
  "G-6, G-10: end returns the remainder of the last page": (next) => async (call) => {
    const { end, size } = call.body?.page ?? {};
    if (!isQuery(call) || end === undefined || call.body.page.offset) return next(call);
    const reply = await next(call);
    if (reply.status !== 200) return reply;
    const all = await next({ ...call, body: { page: { start: end, size: 200 } } });
    const own = size ?? reply.body.meta.page.size;
    const left = all.body.records.length % own || own;
    reply.body.records = reply.body.records.slice(-left);
    return reply;
  },
  "G-13: a damaged cursor is ignored": forgive(
    (call, { body }) => isQuery(call) && body?.code === "invalid_cursor",
    async (call, next) => next({ ...call, body: {} }),
  ),
  "G-7: a filter beside a cursor is ignored": query((body) => {
    const { filter: _, sort: __, ...rest } = body;
    const { after, before, start, end } = body.page ?? {};
    return [after, before, start, end].some((key) => key !== undefined && key !== "end")
      ? rest
      : body;
  }),
  "G-8: start takes precedence over other cursors": page((given) =>
    given.start ? { start: given.start, ...(given.size && { size: given.size }) } : given,
  ),
  "G-1, L-1: a size above the limit is reduced": page((given) =>
    given.size > 200 ? { ...given, size: 200 } : given,
  ),
  "G-1: a size of 0 is the default": page((given) => {
    const { size, ...rest } = given;
    return size === 0 ? rest : given;
  }),
  "G-9: a reversed range is empty": forgive(
    (call) => isQuery(call) && call.body?.page?.after && call.body.page.before,
    async () => EMPTY_PAGE,
  ),
  "G-9: a range ignores before": page((given) => {
    const { before, ...rest } = given;
    return given.after && before ? rest : given;
  }),
  "G-10: after end is the last page": page((given) =>
    given.after === "end" && given.before === undefined
      ? { ...given, after: undefined, before: "end" }
      : given,
  ),
};

const RECORD_BUGS: Bugs = {
  "P-2: an empty selection selects all columns": query((body) =>
    Array.isArray(body.columns) && body.columns.length === 0 ? { ...body, columns: ["*"] } : body,
  ),
  "P-9: an unknown selected column is ignored": forgive(
    (call, { body }) =>
      isQuery(call) && body?.code === "unknown_column" && Array.isArray(call.body?.columns),
    async (call, next) => next({ ...call, body: { ...call.body, columns: [] } }),
  ),
  "P-5: a linked record has no metadata": record((each) => {
    if (isObject(each.team)) delete each.team.service;
    return each;
  }),
  "R-4, P-1, P-2: null columns are returned as null": record((each, call) =>
    call.path.includes("/people/") && call.body?.columns === undefined && each.name === undefined
      ? { ...each, name: null }
      : each,
  ),
  "P-1, P-6: a link is returned as a text": record((each) =>
    isObject(each.team) && Object.keys(each.team).length === 1
      ? { ...each, team: each.team.id }
      : each,
  ),
  "P-7: a dangling link is missing in a selection": record((each, call) => {
    const { team, ...rest } = each;
    const selects = call.body?.columns?.some((column: Any) => String(column).startsWith("team."));
    return selects && isObject(team) && Object.keys(team).length === 1 ? rest : each;
  }),
  "P-10: metadata comes first": record(({ service, ...rest }) => ({ service, ...rest })),
  "P-4: obj.sub selects the whole object": query((body) =>
    Array.isArray(body.columns)
      ? {
          ...body,
          columns: body.columns.map((column: Any) => (column === "place.zip" ? "place" : column)),
        }
      : body,
  ),
  "T-7: datetimes have milliseconds": record((each) => ({
    ...each,
    ...(each.at && { at: String(each.at).replace(/:(\d\d)Z$/, ":$1.000Z") }),
    ...(each.born && { born: String(each.born).replace(/:(\d\d)Z$/, ":$1.000Z") }),
  })),
  "R-2: versions begin at 1": (next) => async (call) => {
    const reply = await next(call);
    if (isData(call) && call.method === "GET" && reply.status === 200)
      reply.body.service.version += 1;
    return reply;
  },
  "R-7: an update sets absent columns to null": (next) => (call) =>
    isData(call) && call.method === "PATCH"
      ? next({ ...call, method: "GET", body: undefined }).then((there) =>
          there.status === 404 ? there : next({ ...call, method: "PUT" }),
        )
      : next(call),
  "R-7, X-1: a replacement keeps absent columns": (next) => async (call) => {
    if (!isData(call) || call.method !== "PUT") return next(call);
    const there = await next({
      ...call,
      method: "GET",
      body: undefined,
      search: new URLSearchParams(),
    });
    return next(there.status === 200 ? { ...call, method: "POST" } : call);
  },
  "R-5: a refused batch inserts its valid records": (next) => async (call) => {
    const reply = await next(call);
    if (!call.path.endsWith("/bulk") || reply.status !== 400) return reply;
    for (const each of call.body.records)
      await next({ ...call, path: call.path.replace(/bulk$/, "data"), body: each });
    return reply;
  },
  "X-1, R-9: deleting a missing record succeeds": forgive(
    (call) => isData(call) && call.method === "DELETE",
    async () => ({ status: 204, body: undefined }),
  ),
  "R-3: an insert overwrites a taken id": forgive(
    (call, { status }) =>
      isData(call) && call.method === "POST" && status === 422 && call.body?.id !== undefined,
    async (call, next) => ({
      ...(await next({
        ...call,
        method: "PUT",
        path: `${call.path}/${call.body.id}`,
        search: new URLSearchParams(),
      })),
      status: 201,
    }),
  ),
  "R-8, E-5: unknown keys of a record are dropped": forgive(
    (call, { body }) =>
      isData(call) && body?.code === "invalid_record" && call.body?.nope !== undefined,
    async (call, next) => {
      const { nope: _, ...rest } = call.body;
      return next({ ...call, body: rest });
    },
  ),
  "T-2, E-5: int truncates fractions": (next) => (call) => {
    const cut = ([key, value]: [string, Any]): [string, Any] =>
      /^(?:age|whole)$/.test(key) && typeof value === "number"
        ? [key, Math.trunc(value)]
        : [key, value];
    if (!isData(call) || !isObject(call.body)) return next(call);
    return next({ ...call, body: Object.fromEntries(Object.entries(call.body).map(cut)) });
  },
  "X-3, R-5: a transaction stops half way": (next) => async (call) => {
    if (!call.path.endsWith("/transaction")) return next(call);
    const reply = await next(call);
    if (reply.status !== 400) return reply;
    for (const operation of call.body.operations) {
      const done = await next({ ...call, body: { operations: [operation] } });
      if (done.status !== 200) break;
    }
    return reply;
  },
  "X-2, X-3: $increment in an upsert of a transaction inserts": (next) => async (call) => {
    const reply = await next(call);
    if (!call.path.endsWith("/transaction") || reply.status !== 400) return reply;
    const operations = call.body.operations.map(({ update, ...rest }: Any) => {
      const by = update?.upsert && update.fields.age?.$increment;
      if (by === undefined) return { ...(update && { update }), ...rest };
      return { update: { ...update, fields: { ...update.fields, age: by } } };
    });
    return next({ ...call, body: { operations } });
  },
  "X-1, P-5: an update answers only ids of links": (next) => async (call) => {
    const reply = await next(call);
    if (!isData(call) || call.method !== "PATCH" || !isObject(reply.body)) return reply;
    return { ...reply, body: withLinkIds(reply.body) };
  },
  "X-2: $increment of null is a number": (next) => async (call) => {
    const reply = await next(call);
    if (
      isData(call) &&
      call.method === "PATCH" &&
      reply.status === 200 &&
      call.body?.age?.$increment !== undefined
    ) {
      const there = await next({ ...call, method: "GET", body: undefined });
      if (there.body.age === undefined)
        await next({ ...call, body: { age: call.body.age.$increment } });
    }
    return reply;
  },
};

const CATALOG_BUGS: Bugs = {
  "B-1: writes to a branch reach its source": (next) => async (call) => {
    const reply = await next(call);
    if (isData(call) && call.method !== "GET" && call.path.includes(":copy/"))
      await next({ ...call, path: call.path.replace(":copy/", ":main/") });
    return reply;
  },
  "B-1: a new branch is empty": (next) => (call) =>
    next(call.method === "PUT" && /^\/db\/[^/]+$/.test(call.path) ? { ...call, body: {} } : call),
  "B-3: overwriting a mapping is silent": (next) => async (call) => {
    const reply = await next(call);
    return call.path.endsWith("/gitBranches") && reply.status === 201
      ? { status: 204, body: undefined }
      : reply;
  },
  "B-2: the mapping is listed by name": (next) => async (call) => {
    const reply = await next(call);
    if (call.path.endsWith("/gitBranches") && call.method === "GET")
      reply.body.mappings?.sort((a: Any, b: Any) => (a.gitBranch < b.gitBranch ? -1 : 1));
    return reply;
  },
  "B-4: removing an unknown mapping succeeds": forgive(
    (call, { status }) =>
      call.path.endsWith("/gitBranches") && call.method === "DELETE" && status === 404,
    async () => ({ status: 204, body: undefined }),
  ),
  "B-3: a mapping to an unknown branch is accepted": forgive(
    (call) => call.path.endsWith("/gitBranches") && call.method === "POST",
    async () => ({ status: 204, body: undefined }),
  ),
  "B-5: a branch takes precedence over the mapping": (next) => async (call) => {
    const reply = await next(call);
    if (!call.path.endsWith("/resolveBranch") || reply.body?.reason?.code !== "FOUND_IN_MAPPING")
      return reply;
    const git = call.search.get("gitBranch");
    const there = await next({
      ...call,
      method: "GET",
      path: call.path.replace("/resolveBranch", ""),
      search: new URLSearchParams(),
    });
    if (there.body.branches.some(({ name }: Any) => name === git))
      reply.body = { branch: git, reason: { code: "BRANCH_EXISTS", message: "" } };
    return reply;
  },
  "M-1: creating an existing table succeeds": forgive(
    (call, { status }) =>
      call.method === "PUT" && /\/tables\/[^/]+$/.test(call.path) && status === 422,
    async () => ({ status: 201, body: {} }),
  ),
  "M-3: renaming to the name of another table succeeds": forgive(
    (call, { status }) =>
      call.method === "PATCH" && /\/tables\/[^/]+$/.test(call.path) && status === 422,
    async () => ({ status: 200, body: {} }),
  ),
  "M-4, M-2, N-6: an unknown table is empty": forgive(
    (call, { status }) => isQuery(call) && status === 404,
    async () => EMPTY_PAGE,
  ),
  "N-6: tables may differ by case only": forgive(
    (call, { status, body }) =>
      call.method === "PUT" &&
      /\/tables\/[^/]+$/.test(call.path) &&
      body?.rule === "N-6" &&
      status === 422,
    async () => ({ status: 201, body: {} }),
  ),
  "N-6: table names ignore case": (next) => (call) =>
    next({
      ...call,
      path: call.path.replace(
        /\/tables\/([^/]+)/,
        (_, name: string) => `/tables/${name.toLowerCase()}`,
      ),
    }),
  "E-3: unknown keys of a query are ignored": query((body) =>
    Object.fromEntries(
      Object.entries(body).filter(([key]) =>
        ["columns", "filter", "sort", "page", "consistency"].includes(key),
      ),
    ),
  ),
  "D-4: a deleted database leaves its tables": (next) => (call) =>
    call.method === "DELETE" && isDatabase(call)
      ? Promise.resolve({ status: 200, body: { status: "completed" } })
      : next(call),
  "D-3: the colour is missing": (next) => async (call) => {
    const reply = await next(call);
    if (call.method === "GET" && isDatabase(call)) delete reply.body?.ui;
    return reply;
  },
};

/** Damages an engine that checks links. */
function damageLinks(damage: (context: EngineContext) => void): Planted {
  return { wrap: (next) => next, profile: { links: "checked" }, damage };
}

/** Damages what a deletion sets to null. */
function unlinkOnly(keeps: (from: string, column: LinkColumn, to: string) => boolean): Planted {
  return damageLinks((context) => {
    const linksTo = context.linksTo.bind(context);
    context.linksTo = function* (address) {
      for (const [table, columns] of linksTo(address)) {
        yield [table, columns.filter((column) => keeps(table, column, address.table))];
      }
    };
  });
}

const LINK_BUGS: Bugs = {
  "T-18: links name no record": {
    wrap: (next) => next,
    profile: { links: "checked" },
    engineProfile: { links: "free" },
  },
  "T-18: free links are checked": {
    wrap: (next) => next,
    engineProfile: { links: "checked" },
  },
  "T-18: links of a batch are not checked": damageLinks(({ links }) => {
    if (links !== undefined) links.check = () => {};
  }),
  "T-18: a deletion leaves links": unlinkOnly(() => false),
  "T-18: a deletion leaves links in objects": unlinkOnly((_, { path }) => !path.includes(".")),
  "T-18: a deletion leaves links in its own table": unlinkOnly((from, _, to) => from !== to),
  "T-18: records of a batch cannot link to later ones": {
    profile: { links: "checked" },
    wrap: (next) => async (call) => {
      if (!call.path.endsWith("/transaction")) return next(call);
      const [first, ...others] = call.body.operations;
      if (others.length === 0) return next(call);
      const alone = await next({ ...call, body: { operations: [first] } });
      return alone.status === 200 ? next({ ...call, body: { operations: others } }) : alone;
    },
  },
};

/** Services with one bug each. */
export const PLANTED_BUGS: readonly PlantedBug[] = Object.entries({
  ...FILTER_BUGS,
  ...SORT_BUGS,
  ...PAGE_BUGS,
  ...RECORD_BUGS,
  ...CATALOG_BUGS,
  ...LINK_BUGS,
  ...EXTENSION_BUGS,
}).map(([title, bug]) => {
  const [, rules = "", name = ""] = /^([^:]+): (.*)$/.exec(title) ?? [];
  return { name, rules: rules.split(", "), ...(typeof bug === "function" ? { wrap: bug } : bug) };
});
