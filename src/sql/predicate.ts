import {
  type Bound,
  type ColumnRef,
  isJsonPath,
  type Leaf,
  type NullTest,
  type Predicate,
  type RangeTest,
  type Test,
} from "../query/bound/bound-query.js";
import type { StoredValue } from "../schema/columns.js";
import type { Json } from "../types.js";
import { formatArray } from "./arrays.js";
import { itemEqualTo, memberEqualTo } from "./demand.js";
import { columnName, type Dialect, type FromClause, type StatementWriter } from "./statement.js";
import { writeText } from "./text.js";
import { writeTextTest } from "./text-test.js";
import { amongUnique, equalsUnique } from "./unique.js";
import { castType, columnType, encodeJson, encodeValue, type SqlValueType } from "./values.js";

/** State while the conditions of one `select` are written. */
export interface SqlScope {
  readonly writer: StatementWriter;
  readonly dialect: Dialect;
  readonly from: FromClause;
}

interface Item {
  readonly expression: string;
  readonly depth: number;
}

/** True for matching rows, false or null for others. Leaves handle null (F-30). */
export function writePredicate(context: SqlScope, predicate: Predicate, item?: Item): string {
  switch (predicate.kind) {
    case "constant":
      return String(predicate.value);
    case "null":
      return writeNull(context, predicate, item);
    case "all":
    case "any": {
      const parts = predicate.parts.map((part) => writePredicate(context, part, item));
      return `(${parts.join(predicate.kind === "all" ? " and " : " or ")})`;
    }
    case "leaf":
      return writeLeaf(context, predicate, item);
  }
}

function writeNull(context: SqlScope, { column, isNull }: NullTest, item?: Item): string {
  return `${writeColumn(context, column, item)} is ${isNull ? "" : "not "}null`;
}

function writeLeaf(context: SqlScope, leaf: Leaf, item?: Item): string {
  const { column, test, negated, nullMatches } = leaf;
  const value = writeColumn(context, column, item);
  const json = item === undefined ? memberEqualTo(leaf) : undefined;
  if (json !== undefined) {
    const inside = context.writer.bind(encodeJson(json), "jsonb");
    const whole = writeColumn(context, { ...column, keys: undefined });
    const same = writeTest(context, value, { test, type: column.type, depth: 0 });
    // The indexed expression, which matches a superset.
    return `(${whole} @> ${inside} and ${same})`;
  }
  const member = itemEqualTo(leaf);
  if (member !== undefined) context.writer.planEach();
  const holds =
    member === undefined
      ? writeTest(context, value, {
          test,
          type: column.type,
          depth: item?.depth ?? 0,
          isUnique: item === undefined && context.from.isUnique(column),
        })
      : `${value} @> array[${context.writer.bind(writeText(member))}]`; // the indexed expression
  if (!negated) return nullMatches ? `(${value} is null or ${holds})` : holds;
  // A value of another type than the literal compares false, not null (F-17).
  const fails = `(${holds}) is not true`;
  return nullMatches ? `(${fails})` : `(${value} is not null and ${fails})`;
}

/** The value of a column; null behind a dangling link. */
export function writeColumn({ writer, from }: SqlScope, column: ColumnRef, item?: Item): string {
  const { hops, slot, type, keys } = column;
  if (item !== undefined && slot < 0) return item.expression;
  const value = `${from.aliasOf(hops)}.${columnName(slot)}`;
  if (isJsonPath(column)) return jsonPath(writer, `${value}::jsonb`, keys ?? []);
  if (keys !== undefined) {
    // F-18: a file member
    return `((${value}::json ->> ${writer.bind(keys.join())})::${columnType(type)})`;
  }
  return type === "json" ? `${value}::jsonb` : value;
}

interface TypedTest {
  readonly test: Test;
  readonly type: SqlValueType;
  readonly depth: number;
  readonly isUnique?: boolean;
}

