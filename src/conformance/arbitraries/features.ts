import {
  OPERATOR_NAMES,
  OPERATORS,
  type Operator,
  type OperatorName,
} from "../../schema/operators.js";
import { COLUMN_TYPES, TRAITS } from "../../schema/traits.js";
import type { ColumnDefinition, ColumnType, Json, QueryRequest, Sort } from "../../types.js";
import { LackError } from "../target/target.js";
import { derive } from "./choice.js";
import { coverRows, type Row } from "./covering.js";
import { swapCase } from "./domains.js";
import { COMBINATORS, levelsOf, type Traits } from "./levels.js";
import type { WalkedPath } from "./paths.js";
import { allowsOperator, type LiteralKind, literalsOf } from "./predicate.js";
import { PAGES, type PageKind } from "./walk.js";

/** Features of queries: their pairs are covered, and the triples of {@link TRIPLES}. */
export const TRIPLES: readonly (readonly string[])[] = [
  ["operator", "type", "combinator"],
  ["operator", "type", "nulls"],
];

/** Tables with a column of each type. */
export const TABLES: { readonly [nulls: string]: string } = { none: "full", some: "sparse" };
const PREFIXES: { readonly [path: string]: readonly string[] } = {
  own: [],
  object: ["object"],
  link: ["link"],
  links: ["link", "link"],
  json: [],
};
export const ORDERS: { readonly [order: string]: (path: string) => Sort | undefined } = {
  none: () => undefined,
  asc: (path) => ({ [path]: "asc" }),
  desc: (path) => ({ [path]: "desc" }),
  two: (path) => (path === "id" ? ["id"] : [{ [path]: "desc" }, { id: "desc" }]),
  random: () => ({ "*": "random" }),
  ties: (path) => [{ [path]: "asc" }, { "*": "random" }],
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
  "reverse page": (_, table) => [
    { name: `<-${table}.link`, as: "by", sort: [{ id: "desc" }], limit: 2, offset: 1 },
  ],
};
/** The pages before one of a kind. */
export const LEADING: { readonly [kind: string]: readonly PageKind[] } = {
  previous: ["next"],
  range: ["next", "next"],
};
interface FeatureRows {
  /** Rows that cover all pairs, and the triples. */
  readonly covering: readonly Row[];
  /** Rows that tell operators, orders and offsets from their neighbours. */
  readonly telling: readonly Row[];
}

/** Rows of the features of a target. Throws if it lacks all orders, pages or conditions. */
export function featureRows(traits: Traits): FeatureRows {
  const groups = featureGroups(traits);
  if (groups.some(({ length }) => length === 0)) throw new LackError("not supported: queries");
  return {
    covering: coverRows(groups, TRIPLES),
    telling: [...operatorRows(traits), ...pageRows(traits)],
  };
}

/** Rows of features that go together; rows of different groups always do. */
export function featureGroups(traits: Traits): Row[][] {
  return [conditionRows(traits), ...plainRows(traits)];
}

/** The pages that random orders lack: those from their end, and with ties those after the first. */
const ENDLESS: { readonly [order: string]: RegExp } = {
  random: /^(tail|back)$/,
  ties: /^(?!query|offset)/,
};

