/// <reference lib="esnext.disposable" preserve="true" />
import { refuse } from "../errors.js";
import { refuseValue } from "../shape/fields.js";
import { readBySchema } from "../shape/read.js";
import * as s from "../shape/schema.js";
import { createRandom } from "../value/hash.js";
import { CALL_PATTERN, type Call, type CallPattern, matchesCall } from "./call.js";
import type { Answer, IncomingRequest } from "./message.js";

/** A fault: the calls that it affects, its effect and frequency. */
export interface FaultRule {
  /** The calls it strikes; default all. */
  readonly on?: CallPattern | undefined;
  /** Strikes only the nth matching call, counted from 1. */
  readonly nth?: number | undefined;
  /** Strikes each matching call with this probability, 0–1, drawn from the seed. */
  readonly probability?: number | undefined;
  /** The number of strikes; default 1; `Infinity` until removal. */
  readonly times?: number | undefined;
  /** Milliseconds to wait first; without other members the call then succeeds. */
  readonly delay?: number | undefined;
  /** The answer; the call does not reach the engine. */
  readonly answer?: FaultAnswer | undefined;
  /**
   * Ends the connection without an answer: before the call is executed (`request`), or after
   * (`answer`).
   */
  readonly drop?: "request" | "answer" | undefined;
  /** Ends the connection after this number of bytes of the answer's body. */
  readonly truncate?: number | undefined;
}

/** An injected answer. */
export interface FaultAnswer {
  /** The HTTP status. */
  readonly status: number;
  /** Text, or a value sent as JSON; default an error with its message. */
  readonly body?: unknown;
  /** Headers of the answer, by name. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** An added fault. */
export interface Fault extends Disposable {
  /** How often it has struck. */
  readonly strikes: number;
  /** Whether all strikes are used. */
  readonly isOver: boolean;
  /** Removes the fault. */
  remove(): void;
}

/** Injected faults: an option of handlers, fetches and servers. */
export interface Faults {
  /**
   * Adds a fault. If several match a call, the first one strikes. Throws `invalid_request` for
   * unknown keys, and for a rule without effect.
   */
  add(rule: FaultRule): Fault;
  /** Removes all faults. */
  clear(): void;
  /** Returns and counts the fault that strikes a call. */
  strike(call: Call): FaultRule | undefined;
}

interface Entry {
  readonly rule: FaultRule;
  calls: number;
  strikes: number;
}

/**
 * Creates an empty list of faults; `seed` determines their random strikes.
 *
 * @example
 * const faults = createFaults();
 * const fetch = createFetch(engine, { faults });
 * faults.add({ on: { operation: "queryTable" }, answer: { status: 503 } });
 */
export function createFaults({ seed = 0 }: { readonly seed?: number } = {}): Faults {
  const random = createRandom(seed);
  const entries = new Set<Entry>();
  return {
    add(value) {
      const rule = checkRule(value);
      const entry: Entry = { rule, calls: 0, strikes: 0 };
      entries.add(entry);
      const remove = (): void => void entries.delete(entry);
      return {
        get strikes() {
          return entry.strikes;
        },
        get isOver() {
          return !entries.has(entry);
        },
        remove,
        [Symbol.dispose]: remove,
      };
    },
    clear: () => entries.clear(),
    strike(call) {
      for (const entry of entries) {
        if (!matchesCall(call, entry.rule.on ?? {})) continue;
        const isStruck = isDue(entry, random);
        if (isStruck) entry.strikes++;
        const { nth = Number.POSITIVE_INFINITY, times = 1 } = entry.rule;
        if (entry.strikes >= times || entry.calls >= nth) entries.delete(entry);
        if (isStruck) return entry.rule;
      }
      return undefined;
    },
  };
}

function isDue(entry: Entry, random: () => number): boolean {
  const { nth, probability } = entry.rule;
  entry.calls++;
  if (nth !== undefined && entry.calls !== nth) return false;
  return probability === undefined || random() < probability * 2 ** 32;
}

export async function injectFault(
  rule: FaultRule,
  request: IncomingRequest,
  id: string,
  respond: () => Promise<Answer>,
): Promise<Answer> {
  const isGone = rule.delay !== undefined && !(await wait(rule.delay, request.openSignal()));
  if (isGone || rule.drop === "request") return hangUp();
  if (rule.answer !== undefined) return cut(answerFault(rule.answer, id), rule.truncate);
  const answer = await respond();
  return rule.drop === "answer" ? hangUp() : cut(answer, rule.truncate);
}

function hangUp(): Answer {
  return { status: 0, headers: {}, body: undefined, hangUpAfter: -1 };
}

function cut(answer: Answer, bytes: number | undefined): Answer {
  return bytes === undefined ? answer : { ...answer, hangUpAfter: bytes };
}

function answerFault({ status, body, headers = {} }: FaultAnswer, id: string): Answer {
  const isText = typeof body === "string";
  const content = body ?? { id, message: `fault injected (${status})` };
  const type = isText ? "text/plain" : "application/json";
  const isEmpty = status === 204 || status === 304;
  return {
    status,
    headers: { ...(isEmpty ? {} : { "content-type": type }), "x-request-id": id, ...headers },
    body: isEmpty ? undefined : isText ? body : JSON.stringify(content),
  };
}

/** Waits; resolves to false if the client disconnects first. */
function wait(ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(false);
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve(true);
    }, ms);
    const stop = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    signal.addEventListener("abort", stop, { once: true });
  });
}

const LONGEST_DELAY = 2 ** 31 - 1;
const HEADERS = sendable(s.dictionaryOf(s.TEXT), "names and values of headers", (values) =>
  Object.fromEntries(new Headers(values)),
);
const BODY = sendable(s.ANYTHING, "a JSON value", (body) => {
  JSON.stringify(body);
  return body;
});

/** Infinity is without limit. */
const TIMES = s.parsed<number>(s.numberOf(1), "a number from 1 up", (value) =>
  typeof value === "number" && value >= 1 ? value : undefined,
);

const FAULT_RULE: s.Schema<FaultRule> = s.reading(
  s.objectOf(
    {},
    {
      on: s.objectOf({}, CALL_PATTERN) as s.Schema<CallPattern>, // by its members
      nth: s.wholeOf(1),
      probability: s.numberOf(0, 1),
      times: TIMES,
      delay: s.numberOf(0, LONGEST_DELAY),
      answer: s.objectOf({ status: s.wholeOf(200, 599) }, { body: BODY, headers: HEADERS }),
      drop: s.oneOf(["request", "answer"]),
      truncate: s.wholeOf(0),
    },
  ),
  { what: "fault" },
);

function checkRule(value: unknown): FaultRule {
  const rule = readBySchema(FAULT_RULE, value);
  if ([rule.delay, rule.answer, rule.drop, rule.truncate].every((part) => part === undefined)) {
    refuse("invalid_request", "fault: expected a delay, an answer, a drop or a truncate");
  }
  return rule;
}

/** Refuses what would fail on sending; lower-cases names of headers. */
function sendable<T>(schema: s.Schema<T>, expected: string, read: (value: T) => T): s.Schema<T> {
  return s.mapped(schema, (value, part) => {
    try {
      return read(value);
    } catch {
      return refuseValue(value, expected, part);
    }
  });
}
