import { pointer } from "../../errors.js";
import type { Profile } from "../../profile.js";
import {
  type NumberRange,
  type RequestPart,
  readNumber,
  refuseValue,
  requireKnownKeys,
  requireObject,
} from "../../value/fields.js";

type Reader = (value: unknown, at: string) => unknown;

export type Fields<R extends Readonly<Record<string, Reader>>> = {
  readonly [K in keyof R]?: Exclude<ReturnType<R[K]>, undefined>;
};

/** Reads an object in the order of the request, after rejecting unknown keys (E-6). */
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
  return Object.fromEntries(fields) as Fields<R>; // each value comes from its key's reader
}

export function refuseAt(expected: string, found: unknown, path: string, rule: string): never {
  refuseValue(found, expected, partAt(path, rule));
}

function partAt(path: string, rule: string): RequestPart {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return { what: name === "" ? undefined : name, path, rule };
}

/** Reads a number in a range; infinities are refused although a range without an end holds them. */
export function numberIn(range: NumberRange, rule: string, kind?: "a number") {
  return (value: unknown, at: string): number => {
    const number = readNumber(value, range, partAt(at, rule), kind);
    return Number.isFinite(number) ? number : refuseAt("a finite number", value, at, rule);
  };
}

export function oneOf<T extends string>(texts: readonly T[], rule: string) {
  return (value: unknown, at: string): T =>
    texts.find((text) => text === value) ?? refuseAt(texts.join(" or "), value, at, rule);
}

export function readFlag(value: unknown, at: string): boolean {
  return typeof value === "boolean" ? value : refuseAt("true or false", value, at, "E-3");
}

export function textFor(what: string, rule: string) {
  return (value: unknown, at: string): string =>
    typeof value === "string" ? value : refuseAt(what, value, at, rule);
}

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
    // Not `map`: it skips holes.
    return Array.from(value as readonly unknown[], (member, index) =>
      readMember(member, pointer(at, index)),
    );
  };
}

/** A part of a request that is validated when it is bound, with its JSON Pointer. */
export interface Unbound {
  readonly value: unknown;
  readonly at: string;
}

export function readLater(value: unknown, at: string): Unbound {
  return { value, at };
}
