import { below, pointerTo, refuse } from "../../errors.js";
import { type RequestPart, refuseValue } from "../../shape/fields.js";
import * as s from "../../shape/schema.js";
import { isArray } from "../../value/json.js";

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

const STATEMENT = s.mapped(
  s.described({ type: "string", minLength: 1, description: "One statement of SQL." }),
  readText,
);
const PARAMS = s.mapped(
  s.described({ type: ["array", "null"], items: {}, description: "The values of $1, $2 …" }),
  readParams,
);
const RESPONSE = {
  consistency: optionOf(["strong", "eventual"], "Changes nothing here."),
  responseType: optionOf(["json", "array"], "Default json."),
};

export const SQL_REQUEST: s.Schema<SqlRequest> = s.mapped(
  s.objectOf({ statement: STATEMENT }, { params: PARAMS, ...RESPONSE }),
  ({ responseType, ...given }, part) => ({
    statements: [toStatement(given, part)],
    asArrays: responseType === "array",
  }),
);

export const SQL_BATCH: s.Schema<SqlRequest> = s.mapped(
  s.objectOf(
    {
      statements: {
        ...s.arrayOf(
          s.mapped(s.objectOf({ statement: STATEMENT }, { params: PARAMS }), toStatement),
        ),
        maxItems: MAX_STATEMENTS,
      },
    },
    RESPONSE,
  ),
  ({ statements, responseType }) => ({ statements, asArrays: responseType === "array" }),
);

function toStatement(
  { statement, params = [] }: { readonly statement: string; readonly params?: readonly unknown[] },
  { path = "" }: RequestPart,
): GivenStatement {
  return { text: statement, params, path: pointerTo(path) };
}

function readText(text: unknown, part: RequestPart): string {
  const { path, rule } = part;
  // PostgreSQL texts end at U+0000.
  if (
    typeof text !== "string" ||
    !text.isWellFormed() ||
    text.trim() === "" ||
    text.includes("\0")
  ) {
    return refuseValue(text, "a statement of SQL", part);
  }
  if (
    text.length <= MAX_LENGTH &&
    countOf(text, ",") <= MAX_COMMAS &&
    countOf(text, /join/i) <= MAX_JOINS &&
    countOf(text, /select|table/i) <= MAX_QUERIES &&
    countOf(text, "/*") <= MAX_RUN &&
    !LONG_OPERATOR.test(text)
  ) {
    return text;
  }
  const most = `at most ${MAX_LENGTH} characters, ${MAX_COMMAS} commas, ${MAX_JOINS} joins, ${MAX_QUERIES} queries, ${MAX_RUN} times "/*" and ${MAX_RUN} operator characters in a row`;
  refuse("invalid_request", `expected ${most}; values can be params`, { path, rule });
}

function readParams(given: unknown, part: RequestPart): readonly unknown[] {
  const params = given ?? [];
  if (!isArray(params)) return refuseValue(given, "an array of values", part);
  const index = params.findIndex((value) => !isWellFormed(value));
  if (index < 0) return params;
  const at = { ...part, path: below(part.path ?? "", index), rule: "T-4" };
  return refuseValue(params[index], "text without lone surrogates", at);
}

function countOf(text: string, part: string | RegExp): number {
  return text.split(part).length - 1;
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  return !isArray(value) || value.every(isWellFormed);
}

/** One of some texts; the client of the profile `xata` sends null for absent values. */
function optionOf<T extends string>(
  choices: readonly T[],
  description: string,
): s.Schema<T | undefined> {
  return s.mapped(s.described({ enum: choices, description }), (value, part) =>
    value === null
      ? undefined
      : (choices.find((choice) => choice === value) ??
        refuseValue(value, choices.join(" or "), part)),
  );
}
