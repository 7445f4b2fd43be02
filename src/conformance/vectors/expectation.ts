import { readPointer, STATUS_BY_CODE } from "../../errors.js";
import type { Json } from "../../types.js";
import { comparable, compareKeys } from "../oracle/order.js";
import { isRuleId } from "../rules.js";
import type { WireResponse } from "../target/connection.js";
import { findDifference, isObject } from "./pattern.js";
import type { ErrorExpectation, Expectation, RecordsExpectation } from "./vector.js";

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
    (strict ? findErrorMismatch(expectation.error, body) : undefined) ??
    (strict ? findFormMismatch(answer) : undefined) ??
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

function findBodyMismatch(expectation: Expectation, answer: WireResponse): Mismatch | undefined {
  const { json, contains, noBody } = expectation;
  if (noBody === true && answer.text !== "") {
    return mismatch("the body should be empty", "", answer.text.slice(0, 200));
  }
  const difference =
    (json === undefined ? undefined : findDifference(json, answer.body)) ??
    (contains === undefined ? undefined : findDifference(contains, answer.body, "subset"));
  return (
    difference &&
    mismatch(`the body differs at ${at(difference)}`, difference.expected, difference.found)
  );
}

function at({ pointer }: { readonly pointer: string }): string {
  return pointer === "" ? "its root" : pointer;
}

function findRecordMismatch(expectation: Expectation, body: unknown): Mismatch | undefined {
  const { records: wanted, ids, count, page } = expectation;
  if (wanted === undefined && ids === undefined && count === undefined && page === undefined) {
    return undefined;
  }
  const records = readPointer(body, "/records");
  if (!Array.isArray(records)) return mismatch("the answer has no records", "an array", records);
  const found = records.map((record: unknown) => String(readPointer(record, "/id"))) as string[];
  if (ids?.exact !== undefined && !sameTexts(ids.exact, found)) {
    return mismatch("the records or their order differ", [...ids.exact], found);
  }
  if (ids?.unordered !== undefined && !sameTexts([...ids.unordered].sort(), [...found].sort())) {
    return mismatch("the records differ", [...ids.unordered], found);
  }
  if (count !== undefined && records.length !== count) {
    return mismatch("the number of records differs", count, records.length);
  }
  return findRecordsMismatch(wanted, records) ?? findPageMismatch(page, body);
}

function findPageMismatch(page: Expectation["page"], body: unknown): Mismatch | undefined {
  for (const [key, value] of Object.entries(page ?? {})) {
    const found = readPointer(body, `/meta/page/${key}`);
    if (found !== value) return mismatch(`meta.page.${key} differs`, value, found);
  }
  return undefined;
}

function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((text, i) => text === b[i]);
}

function findRecordsMismatch(
  wanted: RecordsExpectation | undefined,
  records: readonly unknown[],
): Mismatch | undefined {
  if (wanted?.exact !== undefined) {
    const difference = findDifference(wanted.exact, records);
    if (difference !== undefined) {
      const place = `/records${difference.pointer}`;
      return mismatch(`the records differ at ${place}`, difference.expected, difference.found);
    }
  }
  if (wanted?.unordered !== undefined) {
    const left = [...records];
    for (const pattern of wanted.unordered) {
      const i = left.findIndex((record) => findDifference(pattern, record) === undefined);
      if (i < 0) return mismatch("a record is missing", pattern, left);
      left.splice(i, 1);
    }
    if (left.length > 0) return mismatch("there are too many records", [], left);
  }
  return wanted?.orderedBy && findOrderMismatch(wanted.orderedBy, records);
}

function findOrderMismatch(
  keys: NonNullable<RecordsExpectation["orderedBy"]>,
  records: readonly unknown[],
): Mismatch | undefined {
  for (let i = 1; i < records.length; i++) {
    const [before, after] = [records[i - 1], records[i]];
    let order = 0;
    for (const key of keys) {
      const [pointer = "", direction] = Object.entries(key)[0] ?? [];
      const [a, b] = [before, after].map(
        (record) => (readPointer(record, pointer) ?? null) as Json,
      );
      order ||= compareKeys(comparable("json", a!), comparable("json", b!), direction === "desc");
    }
    if (order > 0)
      return mismatch(`records ${i - 1} and ${i} are out of order`, [...keys], records);
  }
  return undefined;
}

function findPlaceMismatch(expectation: Expectation, answer: WireResponse): Mismatch | undefined {
  const { at: places = {}, not: others = {}, absent = [], keys = {}, headers = {} } = expectation;
  for (const [pointer, pattern] of Object.entries(places)) {
    const difference = findDifference(pattern, readPointer(answer.body, pointer), "exact", pointer);
    if (difference !== undefined) {
      return mismatch(
        `the body differs at ${difference.pointer}`,
        difference.expected,
        difference.found,
      );
    }
  }
  for (const [pointer, pattern] of Object.entries(others)) {
    const found = readPointer(answer.body, pointer);
    if (findDifference(pattern, found) === undefined) {
      return mismatch(`${pointer} should differ`, { not: pattern }, found);
    }
  }
  for (const pointer of absent) {
    const found = readPointer(answer.body, pointer);
    if (found !== undefined) return mismatch(`${pointer} should be absent`, null, found);
  }
  for (const [pointer, names] of Object.entries(keys)) {
    const found = readPointer(answer.body, pointer);
    const order = isObject(found) ? Object.keys(found) : [];
    if (!sameTexts(names, order)) {
      return mismatch(`the keys at ${pointer} or their order differ`, [...names], order);
    }
  }
  for (const [name, pattern] of Object.entries(headers)) {
    const found = answer.headers[name];
    if (found === undefined || !new RegExp(pattern).test(found)) {
      return mismatch(`the header ${name} differs`, pattern, found);
    }
  }
  return undefined;
}