function writeTest(context: SqlScope, value: string, tested: TypedTest): string {
  const { test, type, depth, isUnique = false } = tested;
  const { writer, dialect } = context;
  // Selectivity depends much on the value.
  if (test.kind !== "equals") writer.planEach();
  switch (test.kind) {
    case "equals": {
      const literal = writeLiteral(writer, type, test.value);
      return isUnique ? equalsUnique(type, value, literal) : `${value} = ${literal}`;
    }
    case "among":
      return writeAmong(writer, value, tested, test.values);
    case "range":
      return writeRange(writer, value, type, test);
    case "text": {
      if (type !== "json") return writeTextTest({ writer, dialect }, value, test);
      return whereJson(value, "string", writeTextTest({ writer, dialect }, textOf(value), test));
    }
    case "items": {
      const name = `i${depth + 1}`;
      const isJson = type === "json";
      const expression = isJson ? `nullif(${name}.v, 'null'::jsonb)` : `${name}.v`;
      const holds = writePredicate(context, test.item, { expression, depth: depth + 1 });
      const members = `${isJson ? "jsonb_array_elements" : "unnest"}(${value}) ${name}(v)`;
      const exists =
        test.quantifier === "some"
          ? `exists (select 1 from ${members} where ${holds})`
          : `not exists (select 1 from ${members} where (${holds}) is not true)`;
      return isJson ? whereJson(value, "array", exists) : exists;
    }
  }
}

function writeLiteral(writer: StatementWriter, type: SqlValueType, value: StoredValue): string {
  if (type === "json") return writer.bind(encodeJson(value as Json), "jsonb"); // a JSON literal
  return writer.bind(encodeValue(type, value), castType(type));
}

function writeAmong(
  writer: StatementWriter,
  value: string,
  { type, isUnique = false }: TypedTest,
  values: readonly StoredValue[],
): string {
  if (type === "json" || type === "multiple") {
    // Nested PostgreSQL arrays need equal lengths; JSON does not.
    const texts = values.map((wanted) => encodeJson(wanted as Json)); // lists of strings are JSON
    const compared = type === "json" ? value : `to_jsonb(${value})`;
    return `${compared} = any(${writer.bind(formatArray(texts), "jsonb[]")})`;
  }
  const texts = values.map((wanted) => encodeValue(type, wanted) ?? "");
  const array = writer.bind(formatArray(texts), `${castType(type)}[]`);
  return isUnique ? amongUnique(type, value, array) : `${value} = any(${array})`;
}

function writeRange(
  writer: StatementWriter,
  value: string,
  type: SqlValueType,
  { low, high }: RangeTest,
): string {
  const parts: string[] = [];
  for (const [bound, sign] of [
    [low, ">"],
    [high, "<"],
  ] as const) {
    if (bound === undefined) continue;
    const operator = bound.inclusive ? `${sign}=` : sign;
    parts.push(
      type === "json"
        ? writeJsonBound(writer, value, operator, bound)
        : `${value} ${operator} ${writeLiteral(writer, type, bound.value)}`,
    );
  }
  return `(${parts.join(" and ")})`;
}

/** The bound's type decides (F-18). */
function writeJsonBound(
  writer: StatementWriter,
  value: string,
  operator: string,
  bound: Bound,
): string {
  if (typeof bound.value === "number") {
    const number = writer.bind(String(bound.value), "numeric");
    return whereJson(value, "number", `${textOf(value)}::numeric ${operator} ${number}`);
  }
  const text = writer.bind(writeText(bound.value as string)); // a number or a string
  return whereJson(value, "string", `${textOf(value)} ${operator} ${text}`);
}

/** A condition on JSON values of one type; null for others. */
function whereJson(value: string, type: string, condition: string): string {
  return `case when jsonb_typeof(${value}) = '${type}' then ${condition} end`;
}

function textOf(json: string): string {
  return `(${json} #>> '{}') collate "C"`;
}

/**
 * The value at a JSON path (F-17). PostgreSQL would also accept `-1`, `01` and ` 1` as positions.
 */
function jsonPath(writer: StatementWriter, json: string, keys: readonly string[]): string {
  let value = json;
  let steps: string[] = [];
  const follow = (): void => {
    if (steps.length > 0) value = `(${value} #> ${writer.bind(formatArray(steps), "text[]")})`;
    steps = [];
  };
  for (const key of keys) {
    const step = writeText(key);
    if (!MAY_BE_POSITION.test(key) || /^(?:0|[1-9]\d{0,8})$/.test(key)) {
      steps.push(step);
      continue;
    }
    follow();
    value = `(${value} -> ${writer.bind(step)})`; // objects only
  }
  follow();
  return keys.length === 0 ? json : `nullif(${value}, 'null'::jsonb)`;
}

/** Keys that PostgreSQL could read as a position. */
const MAY_BE_POSITION = /^\s*[+-]?\d/;
