// Bugs that need two features of a query together.
import { type Bugs, type Call, changeRequests, isPost, type Planted, type Wrap } from "./wrap.js";

// biome-ignore lint/suspicious/noExplicitAny: queries of any shape
type Any = any;

export interface PairBug extends Planted {
  readonly name: string;
}

const isQuery = (call: Call): boolean => isPost(call, "/query");

/** Whether a value has a key anywhere. */
export const holds = (value: Any, key: string): boolean =>
  typeof value === "object" &&
  value !== null &&
  Object.entries(value).some(([name, member]) => name === key || holds(member, key));

/** Whether a value is found anywhere in another. */
const mentions = (value: Any, pattern: RegExp): boolean =>
  pattern.test(JSON.stringify(value ?? null));

/** Changes the answers to some queries. */
const spoil =
  (when: (body: Any, call: Call) => boolean, change: (body: Any, request: Any) => Any): Wrap =>
  (next) =>
  async (call) => {
    const reply = await next(call);
    const request = call.body ?? {};
    if (!isQuery(call) || reply.status !== 200 || !when(request, call)) return reply;
    return { ...reply, body: change(structuredClone(reply.body), request) };
  };

const withoutFirst = (body: Any): Any => ({ ...body, records: body.records.slice(1) });
const withoutLast = (body: Any): Any => ({ ...body, records: body.records.slice(0, -1) });
const reversed = (body: Any): Any => ({ ...body, records: body.records.toReversed() });
const noMore = (body: Any): Any => {
  body.meta.page.more = false;
  return body;
};
const isMore = (body: Any): Any => {
  body.meta.page.more = !body.meta.page.more;
  return body;
};

/** Refuses some queries. */
const refuse =
  (when: (body: Any, call: Call) => boolean): Wrap =>
  (next) =>
  async (call) =>
    isQuery(call) && when(call.body ?? {}, call)
      ? { status: 500, body: { message: "internal error" } }
      : next(call);

/** Whether a filter has an operator at a path with an end. */
const at = (filter: Any, path: RegExp, operator: string): boolean =>
  typeof filter === "object" &&
  filter !== null &&
  Object.entries(filter as Any).some(
    ([key, member]) => (path.test(key) && holds(member, operator)) || at(member, path, operator),
  );

/** The paths of the sort keys with a direction. */
const sorted = ({ sort }: Any, direction: string): string[] =>
  [sort ?? []]
    .flat()
    .flatMap((key: Any) =>
      typeof key === "string"
        ? direction === "asc"
          ? [key]
          : []
        : Object.entries(key).flatMap(([path, way]) => (way === direction ? [path] : [])),
    );

/** Tables keep the types of their columns, by database and table. */
const withTypes = (
  when: (body: Any, typeOf: (path: string) => string | undefined) => boolean,
  change: (body: Any) => Any,
): Wrap => {
  const columns = new Map<string, Any[]>();
  return (next) => async (call) => {
    const schema = /^\/db\/([^/]+)\/tables\/([^/]+)\/schema$/.exec(call.path);
    if (call.method === "PUT" && schema !== null) {
      columns.set(`${schema[1]} ${schema[2]?.replace(/~$/, "")}`, call.body?.columns ?? []);
    }
    const reply = await next(call);
    const query = /^\/db\/([^/]+)\/tables\/([^/]+)\/query$/.exec(call.path);
    if (query === null || reply.status !== 200) return reply;
    const own = columns.get(`${query[1]} ${query[2]}`) ?? [];
    const typeOf = (path: string): string | undefined => {
      const [first = "", ...rest] = path.split(/[.]|->/);
      const column = own.find(({ name }) => name === first);
      if (rest.length === 0 || column === undefined) return column?.type;
      if (column.type === "json") return "json path";
      const [second = ""] = rest.slice(-1);
      return (column.columns ?? own).find(({ name }: Any) => name === second)?.type;
    };
    return when(call.body ?? {}, typeOf)
      ? { ...reply, body: change(structuredClone(reply.body)) }
      : reply;
  };
};

/** Whether a filter has an operator at a column of a type. */
const typed = (
  filter: Any,
  typeOf: (path: string) => string | undefined,
  [type, operator]: readonly [string, string],
  before = "",
): boolean =>
  typeof filter === "object" &&
  filter !== null &&
  Object.entries(filter as Any).some(([key, member]) => {
    if (key.startsWith("$")) return typed(member, typeOf, [type, operator], before);
    const path = before === "" ? key : `${before}.${key}`;
    const isHere = typeOf(path) === type && holds(member, operator);
    return isHere || typed(member, typeOf, [type, operator], path);
  });

