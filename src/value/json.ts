import { pointer } from "../errors.js";
import type { Json } from "../types.js";
import { formatDate } from "./datetime.js";

export interface JsonFault {
  readonly fault: string;
  readonly at: string;
}

const MAX_LEVELS = 500;

/**
 * Copies a value as JSON (rules T-11, R-9): drops undefined, converts Dates and −0; rejects class
 * instances, cycles, lone surrogates and more than 500 levels.
 */
export function copyJson(value: unknown): { readonly value: Json } | JsonFault {
  const walk: Walk = { ancestors: [], steps: [], fault: "" };
  const copy = copyValue(value, walk);
  if (copy !== undefined) return { value: copy };
  return { fault: walk.fault, at: walk.steps.reduceRight(pointer, "") };
}

/** Whether a value is an array, and its length valid: that of a proxy may be anything. */
export function isArray<T>(value: T): value is T & readonly (T extends Json ? Json : unknown)[] {
  if (!Array.isArray(value)) return false;
  const { length } = value as { readonly length: unknown };
  return Number.isInteger(length) && (length as number) >= 0 && (length as number) < 2 ** 32;
}

/** Whether an object has no prototype, or the root prototype of any realm. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether `for in` lists inherited keys. */
export function inheritsKeys(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  for (const _ in prototype as object | null) return true; // null has no keys
  return false;
}

/** Whether a value has more levels of arrays and objects. */
export function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((member) => isDeeper(member, levels - 1));
  const members = value as Readonly<Record<string, unknown>>; // not an array, so an object
  for (const key in members) if (isDeeper(members[key], levels - 1)) return true;
  return false;
}

export function cloneJson(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (isArray(value)) return value.map(cloneJson);
  const copy: { [key: string]: Json } = {};
  for (const key of Object.keys(value)) setKey(copy, key, cloneJson(value[key]!));
  return copy;
}

/** Deep equality; ignores the order of keys (rule T-11). */
export function equalJson(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (isArray(a) || isArray(b)) {
    if (!isArray(a) || !isArray(b) || a.length !== b.length) return false;
    return a.every((member, i) => equalJson(member, b[i]!));
  }
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && equalJson(a[key]!, b[key]!));
}

/** Returns JSON with sorted keys: equal exactly for deeply equal values. */
export function canonicalJson(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const entries = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key]!)}`);
  return `{${entries.join(",")}}`;
}

/** Yields each text in a JSON value, and each number as JSON writes it; no keys. */
export function* textsIn(value: Json): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "number") yield JSON.stringify(value);
  else if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) yield* textsIn(member);
  }
}

interface Walk {
  readonly ancestors: object[];
  /** The path to an error, innermost key first. */
  readonly steps: (string | number)[];
  fault: string;
}

function copyValue(value: unknown, walk: Walk): Json | undefined {
  switch (typeof value) {
    case "string":
      return value.isWellFormed() ? value : refuse(walk, "a lone surrogate");
    case "number":
      if (!Number.isFinite(value)) return refuse(walk, String(value));
      return value === 0 ? 0 : value;
    case "boolean":
      return value;
    case "undefined":
      return refuse(walk, "undefined");
    case "object":
      return value === null ? null : copyObject(value, walk);
    default:
      return refuse(walk, `a ${typeof value}`);
  }
}

function copyObject(value: object, walk: Walk): Json | undefined {
  if (value instanceof Date)
    return formatDate(value) ?? refuse(walk, "a Date without RFC 3339 form");
  const { ancestors } = walk;
  if (ancestors.includes(value)) return refuse(walk, "a cycle");
  if (ancestors.length === MAX_LEVELS) return refuse(walk, `more than ${MAX_LEVELS} levels`);
  ancestors.push(value);
  if (Array.isArray(value) && !isArray(value)) return refuse(walk, "an array of invalid length");
  const copy = isArray(value) ? copyMembers(value, walk) : copyProperties(value, walk);
  ancestors.pop();
  return copy;
}

function copyMembers(members: readonly unknown[], walk: Walk): Json | undefined {
  const copy: Json[] = [];
  for (let i = 0; i < members.length; i++) {
    const member = copyValue(members[i], walk);
    if (member === undefined) return step(walk, i);
    copy.push(member);
  }
  return copy;
}

function copyProperties(value: object, walk: Walk): Json | undefined {
  if (!isPlainObject(value)) return refuse(walk, "an instance of a class");
  const copy: { [key: string]: Json } = {};
  for (const key of Object.keys(value)) {
    const property = value[key];
    if (property === undefined) continue;
    const member = key.isWellFormed()
      ? copyValue(property, walk)
      : refuse(walk, "a lone surrogate in a key");
    if (member === undefined) return step(walk, key);
    setKey(copy, key, member);
  }
  return copy;
}

function refuse(walk: Walk, fault: string): undefined {
  walk.fault = fault;
  return undefined;
}

function step(walk: Walk, key: string | number): undefined {
  walk.steps.push(key);
  return undefined;
}

/** Sets a property, even `__proto__`. */
function setKey(target: { [key: string]: Json }, key: string, value: Json): void {
  if (key !== "__proto__") target[key] = value;
  else {
    Object.defineProperty(target, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
}
