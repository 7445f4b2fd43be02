import type { PlantedBug } from "./planted-bugs.js";
import type { Call, Reply, Wrap } from "./wrap.js";

// biome-ignore lint/suspicious/noExplicitAny: bodies of any shape are changed
type Any = any;

const isCall =
  (end: string) =>
  ({ method, path }: Call): boolean =>
    method === "POST" && path.endsWith(end);

/** Changes bodies of one kind of call on their way in. */
const asked =
  (end: string, change: (body: Any) => Any): Wrap =>
  (next) =>
  (call) =>
    next(isCall(end)(call) ? { ...call, body: change(structuredClone(call.body ?? {})) } : call);

/** Changes good answers to one kind of call on their way out. */
const answered =
  (end: string, change: (body: Any, call: Call) => Any): Wrap =>
  (next) =>
  async (call) => {
    const reply = await next(call);
    if (!isCall(end)(call) || reply.status !== 200) return reply;
    return { ...reply, body: change(structuredClone(reply.body), call) };
  };

const without =
  (key: string) =>
  ({ [key]: _, ...rest }: Any): Any =>
    rest;

/** A booster without its filter. */
const forAll = (booster: Any): Any =>
  Object.fromEntries(
    Object.entries(booster).map(([kind, parts]) => [kind, without("ifMatchesFilter")(parts)]),
  );

