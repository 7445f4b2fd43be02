import {
  type Bugs,
  changeAnswers,
  changeRequests,
  isPost,
  type Planted,
  type Reply,
  type Wrap,
} from "./wrap.js";

// biome-ignore lint/suspicious/noExplicitAny: bodies of any shape
type Any = any;

const without =
  (key: string) =>
  ({ [key]: _, ...rest }: Any): Any =>
    rest;

/** A booster without its filter. */
const forAll = (booster: Any): Any =>
  Object.fromEntries(
    Object.entries(booster).map(([kind, parts]) => [kind, without("ifMatchesFilter")(parts)]),
  );

const isSame: Wrap = (next) => next;

/** Changes every text in a body. */
const texts = (body: Any, change: (text: string) => string): Any => {
  if (typeof body === "string") return change(body);
  if (typeof body !== "object" || body === null) return body;
  if (Array.isArray(body)) return body.map((member) => texts(member, change));
  return Object.fromEntries(
    Object.entries(body).map(([key, member]) => [key, texts(member, change)]),
  );
};

/** Changes the bodies of writes of one record. */
const changeWrites =
  (change: (body: Any) => Any): Wrap =>
  (next) =>
  (call) =>
    next(call.path.includes("/data") ? { ...call, body: change(call.body) } : call);

/** Applies a booster's factor after its modifier. */
const factorLast = ({ numericBooster: booster, ...others }: Any): Any => {
  const factors: Any = {
    square: Math.sqrt,
    sqrt: (x: number) => x * x,
    reciprocal: (x: number) => 1 / x,
  };
  const change = factors[booster?.modifier];
  if (change === undefined || booster.factor <= 0)
    return booster ? { numericBooster: booster } : others;
  return { numericBooster: { ...booster, factor: change(booster.factor) } };
};

const inBrief = ({ name, mediaType }: Any): Any => ({ name, mediaType });

/** Returns search results from before the latest write. */
const lateSearch: Wrap = (next) => {
  let kept = new Map<string, Reply>();
  let isStale = false;
  return async (call) => {
    if (!isPost(call, "/search")) {
      if (call.method !== "GET" && call.path.includes("/data/")) isStale = true;
      return next(call);
    }
    const key = call.path + JSON.stringify(call.body);
    const reply = await next(call);
    const late = isStale ? kept.get(key) : undefined;
    if (isStale) kept = new Map();
    isStale = false;
    kept.set(key, reply);
    return late ?? reply;
  };
};

/** Changes the errors that a service of profile `xata` answers. */
const changeErrors = (change: (body: Any) => Any): Planted => ({
  profile: "xata",
  wrap: (next) => async (call) => {
    const reply = await next(call);
    return reply.status < 400 ? reply : { ...reply, body: change(reply.body) };
  },
});

/** Sums in record order, with rounding. */
const naiveSums: Wrap = (next) => async (call) => {
  const reply = await next(call);
  const wanted = call.body?.summaries?.sum;
  if (!isPost(call, "/summarize") || wanted === undefined || reply.status !== 200) return reply;
  const path = call.path.replace(/summarize$/, "query");
  const { body } = await next({ ...call, path, body: { page: { size: 200 } } });
  const sum = body.records.reduce((total: number, each: Any) => total + (each[wanted.sum] ?? 0), 0);
  return { ...reply, body: { summaries: [{ ...reply.body.summaries[0], sum }] } };
};

/** Answers 200 instead of a schema conflict. */
const noConflict: Wrap = (next) => async (call) => {
  const reply = await next(call);
  if (!isPost(call, "/merge") || reply.status !== 422) return reply;
  return { status: 200, body: { status: "completed", migrationID: "m", parentMigrationID: "" } };
};

/** Caches contents forever. */
const keptContents: Wrap = (next) => {
  const kept = new Map<string, Reply>();
  return async (call) => {
    const reply = await next(call);
    if (call.method !== "GET" || !call.path.startsWith("/file/")) return reply;
    if (reply.status === 200) kept.set(call.path, reply);
    return kept.get(call.path) ?? reply;
  };
};

