import { OPERATOR_NAMES, OPERATORS, type OperatorName } from "../../schema/operators.js";
import { COLUMN_TYPES } from "../../schema/traits.js";
import type { ColumnDefinition, ColumnType, QueryRequest, Sort } from "../../types.js";
import { LackError } from "../vectors/lacks.js";
import { coverRows, type Row } from "./covering.js";
import { levelsOf, type Traits } from "./levels.js";
import type { WalkedPath } from "./paths.js";
import { allowsOperator, type LiteralKind, literalsOf } from "./predicate.js";
import { PAGES, type PageKind } from "./walk.js";

/** Features of queries: their pairs are covered, and the triples of {@link TRIPLES}. */
export const TRIPLES: readonly (readonly string[])[] = [["operator", "type", "negation"]];

/** Tables with a column of each type. */
export const TABLES: { readonly [nulls: string]: string } = { none: "full", some: "sparse" };
const PREFIXES: { readonly [path: string]: readonly string[] } = {
  own: [],
  object: ["object"],
  link: ["link"],
  links: ["link", "link"],
  json: [],
};
/** `around` negates the filter, `within` the condition under its path. */
const NEGATIONS = ["no", "around", "within"];
export const ORDERS: { readonly [order: string]: (path: string) => Sort | undefined } = {
  none: () => undefined,
  asc: (path) => ({ [path]: "asc" }),
  desc: (path) => ({ [path]: "desc" }),
  two: (path) => (path === "id" ? ["id"] : [{ [path]: "desc" }, { id: "desc" }]),
  random: () => ({ "*": "random" }),
  linked: (path) => [{ [`link.${path}`]: "asc" }],
};
export const SELECTIONS: {
  readonly [columns: string]: (path: string, table: string) => QueryRequest["columns"];
} = {
  default: () => undefined,
  none: () => [],
  star: () => ["*"],
  path: (path) => [path],
  object: () => ["object.*"],
  bare: () => ["link"],
  link: () => ["link.*"],
  reverse: (_, table) => [{ name: `<-${table}.link`, as: "by", columns: ["link.*"] }],
};
/** The pages before one of a kind. */
export const LEADING: { readonly [kind: string]: readonly PageKind[] } = {
  previous: ["next"],
  range: ["next", "next"],
};
const ROWS = new Map<string, Row[]>();

/** Rows that cover the features of a target. Throws if it lacks all orders, pages or conditions. */
export function featureRows(traits: Traits): Row[] {
  const { profile, lacks, capabilities, tier } = traits;
  const key = JSON.stringify([profile.base, tier, ...lacks, capabilities.has("files")]);
  const groups = featureGroups(traits);
  if (groups.some(({ length }) => length === 0)) throw new LackError("not supported: queries");
  const rows = ROWS.get(key) ?? coverRows(groups, TRIPLES);
  ROWS.set(key, rows);
  return rows;
}

/** Rows of features that go together; rows of different groups always do. */
export function featureGroups(traits: Traits): Row[][] {
  return [conditionRows(traits), ...plainRows(traits)];
}

/** Orders and pages go together, except that a random order has no end to page from. */
function plainRows(traits: Traits): Row[][] {
  const pages = levelsOf(traits, "page", [...Object.keys(PAGES), "offset"]);
  const ordered = levelsOf(traits, "order", Object.keys(ORDERS)).flatMap((order) =>
    pages
      .filter((page) => !(order === "random" && (page === "tail" || page === "back")))
      .map((page) => ({ order, page })),
  );
  return [
    ordered,
    levelsOf(traits, "columns", Object.keys(SELECTIONS)).map((columns) => ({ columns })),
  ];
}

export interface Condition {
  readonly operator: OperatorName;
  readonly type: string;
  readonly path: string;
  readonly literal: LiteralKind;
}

/** The features of one condition, as far as they go together. */
function conditionRows(traits: Traits): Row[] {
  const operators = levelsOf(traits, "operator", OPERATOR_NAMES) as OperatorName[]; // some of them
  const types = levelsOf(traits, "type", ["id", ...COLUMN_TYPES]);
  const conditions = types.flatMap((type) =>
    levelsOf(traits, "path", Object.keys(PREFIXES)).flatMap((path): Condition[] => {
      const walked = walkedPath(type, path);
      if (walked === undefined) return [];
      const fitting = operators.filter((name) => allowsOperator(traits.profile, walked, name));
      return fitting.flatMap((operator) =>
        literalsOf(operator, walked).map((literal) => ({ operator, type, path, literal })),
      );
    }),
  );
  const negations = levelsOf(traits, "negation", NEGATIONS);
  const nullness = levelsOf(traits, "nulls", Object.keys(TABLES));
  const rows = conditions.flatMap((condition) =>
    negations.flatMap((negation) => nullness.map((nulls) => ({ ...condition, negation, nulls }))),
  );
  return rows.filter(
    ({ operator, type, negation, nulls }) =>
      !(negation === "within" && OPERATORS[operator].operand === "paths") &&
      !(nulls === "none" && type.startsWith("file")),
  );
}

/** Types without sub-columns of objects here. */
export const FLAT: readonly string[] = ["id", "vector", "file", "file[]"];

/** The path to a value of a type, if there is one. */
export function walkedPath(type: string, path: string): WalkedPath | undefined {
  if (path === "object" ? FLAT.includes(type) : path === "json" && type !== "json")
    return undefined;
  const column = columnOf(type);
  const kind = path === "json" ? "json path" : type === "id" ? "id" : "column";
  const last = path === "json" ? "json->a" : column.name;
  return { names: [...(PREFIXES[path] ?? []), last], column, kind, next: undefined, links: 0 };
}

export function columnOf(type: string): ColumnDefinition {
  if (type === "id") return { name: "id", type: "string" };
  const column = { name: type.replace("[]", "s"), type: type as ColumnType }; // one of the types
  return type === "vector" ? { ...column, vector: { dimension: 2 } } : column;
}

/** A column of one of some types for an object, which needs one. */
export function plainColumns(types: readonly string[]): ColumnDefinition[] {
  const plain = types.filter(
    (type) => !FLAT.includes(type) && type !== "object" && type !== "link",
  );
  return plain.slice(0, 1).map(columnOf);
}
