import { pointer, refuse } from "../../errors.js";
import { readFields, refuseValue } from "../../value/fields.js";

export interface GivenStatement {
  readonly text: string;
  readonly params: readonly unknown[];
  /** JSON Pointer of the statement's object. */
  readonly path: string;
}

export interface SqlRequest {
  readonly statements: readonly GivenStatement[];
  /** Whether to return rows as arrays instead of objects. */
  readonly asArrays: boolean;
}

/** Maximum number of statements, as of operations in a transaction. */
const MAX_STATEMENTS = 1000;
const RULE = "E-3";

/** PostgreSQL parses long lists in quadratic time, and cannot be interrupted meanwhile. */
const MAX_LENGTH = 100_000;
const MAX_COMMAS = 2000;
/** Each join lists the columns of all before it, each query those of its tables. */
const MAX_JOINS = 50;
const MAX_QUERIES = 200;
/** The same for nested comments and long operators. */
const MAX_RUN = 1000;
const OPERATOR = "[-+*/<>=~!@#%^&|`?]";
const LONG_OPERATOR = new RegExp(`(?<!${OPERATOR})${OPERATOR}{${MAX_RUN + 1}}`);

export function readSqlRequest(body: unknown): SqlRequest {
  const { responseType, consistency, statement, params } = readFields(
    body,
    ["statement", "params", "consistency", "responseType"],
    { rule: RULE },
  );
  const given = readStatement({ statement, params }, "");
  return { statements: [given], asArrays: readResponse(responseType, consistency) };
}

export function readSqlBatch(body: unknown): SqlRequest {
  const { responseType, consistency, statements } = readFields(
    body,
    ["statements", "consistency", "responseType"],
    { rule: RULE },
  );
  const at = { path: "/statements", rule: RULE };
  if (!Array.isArray(statements) || statements.length > MAX_STATEMENTS) {
    refuseValue(statements, `an array of at most ${MAX_STATEMENTS} statements`, at);
  }
  const read = statements.map((given: unknown, index) => {
    const path = pointer("/statements", index);
    return readStatement(readFields(given, ["statement", "params"], { path, rule: RULE }), path);
  });
  return { statements: read, asArrays: readResponse(responseType, consistency) };
}

function readStatement(
  { statement, params }: { readonly statement?: unknown; readonly params?: unknown },
  path: string,
): GivenStatement {
  const isText = typeof statement === "string" && statement.isWellFormed();
  // PostgreSQL texts end at U+0000.
  if (!isText || statement.trim() === "" || statement.includes("\0")) {
    const at = { path: pointer(path, "statement"), rule: RULE };
    refuseValue(statement, "a statement of SQL", at);
  }
  if (
    statement.length > MAX_LENGTH ||
    countOf(statement, ",") > MAX_COMMAS ||
    countOf(statement, /join/i) > MAX_JOINS ||
    countOf(statement, /select|table/i) > MAX_QUERIES ||
    countOf(statement, "/*") > MAX_RUN ||
    LONG_OPERATOR.test(statement)
  ) {
    const most = `at most ${MAX_LENGTH} characters, ${MAX_COMMAS} commas, ${MAX_JOINS} joins, ${MAX_QUERIES} queries, ${MAX_RUN} times "/*" and ${MAX_RUN} operator characters in a row`;
    refuse("invalid_request", `expected ${most}; values can be params`, {
      path: pointer(path, "statement"),
      rule: RULE,
    });
  }
  if (params != null && !Array.isArray(params)) {
    refuseValue(params, "an array of values", { path: pointer(path, "params"), rule: RULE });
  }
  for (const [index, value] of (params ?? []).entries()) {
    if (isWellFormed(value)) continue;
    const at = { path: pointer(pointer(path, "params"), index), rule: "T-4" };
    refuseValue(value, "text without lone surrogates", at);
  }
  return { text: statement, params: params ?? [], path };
}

function countOf(text: string, part: string | RegExp): number {
  return text.split(part).length - 1;
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  return !Array.isArray(value) || value.every(isWellFormed);
}

function readResponse(responseType: unknown, consistency: unknown): boolean {
  readChoice("responseType", responseType, ["json", "array"]);
  readChoice("consistency", consistency, ["strong", "eventual"]);
  return responseType === "array";
}

function readChoice(key: string, value: unknown, choices: readonly string[]): void {
  // The client of the profile `xata` sends null for absent values.
  if (value == null || choices.some((choice) => choice === value)) return;
  refuseValue(value, choices.join(" or "), { path: pointer("", key), rule: RULE });
}
