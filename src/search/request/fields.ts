import { pointer } from "../../errors.js";
import type { Profile } from "../../profile.js";
import { refuseValue, requireKnownKeys, requireObject } from "../../value/fields.js";

/** Reads one value of a request; `at` is the JSON pointer to it. */
type Reader = (value: unknown, at: string) => unknown;

/** What the readers of an object's keys have made of those that are given, in their order. */
export type Fields<R extends Readonly<Record<string, Reader>>> = {
  readonly [K in keyof R]?: Exclude<ReturnType<R[K]>, undefined>;
};

/**
 * Reads an object: keys that are not known first, then each value, in the order of the request
 * (rule E-6). Under `xata` null is as if absent (rule E-3).
 *
 * @throws TwinbaseError `invalid_request`
 */
export function readFields<R extends Readonly<Record<string, Reader>>>(
  given: unknown,
  at: string,
  readers: R,
  profile: Profile,
): Fields<R> {
  requireObject(given, { path: at, rule: "E-3" });
  requireKnownKeys(given, Object.keys(readers), { path: at });
  const keys = Object.keys(given).filter((key) => {
    const value = given[key];
    return value !== undefined && (value !== null || profile.base !== "xata");
  });
  const fields = keys.map((key) => [key, readers[key]!(given[key], pointer(at, key))] as const);
  return Object.fromEntries(fields) as Fields<R>; // by the readers of those keys
}

/** Refuses a value of a request, by the name of its key. */
export function refuseAt(expected: string, found: unknown, path: string, rule: string): never {
  const name = path.slice(path.lastIndexOf("/") + 1);
  refuseValue(found, expected, { what: name === "" ? undefined : name, path, rule });
}

/** A reader of whole numbers in a range, both ends of which are in it. */
export function wholeNumber(low: number, high: number, rule: string) {
  return (value: unknown, at: string): number => {
    const isGood = Number.isInteger(value) && Number(value) >= low && Number(value) <= high;
    return isGood
      ? Number(value)
      : refuseAt(`a whole number from ${low} to ${high}`, value, at, rule);
  };
}

/** A reader of finite numbers in a range. */
export function numberIn(low: number, high: number, rule: string) {
  const expected = Number.isFinite(low)
    ? Number.isFinite(high)
      ? `a number from ${low} to ${high}`
      : `a number from ${low} up`
    : "a number";
  return (value: unknown, at: string): number => {
    const isGood = Number.isFinite(value) && Number(value) >= low && Number(value) <= high;
    return isGood ? Number(value) : refuseAt(expected, value, at, rule);
  };
}

/** A reader of one of some texts. */
export function oneOf<T extends string>(texts: readonly T[], rule: string) {
  return (value: unknown, at: string): T =>
    texts.find((text) => text === value) ?? refuseAt(texts.join(" or "), value, at, rule);
}

export function readFlag(value: unknown, at: string): boolean {
  return typeof value === "boolean" ? value : refuseAt("true or false", value, at, "E-3");
}

/** A reader of texts. */
export function textFor(what: string, rule: string) {
  return (value: unknown, at: string): string =>
    typeof value === "string" ? value : refuseAt(what, value, at, rule);
}

/** A reader of arrays of at most so many members. */
export function listOf<T>(
  readMember: (value: unknown, at: string) => T,
  {
    least = 0,
    most,
    rule,
  }: { readonly least?: number; readonly most: number; readonly rule: string },
) {
  return (value: unknown, at: string): T[] => {
    if (!Array.isArray(value) || value.length < least || value.length > most)
      return refuseAt(`an array of ${least} to ${most}`, value, at, rule);
    // Not `map`, which would pass over the holes of an array.
    return Array.from(value as readonly unknown[], (member, index) =>
      readMember(member, pointer(at, index)),
    );
  };
}

/** A filter or another part that is read when it is bound, and where it is. */
export interface Unbound {
  readonly value: unknown;
  readonly at: string;
}

export function readLater(value: unknown, at: string): Unbound {
  return { value, at };
}