/** A wrong page for an operator at a type. */
const wrongAt = (type: string, operator: string): Wrap =>
  withTypes(({ filter }, typeOf) => typed(filter, typeOf, [type, operator]), withoutLast);

/** Replaces an operator below some operators, or at some paths. */
const confuse = (
  from: string,
  to: string,
  when: (above: readonly string[], path: string) => boolean,
): Wrap => {
  const change = (node: Any, above: readonly string[], path: string): Any => {
    if (Array.isArray(node)) return node.map((member) => change(member, above, path));
    if (typeof node !== "object" || node === null) return node;
    const entries = Object.entries(node).map(([key, value]) => {
      if (!key.startsWith("$")) return [key, change(value, above, path + (path && ".") + key)];
      const isWrong = key === from && when(above, path);
      return [isWrong ? to : key, change(value, [...above, key], path)];
    });
    return Object.fromEntries(entries);
  };
  return changeRequests("/query", (body) =>
    body.filter === undefined ? body : { ...body, filter: change(body.filter, [], "") },
  );
};

/** Changes values of queries, by their key. */
const rewrite = (change: (key: string, value: Any) => Any): Wrap =>
  changeRequests("/query", (body) => JSON.parse(JSON.stringify(body), change));

/** Ignores the offset of some pages, given the query of their cursor. */
const ignoreOffset =
  (when: (page: Any, query: Any) => boolean): Wrap =>
  (next) => {
    const queries = new Map<string, Any>();
    return async (call) => {
      if (!isQuery(call)) return next(call);
      const { offset: _, ...page } = call.body?.page ?? {};
      const cursors = [page.after, page.before, page.start, page.end];
      const query = cursors.map((cursor) => queries.get(cursor)).find(Boolean) ?? call.body ?? {};
      const isWrong = cursors.some(Boolean) && when(page, query);
      const reply = await next(isWrong ? { ...call, body: { ...call.body, page } } : call);
      if (reply.status === 200) queries.set(reply.body.meta.page.cursor, query);
      return reply;
    };
  };

const isNegated = (above: readonly string[]): boolean =>
  above.includes("$not") || above.includes("$none");
const isThroughLink = (_: readonly string[], path: string): boolean =>
  /^(link|team|owner|peer)[.]/.test(path);
const isInObject = (_: readonly string[], path: string): boolean => /^(object|place)[.]/.test(path);