/** Bugs of search, vectors, files, aggregates, histories and limits. */
export const EXTENSION_BUGS: Bugs = {
  "E-8: messages end with path and rule": changeErrors(({ detail, ...body }) => ({
    ...body,
    ...(detail && { message: detail }),
  })),
  "E-8: a taken value has another text": changeErrors((body) =>
    JSON.parse(JSON.stringify(body).replaceAll(": is not unique", " must be unique")),
  ),
  "E-8: entries of a refused bulk have an index": changeErrors((body) => ({
    ...body,
    ...(body.errors && {
      errors: body.errors.map((each: Any, index: number) => ({ index, ...each })),
    }),
  })),
  "E-8: entries of a refused transaction lack the table": changeErrors((body) =>
    JSON.parse(JSON.stringify(body).replaceAll(/"table \[[^\]]*\]: /g, '"')),
  ),
  "Q-3: a search matches equal words only": changeRequests("/search", (body) => ({
    ...body,
    fuzziness: 0,
  })),
  "Q-4: a phrase matches any of its words": changeRequests("/search", without("prefix")),
  "Q-1: a search ignores its target": changeRequests("/search", without("target")),
  "Q-1: a search does not look into json": changeAnswers("/search", (body) => ({
    ...body,
    records: body.records.filter(({ service: { highlight = {} } }: Any) => {
      const columns = Object.keys(highlight);
      return columns.length === 0 || columns.some((column) => column !== "facts");
    }),
  })),
  "Q-1: a weight beside a star limits the search to its column": changeRequests(
    "/search",
    ({ target, ...body }) => {
      const named = target?.filter((each: Any) => each !== "*");
      return named?.length > 0 ? { ...body, target: named } : body;
    },
  ),
  "Q-5: a factor applies after the modifier": changeRequests("/search", (body) => ({
    ...body,
    ...(body.boosters && { boosters: body.boosters.map(factorLast) }),
  })),
  "Q-7: a search store takes every filter": {
    wrap: isSame,
    profile: "xata",
    engineProfile: { base: "xata", searchStore: "complete" },
  },
  "X-8: a bulk takes any records": {
    wrap: isSame,
    profile: "xata",
    engineProfile: { base: "xata", batches: "free" },
  },
  "H-2: a search shows files in brief": changeAnswers("/search", (body) => ({
    ...body,
    records: body.records.map(({ photo, ...record }: Any) =>
      photo === undefined ? record : { ...record, photo: inBrief(photo) },
    ),
  })),
  "H-1: signs in names of files are replaced": changeWrites((body) =>
    body?.photo?.name === undefined
      ? body
      : { ...body, photo: texts(body.photo, (text) => text.replace(/[*/:<>?\\|]/g, "_")) },
  ),
  "H-1: addresses of files hold for longer than a day": changeWrites((body) => {
    const { photo, ...rest } = body ?? {};
    if (typeof photo?.signedUrlTimeout !== "number") return body;
    const signedUrlTimeout = Math.min(photo.signedUrlTimeout, 86_400);
    return { ...rest, photo: { ...photo, signedUrlTimeout } };
  }),
  "T-6: letters of an address are made ASCII": changeWrites((body) =>
    typeof body?.mail === "string" ? { ...body, mail: body.mail.replace(/[äö]/g, "a") } : body,
  ),
  "T-19: options of file columns are ignored": changeRequests("/columns", (body) =>
    body.type === "file" ? { name: body.name, type: body.type } : body,
  ),
  "Q-7: a search ignores its filter": changeRequests("/search", without("filter")),
  "Q-5: boosters apply to every record": changeRequests("/search", (body) => ({
    ...body,
    ...(body.boosters && { boosters: body.boosters.map(forAll) }),
  })),
  "Q-1, Q-6: a search of a branch includes all tables": changeRequests(
    "/search",
    without("tables"),
  ),
  "Q-8: a search reads the source of a branch": (next) => (call) =>
    next(isPost(call, "/search") ? { ...call, path: call.path.replace(":twig", ":main") } : call),
  "Q-5: hits are ordered by id": changeAnswers("/search", (body) => ({
    ...body,
    records: body.records.sort((a: Any, b: Any) => (a.id < b.id ? -1 : 1)),
  })),
  "Q-6, Q-7: a search counts its page": changeAnswers("/search", (body) => ({
    ...body,
    totalCount: body.records.length,
  })),
  "Q-6, Q-8: a search counts deleted records": (next) => {
    const deleted = new Map<string, number>();
    return async (call) => {
      const reply = await next(call);
      const [, table = ""] = /^(.*)\/(data|search)\b/.exec(call.path) ?? [];
      const count = deleted.get(table) ?? 0;
      if (call.method === "DELETE" && reply.status < 300) deleted.set(table, count + 1);
      if (!isPost(call, "/search") || reply.status !== 200) return reply;
      return { ...reply, body: { ...reply.body, totalCount: reply.body.totalCount + count } };
    };
  },
  "Q-6: a highlight marks every word": changeAnswers("/search", (body) =>
    JSON.parse(JSON.stringify(body).replaceAll("</em>", "</em><em>dd1</em>")),
  ),
  "Q-8: a search misses the last write": lateSearch,
  "V-1: similar vectors are ordered by id": changeAnswers("/vectorSearch", (body) => ({
    ...body,
    records: body.records.sort((a: Any, b: Any) => (a.id < b.id ? -1 : 1)),
  })),
  "V-2: l2 is l1": changeRequests("/vectorSearch", (body) => ({
    ...body,
    ...(body.similarityFunction === "l2" ? { similarityFunction: "l1" } : {}),
  })),
  "H-1, H-2: the bytes of a file are text": (next) => (call) => {
    const given = call.body?.photo?.base64Content;
    if (call.method !== "PATCH" || typeof given !== "string") return next(call);
    const base64Content = Buffer.from(Buffer.from(given, "base64").toString()).toString("base64");
    return next({ ...call, body: { photo: { ...call.body.photo, base64Content } } });
  },
  "H-3: a deleted file stays": (next) => (call) =>
    next(
      call.method === "DELETE" && call.path.endsWith("/file") ? { ...call, method: "GET" } : call,
    ),
  "H-4: an address outlives its content": keptContents,
  "H-4: a private url needs no key": (next) => (call) =>
    next(
      call.method === "GET" && call.path.startsWith("/file/")
        ? { ...call, authorization: "Bearer any" }
        : call,
    ),
  "H-4: an address for uploads answers 200": (next) => async (call) => {
    const reply = await next(call);
    const isUpload = call.method === "PUT" && call.path.startsWith("/file/");
    return isUpload && reply.status === 201 ? { ...reply, status: 200 } : reply;
  },
  "F-18: the size of a file is its version": (next) => (call) =>
    next(
      isPost(call, "/query")
        ? {
            ...call,
            body: JSON.parse(
              JSON.stringify(call.body ?? {}).replace("photo.size", "photo.version"),
            ),
          }
        : call,
    ),
  "F-18: the timeouts of a file match any number": changeRequests("/query", (body) =>
    JSON.parse(
      JSON.stringify(body ?? {}, (key, value) => (/Timeout$/.test(key) ? { $isNot: null } : value)),
    ),
  ),
  "F-2: an empty condition matches every record": changeRequests("/query", (body) =>
    JSON.parse(
      JSON.stringify(body ?? {}, (key, value) =>
        /^(?:\$\w+|\d+)$/.test(key) && JSON.stringify(value) === "{}" ? { $all: [] } : value,
      ),
    ),
  ),
  "S-3, X-6: null comes first in descending summaries": changeAnswers(
    "/summarize",
    (body, call) => {
      const [[path, direction] = []] = Object.entries(call.body?.sort ?? {}) as [string, string][];
      const isNull = (group: Any): number => Number(path !== undefined && group[path] === null);
      if (direction === "desc") body.summaries.sort((a: Any, b: Any) => isNull(b) - isNull(a));
      return body;
    },
  ),
  "X-6: sums are rounded at each addition": naiveSums,
  "X-6: the group of null is missing": changeAnswers("/summarize", (body) => ({
    ...body,
    summaries: body.summaries.filter((group: Any) => !Object.values(group).includes(null)),
  })),
  "K-1, K-2: the first change is missing in a history": changeAnswers(
    "/schema/history",
    (body) => ({
      ...body,
      logs: body.logs.slice(0, -1),
    }),
  ),
  "K-3: a second merge succeeds": noConflict,
  "K-4: a copy copies nothing": (next) => (call) =>
    isPost(call, "/copy")
      ? Promise.resolve({ status: 200, body: { branchName: call.body?.destinationBranch } })
      : next(call),
  "L-9: a refused batch lists every fault": (next) => async (call) => {
    const reply = await next(call);
    const { errors, more, ...rest } = reply.body ?? {};
    if (more === undefined) return reply;
    const others = Array.from({ length: more }, (_, i) => ({ ...errors[0], index: 100 + i }));
    return { ...reply, body: { ...rest, errors: [...errors, ...others] } };
  },
};