/** Orders go together with the pages that they have. */
function plainRows(traits: Traits): Row[][] {
  const pages = levelsOf(traits, "page", [...Object.keys(PAGES), "offset"]);
  const ordered = levelsOf(traits, "order", Object.keys(ORDERS)).flatMap((order) =>
    pages.filter((page) => !ENDLESS[order]?.test(page)).map((page) => ({ order, page })),
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
function conditionsOf(traits: Traits): Condition[] {
  const operators = levelsOf(traits, "operator", OPERATOR_NAMES) as OperatorName[]; // some of them
  const types = levelsOf(traits, "type", ["id", ...COLUMN_TYPES]);
  return types.flatMap((type) =>
    levelsOf(traits, "path", Object.keys(PREFIXES)).flatMap((path): Condition[] => {
      const walked = walkedPath(type, path);
      if (walked === undefined) return [];
      const fitting = operators.filter((name) => allowsOperator(traits.profile, walked, name));
      return fitting.flatMap((operator) =>
        literalsOf(operator, walked).map((literal) => ({ operator, type, path, literal })),
      );
    }),
  );
}

function conditionRows(traits: Traits): Row[] {
  const combinators = levelsOf(traits, "combinator", ["bare", "$not", "below $not"]);
  const nullness = levelsOf(traits, "nulls", Object.keys(TABLES));
  return conditionsOf(traits).flatMap((condition) =>
    combinators.flatMap((combinator) =>
      nullness
        .map((nulls) => ({ ...condition, combinator, nulls }))
        .filter((row) => goTogether(condition, row)),
    ),
  );
}

function goTogether({ operator, type }: Condition, { combinator = "", nulls }: Row): boolean {
  return !(
    (combinator.startsWith("below") && OPERATORS[operator].operand === "paths") ||
    (nulls === "none" && type.startsWith("file"))
  );
}

/**
 * Each operator bare and below each connective on the path of each kind, and below two connectives
 * on some path.
 */
function operatorRows(traits: Traits): Row[] {
  const combinators = levelsOf(traits, "combinator", COMBINATORS);
  const nullness = levelsOf(traits, "nulls", Object.keys(TABLES));
  const conditions = conditionsOf(traits).filter(
    ({ operator, type, path, literal }) =>
      neighboursOf(traits, operator, walkedPath(type, path)).length > 0 &&
      type !== "object" &&
      /^(value|list|null|conditions)$/.test(literal) &&
      (literal === "conditions" || OPERATORS[operator].operand !== "conditions"),
  );
  const operators = [...new Set(conditions.map(({ operator }) => operator))];
  return operators.flatMap((operator, place) => {
    const own = conditions.filter((each) => each.operator === operator);
    const paths = [...new Set(own.map(({ path }) => path))];
    const find = (path: string, combinator: string, i: number): Row[] => {
      const nulls = nullness[(i + paths.indexOf(path)) % nullness.length] ?? "";
      const fitting = own.filter(
        (each) => each.path === path && goTogether(each, { combinator, nulls }),
      );
      const choice = fitting[derive(i % 4, path) % fitting.length];
      return choice === undefined ? [] : [{ ...choice, combinator, nulls }];
    };
    return combinators.flatMap((combinator, i) => {
      const isDeep = (combinator.match(/\$/g)?.length ?? 0) > 1;
      if (isDeep && (place + i) % 2 === Number(combinator.startsWith("below"))) return [];
      const [rotating = ""] = paths.slice((place + i) % paths.length);
      const used = paths.filter(
        (path) => path === rotating || (!isDeep && /^(own|object|link)$/.test(path)),
      );
      return used.flatMap((path) => find(path, combinator, i));
    });
  });
}

/** The operators at a path with operands of the same kind and another meaning. */
function neighboursOf(
  traits: Traits,
  operator: OperatorName,
  path: WalkedPath | undefined,
): OperatorName[] {
  const { operand, columns } = OPERATORS[operator];
  const meaningOf = (name: OperatorName): string => {
    const { foreign: _, isHosted: __, ...meaning }: Operator = OPERATORS[name];
    return JSON.stringify([meaning, columns === "text" && name]);
  };
  const names = levelsOf(traits, "operator", OPERATOR_NAMES) as OperatorName[]; // some of them
  return names.filter(
    (name) =>
      OPERATORS[name].operand === operand &&
      meaningOf(name) !== meaningOf(operator) &&
      path !== undefined &&
      allowsOperator(traits.profile, path, name),
  );
}

const NEAR_TYPES: readonly string[] = ["float", "string", "text", "email", "datetime", "multiple"];

function hasNear({ operator = "", type = "", literal }: Row): boolean {
  const { operand } = OPERATORS[operator as OperatorName]; // a level
  return (
    literal === "value" &&
    NEAR_TYPES.includes(type) &&
    !/^\$i[A-Z]/.test(operator) &&
    /^(literal|text|pattern|bound|items)$/.test(operand)
  );
}

/** What a careless service may take an operand for: text in another case, a truncated number or time. */
export function nearOf(operand: Json): Json {
  if (Array.isArray(operand)) return operand.map((each: Json) => nearOf(each));
  if (typeof operand === "number") return Math.trunc(operand);
  if (typeof operand !== "string") return operand;
  const time = operand.replace(/^(\d.*\.\d{1,3})\d*/, "$1");
  return time === operand ? swapCase(operand) : time;
}

export interface Neighbour {
  readonly neighbour: Row;
  /** The combinations that another answer of the neighbour tells. */
  readonly names: readonly string[];
}

/** The rows with another operator, order or offset. */
export function neighbourRows(traits: Traits, row: Row): Neighbour[] {
  const { operator, type = "", path = "", order, skip } = row;
  if (operator !== undefined) {
    const contexts = ["combinator", "path"];
    const others = neighboursOf(traits, operator as OperatorName, walkedPath(type, path)); // a level
    const rows = others.map((other) => ({
      neighbour: { ...row, operator: other },
      names: contexts.map((factor) => `operator ${operator} ≠ ${other} × ${factor} ${row[factor]}`),
    }));
    if (!hasNear(row)) return rows;
    const name = `operator ${operator} × type ${type} × operand ≠ near`;
    return [...rows, { neighbour: { ...row, operand: "near" }, names: [name] }];
  }
  const context = `page ${row.page} × skip ${skip}`;
  const orders = levelsOf(traits, "order", ["none", "asc", "desc", "two"]);
  return [
    { neighbour: { ...row, skip: "none" }, names: [`order ${order} × ${context} ≠ none`] },
    ...orders
      .filter((other) => other !== order)
      .map((other) => ({
        neighbour: { ...row, order: other },
        names: [`order ${order} ≠ ${other} × ${context}`],
      })),
  ];
}

/** The row without its condition, or with the plainest level of another factor. */
export function simplerRows(row: Row): Row[] {
  const { operator, literal: _, combinator: __, ...rest } = row;
  const plainer = Object.entries(PLAINEST).filter(([factor, level]) => {
    return row[factor] !== undefined && row[factor] !== level;
  });
  return [
    ...(operator === undefined ? [] : [rest]),
    ...plainer.map(([factor, level]) => ({ ...row, [factor]: level })),
  ];
}

const PLAINEST: Row = {
  page: "query",
  skip: "none",
  order: "none",
  columns: "default",
  combinator: "bare",
};

/** Each page in each order, from an offset of the first page or of itself. */
function pageRows(traits: Traits): Row[] {
  const types = levelsOf(traits, "type", COLUMN_TYPES).filter(
    (type) => TRAITS[type as ColumnType].sortable && type !== "link", // one of the types
  );
  const nullness = levelsOf(traits, "nulls", Object.keys(TABLES));
  const paths = levelsOf(traits, "path", ["own", "object", "link"]);
  const skips = levelsOf(traits, "skip", ["first", "last"]);
  return (plainRows(traits)[0] ?? []).flatMap((row, i) =>
    row.page === "offset" || (row.order ?? "") in ENDLESS
      ? []
      : skips.map((skip) => ({
          ...row,
          skip,
          type: types[(i + skip.length) % types.length] ?? "",
          path: paths[i % paths.length] ?? "",
          nulls: nullness[i % nullness.length] ?? "",
        })),
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
