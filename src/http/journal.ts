import type { Charge, Memory } from "../engine/memory.js";
import { readBySchema } from "../shape/read.js";
import * as s from "../shape/schema.js";
import { isDeeper, isPlainObject } from "../value/json.js";
import { sizeOf } from "../value/size.js";
import { CALL_MEMBERS, CALL_PATTERN, type Call, type CallPattern, matchesMember } from "./call.js";
import type { Answer } from "./message.js";

/** An answered call. */
export interface JournalEntry extends Call {
  /** Counted from 0, removed entries included. */
  readonly index: number;
  /** Time of the answer by the machine's clock, in milliseconds since 1970. */
  readonly at: number;
  /**
   * The request's body: a JSON value, or text if it is invalid or has more than 500 levels. Absent
   * if no body was read. Keys, keys of invitations and tokens of file URLs are replaced by `…`.
   */
  readonly request?: unknown;
  /** Absent if the connection was dropped. */
  readonly status?: number | undefined;
  /** The body of the answer, in the form of `request`. */
  readonly response?: unknown;
  /** Milliseconds from the request's arrival to its answer. */
  readonly ms: number;
}

/** Selects entries that match all given members. */
export interface JournalPattern extends CallPattern {
  /** The status of the answer. */
  readonly status?: number | undefined;
  /** The body of the request has at least these members, at every level. */
  readonly request?: unknown;
  /** The body of the answer has at least these members, at every level. */
  readonly response?: unknown;
  /** The filter of the request names these columns. */
  readonly filteredBy?: string | readonly string[] | undefined;
}

/** Records requests and answers: an option of handlers, fetches and servers. */
export interface Journal {
  /**
   * Returns all or the matching entries, oldest first.
   * Throws `invalid_request` for an unknown key or operation.
   */
  entries(pattern?: JournalPattern): JournalEntry[];
  /**
   * Returns the matching entries. Throws an error that shows the nearest entries unless there are
   * `times`, default at least one.
   */
  expect(pattern: JournalPattern, times?: number): JournalEntry[];
  /** Removes all entries. */
  clear(): void;
  /** Charges the entries to an account, at most a quarter of what it keeps; removes others. */
  chargeTo?(memory: Memory): void;
  /** Writes an entry. */
  add(call: Call, request: string | undefined, answer: Answer, ms: number): void;
}

const MEMBERS = [...CALL_MEMBERS, "status", "filteredBy", "request", "response"] as const;
type Member = (typeof MEMBERS)[number];

/** Refuses a misspelt key, which would match every entry. */
const PATTERN: s.Schema<JournalPattern> = s.reading(
  s.objectOf(
    {},
    {
      ...CALL_PATTERN,
      status: s.ANYTHING,
      filteredBy: s.ANYTHING,
      request: s.ANYTHING,
      response: s.ANYTHING,
    },
  ) as s.Schema<JournalPattern>, // by its members
  { what: "pattern" },
);

/** Levels of arrays and objects in a body; deeper bodies are stored as text. */
const MAX_LEVELS = 500;

const MAX_SHOWN = 200;

/** Default limit for the bodies of all entries. */
const DEFAULT_BYTES = 64 * 1024 * 1024;
/** Bytes of an entry beside its bodies. */
const ENTRY_BYTES = 1024;

/** Limits of a journal. */
export interface JournalOptions {
  /** Entries; default 1000. */
  readonly limit?: number | undefined;
  /** Bytes of all entries; default 64 Mi. Longer bodies are left out. */
  readonly bytes?: number | undefined;
}

/**
 * Creates a journal of the last entries.
 *
 * @example
 * const journal = createJournal();
 * const fetch = createFetch(engine, { journal });
 * journal.expect({ table: "users", filteredBy: "team" }, 1);
 */
export function createJournal(options: JournalOptions = {}): Journal {
  const { limit = 1000, bytes = DEFAULT_BYTES } = options;
  const kept: JournalEntry[] = [];
  const sizes: number[] = [];
  let size = 0;
  let index = 0;
  const charges = new Map<Memory, Charge>();
  let most = bytes;
  const hasRoom = (): boolean => {
    try {
      for (const charge of charges.values()) charge.set(size);
      return size <= most;
    } catch {
      return false;
    }
  };
  const entries = (pattern?: JournalPattern): JournalEntry[] => {
    const tests = compile(readBySchema(PATTERN, pattern));
    return kept.filter((entry) => tests.every(({ matches }) => matches(entry)));
  };
  return {
    entries,
    expect(pattern, times) {
      const found = entries(pattern);
      const isMet = times === undefined ? found.length > 0 : found.length === times;
      if (!isMet) throw new Error(explain(kept, pattern, found.length, times));
      return found;
    },
    clear() {
      kept.length = 0;
      sizes.length = 0;
      size = 0;
      hasRoom();
    },
    chargeTo(memory) {
      most = Math.min(most, memory.part / 4); // room for others
      if (!charges.has(memory)) charges.set(memory, memory.charge("the journal"));
    },
    add(call, request, { status, body, hangUpAfter }, ms) {
      if (limit <= 0) return;
      const isDropped = hangUpAfter === -1;
      const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
      const answered = body instanceof Uint8Array ? decoder.decode(body) : body;
      const [sent, received] = [request, isDropped ? undefined : answered].map((text = "") =>
        sizeOf(text) <= most ? text : `${text.length} characters, which are not kept`,
      ) as [string, string]; // as many as before
      kept.push({
        index: index++,
        at: Date.now(),
        ...call,
        // Values would take several times the memory of their text.
        get request() {
          return parse(sent);
        },
        ...(!isDropped && { status }),
        get response() {
          return parse(received);
        },
        ms,
      });
      const added = ENTRY_BYTES + sizeOf(sent) + sizeOf(received) + sizeOf(call);
      sizes.push(added);
      size += added;
      while ((kept.length > limit || !hasRoom()) && kept.length > 0) {
        kept.shift();
        size -= sizes.shift()!; // one for each entry
      }
    },
  };
}

