import { isDeeper, isPlainObject } from "../value/json.js";
import {
  CALL_MEMBERS,
  type Call,
  type CallPattern,
  checkCallPattern,
  matchesMember,
} from "./call.js";
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
  /** Writes an entry. */
  add(call: Call, request: string | undefined, answer: Answer, ms: number): void;
}

const MEMBERS = [...CALL_MEMBERS, "status", "filteredBy", "request", "response"] as const;
type Member = (typeof MEMBERS)[number];

/** Levels of arrays and objects in a body; deeper bodies are stored as text. */
const MAX_LEVELS = 500;

const MAX_SHOWN = 200;

/** Default limit for the bodies of all entries. */
const DEFAULT_CHARACTERS = 32 * 1024 * 1024;

/** Limits of a journal. */
export interface JournalOptions {
  /** Entries; default 1000. */
  readonly limit?: number | undefined;
  /** Characters of the bodies of all entries; default 32 Mi. Longer bodies are left out. */
  readonly characters?: number | undefined;
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
  const { limit = 1000, characters = DEFAULT_CHARACTERS } = options;
  const kept: JournalEntry[] = [];
  const sizes: number[] = [];
  let size = 0;
  let index = 0;
  const entries = (pattern: JournalPattern = {}): JournalEntry[] => {
    // A misspelt key would match every entry.
    checkCallPattern(pattern, MEMBERS, { what: "pattern", rule: "E-3" });
    return kept.filter((entry) => MEMBERS.every((member) => matches(entry, member, pattern)));
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
    },
    add(call, request, { status, body, hangUpAfter }, ms) {
      if (limit <= 0) return;
      const isDropped = hangUpAfter === -1;
      const answered = body instanceof Uint8Array ? new TextDecoder().decode(body) : body;
      const [sent, received] = [request, isDropped ? undefined : answered].map((text = "") =>
        text.length <= characters ? text : `${text.length} characters, which are not kept`,
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
      const added = sent.length + received.length;
      sizes.push(added);
      size += added;
      while (kept.length > limit || (size > characters && kept.length > 1)) {
        kept.shift();
        size -= sizes.shift()!; // one for each entry
      }
    },
  };
}

function matches(entry: JournalEntry, member: Member, pattern: JournalPattern): boolean {
  const wanted = pattern[member];
  if (wanted === undefined) return true;
  switch (member) {
    case "status":
      return entry.status === wanted;
    case "request":
    case "response":
      return includes(entry[member], wanted);
    case "filteredBy": {
      const names = namesInFilter(entry.request);
      return [pattern.filteredBy ?? []].flat().every((name) => names.has(name));
    }
    default:
      return matchesMember(entry, member, wanted);
  }
}

/** Whether a value has at least the members of another, at every level. */
function includes(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== "object" || wanted === null) return Object.is(value, wanted);
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(value) &&
      value.length === wanted.length &&
      wanted.every((member, i) => includes(value[i], member))
    );
  }
  const members = new Map<string, unknown>(Object.entries(value));
  return Object.entries(wanted).every(
    ([key, member]) => member === undefined || includes(members.get(key), member),
  );
}

/** Applies the members of a pattern one by one while any entry matches. */
function explain(
  kept: readonly JournalEntry[],
  pattern: JournalPattern,
  count: number,
  times: number | undefined,
): string {
  const wanted = MEMBERS.filter((member) => pattern[member] !== undefined);
  const all = wanted.map((member) => describe(member, pattern)).join(", ") || "any";
  const expected = times === undefined ? "one or more calls" : `${times} calls`;
  const lines = [`expected ${expected} with ${all}; found ${count}`];
  let left = kept;
  for (const member of wanted) {
    const next = left.filter((entry) => matches(entry, member, pattern));
    const lacking = describe(member, pattern);
    if (next.length === 0) {
      lines.push(`${left.length} calls match otherwise, none with ${lacking}`);
      break;
    }
    left = next;
  }
  const nearest = count > 0 ? [] : left.slice(-3);
  for (const entry of nearest) lines.push(`nearest: ${describeEntry(entry)}`);
  if (kept.length === 0) lines.push("the journal is empty");
  return lines.join("\n");
}

function describe(member: Member, pattern: JournalPattern): string {
  const wanted = pattern[member];
  return `${member} ${wanted instanceof RegExp ? String(wanted) : show(wanted)}`;
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
