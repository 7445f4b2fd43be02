import { readPointer, STATUS_BY_CODE } from "../../errors.js";
import type { Json } from "../../types.js";
import { isRuleId } from "../rules.js";
import type { WireResponse } from "../target/connection.js";
import { findDifference, isObject, type Strictness } from "./pattern.js";
import type { ErrorExpectation, Expectation, Pattern } from "./vector.js";

/** A difference between an answer and its expectation. */
export interface Mismatch {
  readonly message: string;
  readonly expected: Json;
  readonly found: Json;
}

export function findMismatch(
  expectation: Expectation,
  answer: WireResponse,
  strict: boolean,
): Mismatch | undefined {
  const { body } = answer;
  return (
    findStatusMismatch(expectation, answer) ??
    (strict
      ? (findErrorMismatch(expectation.error, body) ?? findFormMismatch(answer))
      : undefined) ??
    findBodyMismatch(expectation, answer) ??
    findRecordMismatch(expectation, body) ??
    findPlaceMismatch(expectation, answer)
  );
}

function mismatch(message: string, expected: Json, found: unknown): Mismatch {
  return { message, expected, found: (found ?? null) as Json }; // read from JSON
}

function findStatusMismatch(expectation: Expectation, answer: WireResponse): Mismatch | undefined {
  const { status, fails } = expectation;
  const said = isObject(answer.body) ? (answer.body.message ?? "") : "";
  const found = said === "" ? answer.status : `${answer.status}: ${String(said)}`;
  if (fails === true && !(answer.status >= 400 && answer.status < 500)) {
    return mismatch("the request should fail", "a status from 400 to 499", found);
  }
  const wanted = typeof status === "number" ? [status] : status;
  if (wanted !== undefined && !wanted.includes(answer.status)) {
    const expected = wanted.length === 1 ? (wanted[0] ?? 0) : wanted.join(" or ");
    return mismatch("the status differs", expected, found);
  }
  return undefined;
}

function findErrorMismatch(
  expected: ErrorExpectation | undefined,
  body: unknown,
): Mismatch | undefined {
  if (expected === undefined) return undefined;
  const found = isObject(body) ? body : {};
  if (expected.code !== undefined && found.code !== expected.code) {
    return mismatch("the error code differs", expected.code, found.code);
  }
  for (const part of expected.message ?? []) {
    const text = found.detail ?? found.message; // E-8
    if (!String(text ?? "").includes(part)) {
      return mismatch(`the message does not contain ${JSON.stringify(part)}`, part, text);
    }
  }
  const { path } = expected;
  const at = String(found.path ?? "");
  if (path !== undefined && at !== path && !at.startsWith(`${path}/`)) {
    return mismatch("the error path differs", path, found.path);
  }
  if (expected.rule !== undefined && (found.rule ?? expected.rule) !== expected.rule) {
    return mismatch("the error rule differs", expected.rule, found.rule);
  }
  return undefined;
}

/** Checks properties of every error (E-1, E-2): a message, and known names, also of a batch's. */
function findFormMismatch({ status, body }: WireResponse): Mismatch | undefined {
  if (status < 400 || !isObject(body)) return undefined;
  const { errors = [body], details = [] } = body;
  for (const error of [errors, details].flat()) {
    const found = isObject(error) ? findErrorFormMismatch(error) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function findErrorFormMismatch({
  message,
  code,
  path,
  rule,
}: Record<string, unknown>): Mismatch | undefined {
  if (typeof message !== "string" || message === "") {
    return mismatch("the error has no message", "a message", message);
  }
  if (code !== undefined && !Object.hasOwn(STATUS_BY_CODE, String(code))) {
    return mismatch("the error code does not exist", "a code of E-1", code);
  }
  if (path !== undefined && !(typeof path === "string" && /^(\/.*)?$/s.test(path))) {
    return mismatch("the error path is invalid", "a JSON pointer", path);
  }
  if (rule !== undefined && !(typeof rule === "string" && isRuleId(rule))) {
    return mismatch("the error rule does not exist", "the number of a rule", rule);
  }
  return undefined;
}

function findBodyMismatch(expectation: Expectation, { body, text }: WireResponse) {
  const { json, contains, noBody } = expectation;
  if (noBody === true && text !== "") {
    return mismatch("the body should be empty", "", text.slice(0, 200));
  }
  return (
    findPatternMismatch("body differs", json, body) ??
    findPatternMismatch("body differs", contains, body, "", "subset")
  );
}

function findPatternMismatch(
  what: string,
  pattern: Pattern | undefined,
  value: unknown,
  at = "",
  strictness: Strictness = "exact",
): Mismatch | undefined {
  if (pattern === undefined) return undefined;
  const difference = findDifference(pattern, value, strictness, at);
  if (difference === undefined) return undefined;
  const { pointer, expected, found } = difference;
  return mismatch(`the ${what} at ${pointer === "" ? "its root" : pointer}`, expected, found);
}

function findRecordMismatch(expectation: Expectation, body: unknown): Mismatch | undefined {
  const { records: wanted, ids = {}, count, page } = expectation;
  if ([wanted, expectation.ids, count, page].every((part) => part === undefined)) return undefined;
  const records = readPointer(body, "/records");
  if (!Array.isArray(records)) return mismatch("the answer has no records", "an array", records);
  const found = records.map((record: unknown) => String(readPointer(record, "/id")));
  if (ids.exact !== undefined && !sameTexts(ids.exact, found)) {
    return mismatch("the records or their order differ", [...ids.exact], found);
  }
  if (ids.unordered !== undefined && !sameTexts(ids.unordered.toSorted(), found.toSorted())) {
    return mismatch("the records differ", [...ids.unordered], found);
  }
  if (count !== undefined && records.length !== count) {
    return mismatch("the number of records differs", count, records.length);
  }
  const difference = findPatternMismatch("records differ", wanted?.exact, records, "/records");
  if (difference !== undefined) return difference;
  for (const [key, value] of Object.entries(page ?? {})) {
    const other = readPointer(body, `/meta/page/${key}`);
    if (other !== value) return mismatch(`meta.page.${key} differs`, value, other);
  }
  return undefined;
}

function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function findPlaceMismatch(expectation: Expectation, answer: WireResponse): Mismatch | undefined {
  const { at = {}, not = {}, absent = [], keys = {}, headers = {} } = expectation;
  const valueAt = (pointer: string): unknown => readPointer(answer.body, pointer);
  for (const [pointer, pattern] of Object.entries(at)) {
    const wrong = findPatternMismatch("body differs", pattern, valueAt(pointer), pointer);
    if (wrong !== undefined) return wrong;
  }
  for (const [pointer, pattern] of Object.entries(not)) {
    if (findDifference(pattern, valueAt(pointer)) !== undefined) continue;
    return mismatch(`${pointer} should differ`, { not: pattern }, valueAt(pointer));
  }
  for (const pointer of absent) {
    if (valueAt(pointer) === undefined) continue;
    return mismatch(`${pointer} should be absent`, null, valueAt(pointer));
  }
  for (const [pointer, names] of Object.entries(keys)) {
    const found = valueAt(pointer);
    const order = isObject(found) ? Object.keys(found) : [];
    if (sameTexts(names, order)) continue;
    return mismatch(`the keys at ${pointer} or their order differ`, [...names], order);
  }
  for (const [name, pattern] of Object.entries(headers)) {
    const found = answer.headers[name];
    if (found !== undefined && new RegExp(pattern).test(found)) continue;
    return mismatch(`the header ${name} differs`, pattern, found);
  }
  return undefined;
}