interface MemberTest {
  readonly member: Member;
  readonly matches: (entry: JournalEntry) => boolean;
}

/** Reads the pattern once: it may be as long as a body. */
function compile(pattern: JournalPattern): readonly MemberTest[] {
  return MEMBERS.filter((member) => pattern[member] !== undefined).map((member) => {
    return { member, matches: compileMember(member, pattern) };
  });
}

function compileMember(member: Member, pattern: JournalPattern): MemberTest["matches"] {
  const expected = pattern[member];
  switch (member) {
    case "status":
      return (entry) => entry.status === expected;
    case "request":
    case "response": {
      const includes = compileValue(expected);
      return (entry) => includes(entry[member]);
    }
    case "filteredBy": {
      const columns = [pattern.filteredBy ?? []].flat();
      return ({ request }) => {
        const names = namesInFilter(request);
        return columns.every((name) => names.has(name));
      };
    }
    default:
      return (entry) => matchesMember(entry, member, expected);
  }
}

/** Compiles whether a value has at least the members of another, at every level. */
function compileValue(expected: unknown): (value: unknown) => boolean {
  if (typeof expected !== "object" || expected === null)
    return (value) => Object.is(value, expected);
  if (Array.isArray(expected)) {
    const items = expected.map(compileValue);
    return (value) =>
      Array.isArray(value) &&
      value.length === items.length &&
      items.every((includes, i) => includes(value[i]));
  }
  const members = Object.entries(expected)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => [key, compileValue(member)] as const);
  return (value) =>
    isObject(value) &&
    members.every(([key, includes]) => Object.hasOwn(value, key) && includes(value[key]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** Applies the members of a pattern one by one while any entry matches. */
function explain(
  entries: readonly JournalEntry[],
  pattern: JournalPattern,
  count: number,
  times: number | undefined,
): string {
  const tests = compile(pattern);
  const all = tests.map(({ member }) => describe(member, pattern)).join(", ") || "any";
  const expected = times === undefined ? "one or more calls" : `${times} calls`;
  const lines = [`expected ${expected} with ${all}; found ${count}`];
  let left = entries;
  for (const { member, matches } of tests) {
    const next = left.filter(matches);
    const lacking = describe(member, pattern);
    if (next.length === 0) {
      lines.push(`${left.length} calls match otherwise, none with ${lacking}`);
      break;
    }
    left = next;
  }
  const nearest = count > 0 ? [] : left.slice(-3);
  for (const entry of nearest) lines.push(`nearest: ${describeEntry(entry)}`);
  if (entries.length === 0) lines.push("the journal is empty");
  return lines.join("\n");
}

function describe(member: Member, pattern: JournalPattern): string {
  const expected = pattern[member];
  return `${member} ${expected instanceof RegExp ? String(expected) : show(expected)}`;
}

function describeEntry({ response, ...entry }: JournalEntry): string {
  const { operation, method, path, request, status } = entry;
  const asked = request === undefined ? "" : ` ${show(request)}`;
  const { text } = errorIn(response);
  const why = text === undefined ? "" : `: ${text}`;
  return `${operation ?? "unknown route"} ${method} ${path}${asked} → ${status ?? "dropped"}${why}`;
}

/** Returns the text and the path of the first error in an answer, which may be a fault's. */
export function errorIn(response: unknown): { readonly text?: string; readonly path?: string } {
  if (typeof response !== "object" || response === null) return {};
  const { details, errors } = response as Readonly<Record<string, unknown>>;
  const list = details ?? errors; // rule E-8
  const first: unknown = Array.isArray(list) ? list[0] : undefined;
  const found = { ...(first as object), ...response } as Readonly<Record<string, unknown>>;
  const { detail, message, path } = found;
  const text = detail ?? message;
  return {
    ...(typeof text === "string" && { text }),
    ...(typeof path === "string" && { path }),
  };
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

function parse(text: string): unknown {
  if (text === "") return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isDeeper(value, MAX_LEVELS) ? text : value;
  } catch {
    return text;
  }
}

function namesInFilter(request: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  if (isPlainObject(request)) collect(request.filter, "", names);
  return names;
}

function collect(part: unknown, path: string, names: Set<string>): void {
  if (Array.isArray(part)) for (const member of part) collect(member, path, names);
  if (!isPlainObject(part)) return;
  for (const [key, member] of Object.entries(part)) {
    if (key === "$exists" || key === "$notExists" || key === "$existsNot") {
      for (const name of [member].flat()) if (typeof name === "string") names.add(path + name);
    } else if (key.startsWith("$")) collect(member, path, names);
    else {
      names.add(path + key);
      collect(member, `${path}${key}.`, names);
    }
  }
}