/** Searches are answered as they were before the latest write. */
const lateSearch: Wrap = (next) => {
  let kept = new Map<string, Reply>();
  let isStale = false;
  return async (call) => {
    if (!isCall("/search")(call)) {
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

/** Adds in the order of the records, each sum rounded. */
const naiveSums: Wrap = (next) => async (call) => {
  const reply = await next(call);
  const wanted = call.body?.summaries?.sum;
  if (!isCall("/summarize")(call) || wanted === undefined || reply.status !== 200) return reply;
  const path = call.path.replace(/summarize$/, "query");
  const { body } = await next({ ...call, path, body: { page: { size: 200 } } });
  const sum = body.records.reduce((total: number, each: Any) => total + (each[wanted.sum] ?? 0), 0);
  return { ...reply, body: { summaries: [{ ...reply.body.summaries[0], sum }] } };
};

/** Forgives what is refused by a schema that does not fit. */
const noConflict =
  (end: string): Wrap =>
  (next) =>
  async (call) => {
    const reply = await next(call);
    return isCall(end)(call) && reply.status === 422
      ? { status: 200, body: { status: "completed", migrationID: "m", parentMigrationID: "" } }
      : reply;
  };

/** Contents that were read once are given for ever. */
const keptContents: Wrap = (next) => {
  const kept = new Map<string, Reply>();
  return async (call) => {
    const reply = await next(call);
    if (call.method !== "GET" || !call.path.startsWith("/file/")) return reply;
    if (reply.status === 200) kept.set(call.path, reply);
    return kept.get(call.path) ?? reply;
  };
};

/** Bugs of search, vectors, files, figures, histories and limits. */
export const EXTENSION_BUGS: readonly PlantedBug[] = [
  {
    name: "a search looks for equal words only",
    rules: ["Q-3"],
    wrap: asked("/search", (body) => ({ ...body, fuzziness: 0 })),
  },
  {
    name: "a phrase is any of its words",
    rules: ["Q-4"],
    wrap: asked("/search", without("prefix")),
  },
  {
    name: "a search forgets its target",
    rules: ["Q-1"],
    wrap: asked("/search", without("target")),
  },
  {
    name: "a search forgets its filter",
    rules: ["Q-7"],
    wrap: asked("/search", without("filter")),
  },
  {
    name: "boosters are for every record",
    rules: ["Q-5"],
    wrap: asked("/search", (body) => ({
      ...body,
      ...(body.boosters && { boosters: body.boosters.map(forAll) }),
    })),
  },
  {
    name: "a search of a branch looks at all of its tables",
    rules: ["Q-1", "Q-6"],
    wrap: asked("/search", without("tables")),
  },
  {
    name: "a branch is searched as the one it was made from",
    rules: ["Q-8"],
    wrap: (next) => (call) =>
      next(isCall("/search")(call) ? { ...call, path: call.path.replace(":twig", ":main") } : call),
  },
  {
    name: "hits come by id",
    rules: ["Q-5"],
    wrap: answered("/search", (body) => ({
      ...body,
      records: body.records.sort((a: Any, b: Any) => (a.id < b.id ? -1 : 1)),
    })),
  },
  {
    name: "a search counts its page",
    rules: ["Q-6", "Q-7"],
    wrap: answered("/search", (body) => ({ ...body, totalCount: body.records.length })),
  },
  {
    name: "a highlight marks every word",
    rules: ["Q-6"],
    wrap: answered("/search", (body) =>
      JSON.parse(JSON.stringify(body).replaceAll("</em>", "</em><em>dd1</em>")),
    ),
  },
  { name: "a search misses the last write", rules: ["Q-8"], wrap: lateSearch },
  {
    name: "similar vectors come by id",
    rules: ["V-1"],
    wrap: answered("/vectorSearch", (body) => ({
      ...body,
      records: body.records.sort((a: Any, b: Any) => (a.id < b.id ? -1 : 1)),
    })),
  },
  {
    name: "l2 is l1",
    rules: ["V-2"],
    wrap: asked("/vectorSearch", (body) => ({
      ...body,
      ...(body.similarityFunction === "l2" ? { similarityFunction: "l1" } : {}),
    })),
  },
  {
    name: "the bytes of a file are text",
    rules: ["H-1", "H-2"],
    wrap: (next) => (call) => {
      const given = call.body?.photo?.base64Content;
      if (call.method !== "PATCH" || typeof given !== "string") return next(call);
      const base64Content = Buffer.from(Buffer.from(given, "base64").toString()).toString("base64");
      return next({ ...call, body: { photo: { ...call.body.photo, base64Content } } });
    },
  },
  {
    name: "a file that is deleted stays",
    rules: ["H-3"],
    wrap: (next) => (call) =>
      next(
        call.method === "DELETE" && call.path.endsWith("/file") ? { ...call, method: "GET" } : call,
      ),
  },
  { name: "an address outlives its content", rules: ["H-4"], wrap: keptContents },
  {
    name: "the size of a file is its version",
    rules: ["F-18"],
    wrap: (next) => (call) =>
      next(
        isCall("/query")(call)
          ? {
              ...call,
              body: JSON.parse(
                JSON.stringify(call.body ?? {}).replace("photo.size", "photo.version"),
              ),
            }
          : call,
      ),
  },
  { name: "sums are rounded on the way", rules: ["X-6"], wrap: naiveSums },
  {
    name: "a group of null is left out",
    rules: ["X-6"],
    wrap: answered("/summarize", (body) => ({
      ...body,
      summaries: body.summaries.filter((group: Any) => !Object.values(group).includes(null)),
    })),
  },
  {
    name: "a history leaves out its first change",
    rules: ["K-1", "K-2"],
    wrap: answered("/schema/history", (body) => ({ ...body, logs: body.logs.slice(0, -1) })),
  },
  { name: "a merge is done twice", rules: ["K-3"], wrap: noConflict("/merge") },
  {
    name: "a copy copies nothing",
    rules: ["K-4"],
    wrap: (next) => (call) =>
      isCall("/copy")(call)
        ? Promise.resolve({ status: 200, body: { branchName: call.body?.destinationBranch } })
        : next(call),
  },
  {
    name: "a refused batch lists every fault",
    rules: ["L-9"],
    wrap: (next) => async (call) => {
      const reply = await next(call);
      const { errors, more, ...rest } = reply.body ?? {};
      if (more === undefined) return reply;
      const others = Array.from({ length: more }, (_, i) => ({ ...errors[0], index: 100 + i }));
      return { ...reply, body: { ...rest, errors: [...errors, ...others] } };
    },
  },
];
