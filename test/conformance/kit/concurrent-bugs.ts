import type { Call, Handler, Reply, Wrap } from "./wrap.js";

/** A bug that only concurrent clients can see, and the rule it breaks. */
export interface ConcurrentBug {
  readonly name: string;
  readonly check: string;
  readonly rule: string;
  readonly says: RegExp;
  /** Maximum requests in its counterexample. */
  readonly most: number;
  readonly wrap: Wrap;
  /** Whether sequential requests see it too. */
  readonly isSeenAlone?: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: operations of any kind
type Any = any;

/** Lets other requests run first. */
export const yieldTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const isRecord = ({ path }: Call): boolean => /\/data\/[^/]+$/.test(path);

const ask = (next: Handler, call: Call, changes: Partial<Call>): Promise<Reply> =>
  next({ ...call, search: new URLSearchParams(), body: undefined, ...changes });

/** Checks the version, waits, and writes without a second check. */
const lostUpdate: Wrap = (next) => async (call) => {
  const ifVersion = call.search.get("ifVersion");
  if (!isRecord(call) || ifVersion === null) return next(call);
  const { body } = await ask(next, call, { method: "GET" });
  await yieldTurn();
  const search = new URLSearchParams(call.search);
  if (String(body?.service?.version) === ifVersion) search.delete("ifVersion");
  return next({ ...call, search });
};

/** Caches an answer for the next three reads. */
const staleRead: Wrap = (next) => {
  const kept = new Map<string, { reply: Reply; uses: number }>();
  return async (call) => {
    if (call.method !== "GET" || !isRecord(call)) return next(call);
    const key = `${call.path}?${call.search}`;
    const entry = kept.get(key);
    if (entry !== undefined && entry.uses-- > 0) return entry.reply;
    const reply = await next(call);
    kept.set(key, { reply, uses: 3 });
    return reply;
  };
};

/** Sends the operations of a transaction one by one; `undo` reverts them if one fails. */
const oneByOne =
  (undo: boolean): Wrap =>
  (next) =>
  async (call) => {
    if (!call.path.endsWith("/transaction")) return next(call);
    const table = call.path.replace(/transaction$/, "tables/");
    const results: unknown[] = [];
    const undone: Call[] = [];
    const changed = call.body.operations.map((each: Any) => each.update?.id ?? each.delete?.id);
    // Tears only transactions that succeed and change two records.
    if (!undo && (changed.includes("missing") || changed[0] === changed[1])) return next(call);
    for (const operation of call.body.operations) {
      const { id = "", table: name = "" } = operation.update ?? {};
      const record = { ...call, method: "GET", path: `${table}${name}/data/${id}` };
      const before = operation.update && (await ask(next, record, {}));
      const reply = await next({ ...call, body: { operations: [operation] } });
      await yieldTurn();
      if (reply.status >= 400) {
        for (const back of undone.reverse()) await next(back);
        return reply;
      }
      results.push(...reply.body.results);
      if (before) undone.push({ ...record, method: "PATCH", body: { value: before.body.value } });
    }
    return { status: 200, body: { results } };
  };

/** Checks whether a value is taken, waits, and writes it to a column that is not unique. */
const uniqueTwice: Wrap = (next) => async (call) => {
  const body = structuredClone(call.body);
  for (const column of call.path.endsWith("/schema") ? (body?.columns ?? []) : []) {
    delete column.unique;
  }
  if (isRecord(call) && call.method === "PUT" && body?.code !== undefined) {
    const path = call.path.replace(/data\/[^/]+$/, "query");
    const taken = await ask(next, call, {
      method: "POST",
      path,
      body: { filter: { code: body.code } },
    });
    await yieldTurn();
    if (taken.body.records.length > 0) {
      return { status: 400, body: { message: "not unique", code: "invalid_record" } };
    }
  }
  return next({ ...call, body });
};

/** Increments by a read and a write. */
const lostIncrement: Wrap = (next) => async (call) => {
  if (call.method !== "PATCH" || call.body?.value?.$increment === undefined) return next(call);
  const { status, body } = await ask(next, call, { method: "GET" });
  await yieldTurn();
  if (status !== 200) return next(call);
  return next({ ...call, body: { value: body.value + call.body.value.$increment } });
};

export const CONCURRENT_BUGS: readonly ConcurrentBug[] = [
  {
    name: "a lost update",
    check: "records",
    rule: "X-1",
    says: /^no (state|order)/,
    most: 3,
    wrap: lostUpdate,
  },
  {
    name: "a lost increment",
    check: "records",
    rule: "X-1",
    says: /^no (state|order)/,
    most: 3,
    wrap: lostIncrement,
  },
  {
    name: "a stale read",
    check: "records",
    rule: "X-1",
    says: /^no order of 2/,
    most: 2,
    wrap: staleRead,
    isSeenAlone: true,
  },
  {
    name: "a dirty read",
    check: "transactions",
    rule: "X-3",
    says: /^no (state|order)/,
    most: 2,
    wrap: oneByOne(true),
    isSeenAlone: true,
  },
  {
    name: "a torn transaction",
    check: "transactions",
    rule: "X-3",
    says: /^no (state|order)/,
    most: 3,
    wrap: oneByOne(false),
    isSeenAlone: true,
  },
  {
    name: "a unique value taken twice",
    check: "unique",
    rule: "T-16",
    says: /^no order of 2/,
    most: 2,
    wrap: uniqueTwice,
  },
];