const BUGS: Bugs = {
  "$ge is $gt in $none": confuse("$ge", "$gt", (above) => above.includes("$none")),
  "$le is $lt below $not": confuse("$le", "$lt", (above) => above.at(-1) === "$not"),
  "$any is $all in $none": confuse("$any", "$all", (above) => above.includes("$none")),
  "$any is $all below $not": confuse("$any", "$all", (above) => above.includes("$not")),
  "$iContains is $contains below $not": confuse("$iContains", "$contains", isNegated),
  "$includesAll is $includes under a negation": confuse("$includesAll", "$includes", isNegated),
  "$isNot is $is below $not": confuse("$isNot", "$is", (above) => above.at(-1) === "$not"),
  "$endsWith is $contains in $all of a $not": confuse(
    "$endsWith",
    "$contains",
    (above) => above.includes("$all") && above.includes("$not"),
  ),
  "$notExists is $exists in $none": confuse("$notExists", "$exists", (above) =>
    above.includes("$none"),
  ),
  "$startsWith is $contains through a link": confuse("$startsWith", "$contains", isThroughLink),
  "$pattern is $iPattern through a link": confuse("$pattern", "$iPattern", isThroughLink),
  "$gt is $ge in an object": confuse("$gt", "$ge", isInObject),
  "$none is $not in an object": confuse("$none", "$not", isInObject),
  "$includesNone is $includesAll at a dotted path": confuse(
    "$includesNone",
    "$includesAll",
    (_, path) => path.includes("."),
  ),
  "$lt is $le through a link below $not": confuse(
    "$lt",
    "$le",
    (above, path) => isThroughLink(above, path) && above.includes("$not"),
  ),
  "an offset after a cursor of two keys is ignored": ignoreOffset(
    ({ after }, query) => after !== undefined && [query.sort ?? []].flat().length > 1,
  ),
  "an offset before a cursor is ignored": ignoreOffset(
    ({ before }) => before !== undefined && before !== "end",
  ),
  "an offset from the end is ignored": ignoreOffset(({ before }) => before === "end"),
  "an offset beside end through a link is ignored": ignoreOffset(
    ({ end }, query) => end !== undefined && mentions(query.sort, /link\./),
  ),
  "an offset with two keys is doubled": changeRequests("/query", (body) =>
    [body.sort ?? []].flat().length > 1 && body.page?.offset
      ? { ...body, page: { ...body.page, offset: 2 * body.page.offset } }
      : body,
  ),
  "$endsWith of an e-mail address": wrongAt("email", "$endsWith"),
  "$iPattern of a long text": wrongAt("text", "$iPattern"),
  "$le of a datetime": wrongAt("datetime", "$le"),
  "$gt of a float": wrongAt("float", "$gt"),
  "$none of a link": wrongAt("link", "$none"),
  "$none of a bool": wrongAt("bool", "$none"),
  "$includesNone of a list in an object": spoil(
    ({ filter }) => mentions(filter, /object|place|box/) && holds(filter, "$includesNone"),
    withoutLast,
  ),
  "$notExists through two links": spoil(
    ({ filter }) => mentions(filter?.$notExists ?? filter?.$not?.$notExists, /\w+\.\w+\.\w+/),
    withoutLast,
  ),
  "$contains within a negation through a link": spoil(
    ({ filter }) => at(filter, /^(link|team|owner|peer)/, "$not") && holds(filter, "$contains"),
    withoutLast,
  ),
  "$startsWith in a json column": withTypes(
    ({ filter }, typeOf) => typed(filter, typeOf, ["json path", "$startsWith"]),
    withoutLast,
  ),
  "$exists of a vector": withTypes(
    ({ filter }, typeOf) =>
      [filter?.$exists ?? filter?.$not?.$exists ?? []]
        .flat()
        .some((path: Any) => typeOf(path) === "vector"),
    withoutLast,
  ),
  "descending order of a bool": withTypes(
    (body, typeOf) => sorted(body, "desc").some((path) => typeOf(path) === "bool"),
    reversed,
  ),
  "descending order of a link, from the end": withTypes(
    (body, typeOf) =>
      body.page?.before === "end" && sorted(body, "desc").some((path) => typeOf(path) === "link"),
    reversed,
  ),
  "ascending order of a text through a link": withTypes(
    (body, typeOf) =>
      sorted(body, "asc").some((path) => path.includes(".") && typeOf(path) === "text"),
    reversed,
  ),
  "an offset with $any": spoil(
    ({ filter, page }) => Boolean(page?.offset) && holds(filter, "$any"),
    withoutFirst,
  ),
  "an offset of a random order": spoil(
    (body) => Boolean(body.page?.offset) && sorted(body, "random").length > 0,
    withoutLast,
  ),
  "the last page of a descending order": spoil(
    (body) => body.page?.before === "end" && sorted(body, "desc").length > 0,
    isMore,
  ),
  "the tail with a selection": spoil(
    ({ page, columns }) => page?.after === "end" && Array.isArray(columns),
    isMore,
  ),
  "columns of a link on the last page": spoil(
    ({ page, columns }) => page?.before === "end" && mentions(columns, /"(link|team|owner|peer)\./),
    withoutLast,
  ),
  "reverse links with an order through a link": refuse(
    (body) =>
      mentions(body.columns, /<-/) && sorted(body, "asc").some((path) => path.includes(".")),
  ),
  "reverse links with a negation": refuse(
    ({ columns, filter }) => mentions(columns, /<-/) && holds(filter, "$not"),
  ),
  "an empty selection with $includesAll": refuse(
    ({ columns, filter }) =>
      Array.isArray(columns) && columns.length === 0 && holds(filter, "$includesAll"),
  ),
  "a star with a random order": spoil(
    (body) => mentions(body.columns, /^\["\*"\]$/) && sorted(body, "random").length > 0,
    noMore,
  ),
  "$lt of an int with a selection of an object": spoil(
    ({ filter, columns }) => holds(filter, "$lt") && mentions(columns, /\.\*"/),
    withoutLast,
  ),
  "an empty list with $isNot": spoil(
    ({ filter }) => mentions(filter, /"\$isNot":\[\]/),
    withoutLast,
  ),
  "$ge of a datetime ignores microseconds": rewrite((key, value) =>
    key === "$ge" && typeof value === "string" ? value.replace(/(\.\d{3})\d+/, "$1") : value,
  ),
  "a list of numbers has whole ones": rewrite((key, value) =>
    key === "$is" && Array.isArray(value)
      ? value.map((each) => (typeof each === "number" ? Math.trunc(each) : each))
      : value,
  ),
  "an offset of descending reverse links is ignored": rewrite((_, value) =>
    value?.limit !== undefined && mentions(value.sort, /"desc"/) ? { ...value, offset: 0 } : value,
  ),
};

export const PAIR_BUGS: readonly PairBug[] = Object.entries(BUGS).map(([name, bug]) => ({
  name,
  ...(typeof bug === "function" ? { wrap: bug } : bug),
}));
