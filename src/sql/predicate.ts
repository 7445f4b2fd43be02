import { type ColumnRef, isJsonPath } from "../query/bound/column-ref.js";
import type {
  Bound,
  Leaf,
  NullTest,
  Predicate,
  RangeTest,
  Test,
} from "../query/bound/condition.js";
import type { StoredValue } from "../schema/columns.js";
import type { Json } from "../types.js";
import { formatArray } from "./arrays.js";
import { itemEqualTo, memberEqualTo } from "./demand.js";
import { jsonPath } from "./json-path.js";
import { columnName, type Dialect, type FromClause, type StatementWriter } from "./statement.js";
import { writeText } from "./text.js";
import { textTest } from "./text-test.js";
import { amongUnique, equalsUnique } from "./unique.js";
import { castType, columnType, encodeJson, encodeValue, type ValueType } from "./values.js";

/** What goes along while the conditions of one `select` are written. */
export interface Writing {
  readonly writer: StatementWriter;
  readonly dialect: Dialect;
  readonly from: FromClause;
}

/** The item of a list at hand: its expression, and how many lists there are around it. */
interface Item {
  readonly expression: string;
  readonly depth: number;
}

/**
 * A predicate as a condition: true for the rows that match, false or null for the others. Null is
 * settled in the leaves (rule F-30), so that no negation is left around a combination.
 */
export function writePredicate(writing: Writing, predicate: Predicate, item?: Item): string {
  switch (predicate.kind) {
    case "constant":
      return String(predicate.value);
    case "null":
      return writeNull(writing, predicate, item);
    case "all":
    case "any": {
      const parts = predicate.parts.map((part) => writePredicate(writing, part, item));
      return `(${parts.join(predicate.kind === "all" ? " and " : " or ")})`;
    }
    case "leaf":
      return writeLeaf(writing, predicate, item);
  }
}

function writeNull(writing: Writing, { column, isNull }: NullTest, item?: Item): string {
  return `${writeColumn(writing, column, item)} is ${isNull ? "" : "not "}null`;
}

function writeLeaf(writing: Writing, leaf: Leaf, item?: Item): string {
  const { column, test, negated, nullMatches } = leaf;
  const value = writeColumn(writing, column, item);
  const json = item === undefined ? memberEqualTo(leaf) : undefined;
  if (json !== undefined) {
    const inside = writing.writer.bind(encodeJson(json), "jsonb");
    const whole = writeColumn(writing, { ...column, keys: undefined });
    const same = writeTest(writing, value, { test, type: column.type, depth: 0 });
    // As an index has it; it finds more than what is the same.
    return `(${whole} @> ${inside} and ${same})`;
  }
  const member = itemEqualTo(leaf);
  if (member !== undefined) writing.writer.planEach();
  const holds =
    member === undefined
      ? writeTest(writing, value, {
          test,
          type: column.type,
          depth: item?.depth ?? 0,
          isUnique: item === undefined && writing.from.isUnique(column),
        })
      : `${value} @> array[${writing.writer.bind(writeText(member), "text")}]`; // as an index has it
  if (!negated) return nullMatches ? `(${value} is null or ${holds})` : holds;
  // A value of another type than the literal compares false, which SQL leaves undecided (F-17).
  const fails = `(${holds}) is not true`;
  return nullMatches ? `(${fails})` : `(${value} is not null and ${fails})`;
}

/** The value of a column; null where a link leads nowhere. */
export function writeColumn({ writer, from }: Writing, column: ColumnRef, item?: Item): string {
  const { hops, slot, type, keys } = column;
  if (item !== undefined && slot < 0) return item.expression;
  const value = `${from.aliasOf(hops)}.${columnName(slot)}`;
  if (isJsonPath(column)) return jsonPath(writer, `${value}::jsonb`, keys ?? []);
  if (keys !== undefined) {
    // F-18: a member of a file.
    return `((${value}::json ->> ${writer.bind(keys.join(), "text")})::${columnType(type)})`;
  }
  return type === "json" ? `${value}::jsonb` : value;
}

/** A test with what it is a test of. */
interface Tested {
  readonly test: Test;
  readonly type: ValueType;
  readonly depth: number;
  /** Whether an index holds the values to be unique. */
  readonly isUnique?: boolean;
}

function writeTest(writing: Writing, value: string, tested: Tested): string {
  const { test, type, depth, isUnique = false } = tested;
  const { writer, dialect } = writing;
  // How many rows match, and so which index is the best, depends on the value more than elsewhere.
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
      if (type !== "json") return textTest({ writer, dialect }, value, test);
      return whereJson(value, "string", textTest({ writer, dialect }, textOf(value), test));
    }
    case "items": {
      const name = `i${depth + 1}`;
      const isJson = type === "json";
      const expression = isJson ? `nullif(${name}.v, 'null'::jsonb)` : `${name}.v`;
      const holds = writePredicate(writing, test.item, { expression, depth: depth + 1 });
      const members = `${isJson ? "jsonb_array_elements" : "unnest"}(${value}) ${name}(v)`;
      const exists =
        test.quantifier === "some"
          ? `exists (select 1 from ${members} where ${holds})`
          : `not exists (select 1 from ${members} where (${holds}) is not true)`;
      return isJson ? whereJson(value, "array", exists) : exists;
    }
  }
}

function writeLiteral(writer: StatementWriter, type: ValueType, value: StoredValue): string {
  if (type === "json") return writer.bind(encodeJson(value as Json), "jsonb"); // a literal of JSON
  return writer.bind(encodeValue(type, value), castType(type));
}

function writeAmong(
  writer: StatementWriter,
  value: string,
  { type, isUnique = false }: Tested,
  values: readonly StoredValue[],
): string {
  if (type === "json" || type === "multiple") {
    // The arrays of PostgreSQL hold no lists of different lengths, but any JSON.
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
  type: ValueType,
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

/** A bound for a path into `json`: what it means goes by its own type (rule F-18). */
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
  const text = writer.bind(writeText(bound.value as string), "text"); // a number or a string
  return whereJson(value, "string", `${textOf(value)} ${operator} ${text}`);
}

/** A condition on a JSON value of one type; undecided for one of another. */
function whereJson(value: string, type: string, condition: string): string {
  return `case when jsonb_typeof(${value}) = '${type}' then ${condition} end`;
}

function textOf(json: string): string {
  return `(${json} #>> '{}') collate "C"`;
}
