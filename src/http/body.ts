import { describe, pointer, refuse } from "../errors.js";
import { requireObject } from "../shape/fields.js";
import { isDeeper } from "../value/json.js";
import type { RequestBody } from "./message.js";

/** Maximum levels of a body: those of a filter plus those of a json value. */
const MAX_LEVELS = 580;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Parses a body, which must be an object within the depth limit (L-3); default `{}` (E-3). */
export function parseBody(text: string): RequestBody {
  if (text === "") return {};
  const body = attempt<unknown>(
    () => JSON.parse(text),
    (error) => refuse("invalid_request", `malformed JSON: ${error.message}`, { rule: "E-3" }),
  );
  requireObject(body, { what: "body", rule: "E-3" });
  // Each level needs two brackets.
  if (text.length >= 2 * MAX_LEVELS) checkLevels(body);
  return body;
}

/** Limits the depth, because later code recurses. */
function checkLevels(body: RequestBody): void {
  for (const [key, value] of Object.entries(body)) {
    if (!isDeeper(value, MAX_LEVELS - 1)) continue;
    const part = { path: pointer("", key), rule: "L-3" };
    refuse(
      "invalid_request",
      `body: expected at most ${MAX_LEVELS} levels of arrays and objects`,
      part,
    );
  }
}

/** Keys below which null is a value (rule E-3). */
const VALUE_KEYS: ReadonlySet<string> = new Set([
  "filter",
  "summariesFilter",
  "ifMatchesFilter",
  "record",
  "records",
  "fields",
]);

export function withoutNulls(body: RequestBody): RequestBody {
  const entries = Object.entries(body).filter(([, value]) => value !== null);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, VALUE_KEYS.has(key) ? value : clearNulls(value)]),
  );
}

function clearNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(clearNulls);
  return typeof value === "object" && value !== null ? withoutNulls(value as RequestBody) : value;
}

export function decodeBody(bytes: Uint8Array): string {
  return attempt(
    () => decoder.decode(bytes),
    () => refuse("invalid_request", "body: expected UTF-8", { rule: "E-3" }),
  );
}

/** Collects a body in one array: its chunks may be single bytes, as objects a hundred times as large. */
export class BodyBytes {
  readonly #maxBytes: number;
  #array: Uint8Array = new Uint8Array(0);
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get held(): number {
    return this.#array.length;
  }

  get bytes(): Uint8Array {
    return this.#size === this.held ? this.#array : this.#array.slice(0, this.#size);
  }

  /** Returns false, and drops everything, beyond the maximum. */
  add(chunk: Uint8Array): boolean {
    const at = this.#size;
    this.#size += chunk.length;
    const isTooLarge = this.#size > this.#maxBytes;
    if (isTooLarge || at === 0) this.#array = isTooLarge ? new Uint8Array(0) : chunk;
    else {
      if (this.#size > this.held) {
        const grown = new Uint8Array(Math.max(this.#size, Math.min(2 * at, this.#maxBytes)));
        grown.set(this.#array);
        this.#array = grown;
      }
      this.#array.set(chunk, at);
    }
    return !isTooLarge;
  }
}

export function refuseSize(maxBytes: number): never {
  refuse("payload_too_large", `body: expected at most ${maxBytes} bytes`, { rule: "L-2" });
}

export function refuseCut(): never {
  refuse("invalid_request", "body: cut short", { rule: "E-3" });
}

export function decodeSegment(segment: string): string {
  if (!segment.includes("%")) return segment;
  return attempt(
    () => decodeURIComponent(segment),
    () =>
      refuse("invalid_request", `address: malformed percent-encoding in ${describe(segment)}`, {
        rule: "E-3",
      }),
  );
}

function attempt<T>(read: () => T, fail: (error: Error) => never): T {
  try {
    return read();
  } catch (error) {
    return fail(error as Error); // the parsers above throw Errors
  }
}
