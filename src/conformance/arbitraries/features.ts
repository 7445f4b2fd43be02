import { OPERATOR_NAMES, OPERATORS, type OperatorName } from "../../schema/operators.js";
import { COLUMN_TYPES, TRAITS } from "../../schema/traits.js";
import type { ColumnType, QueryRequest, Sort } from "../../types.js";
import { LackError } from "../target/target.js";
import { derive } from "./choice.js";
import { coverRows, type Row } from "./covering.js";
import { PATHS, walkedPath } from "./feature-columns.js";
import { COMBINATORS, levelsOf, type Traits } from "./levels.js";
import { neighboursOf } from "./neighbours.js";
import { allowsOperator, type LiteralKind, literalsOf } from "./predicate.js";
import { PAGES, type PageKind } from "./walk.js";

/** Features of queries: their pairs are covered, and the triples of {@link TRIPLES}. */
export const TRIPLES: readonly (readonly string[])[] = [
  ["operator", "type", "combinator"],
  ["operator", "type", "nulls"],
];

/** Tables with a column of each type. */
export const TABLES: { readonly [nulls: string]: string } = { none: "full", some: "sparse" };
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
  const sortable = sortableRows(traits);
  return {
    covering: coverRows(groups, TRIPLES),
    telling: [
      ...operatorRows(traits),
      ...pageRows(traits, sortable),
      ...orderRows(traits, sortable),
    ],
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
    levelsOf(traits, "path", PATHS).flatMap((path): Condition[] => {
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
function pageRows(traits: Traits, columns: readonly Row[]): Row[] {
  const skips = levelsOf(traits, "skip", ["first", "last"]);
  const nullness = levelsOf(traits, "nulls", Object.keys(TABLES));
  const pages = (plainRows(traits)[0] ?? []).filter(
    ({ page, order = "" }) => page !== "offset" && !(order in ENDLESS),
  );
  return pages.flatMap((row, i) =>
    skips.map((skip) => ({
      ...row,
      ...columns[(i + skip.length) % columns.length],
      skip,
      nulls: nullness[i % nullness.length] ?? "",
    })),
  );
}

/** Columns of each sortable type, on each kind of path. */
function sortableRows(traits: Traits): Row[] {
  const types = levelsOf(traits, "type", COLUMN_TYPES).filter(
    (type) => TRAITS[type as ColumnType].sortable && type !== "link", // one of the types
  );
  const paths = levelsOf(traits, "path", ["own", "object", "link", "links"]);
  return types.flatMap((type) => paths.map((path) => ({ type, path })));
}

/** Each of some columns in both directions, with nulls and without. */
function orderRows(traits: Traits, columns: readonly Row[]): Row[] {
  const orders = levelsOf(traits, "order", ["asc", "desc"]);
  const nullness = levelsOf(traits, "nulls", Object.keys(TABLES));
  const ways = orders.flatMap((order) => nullness.map((nulls) => ({ order, nulls })));
  return columns.flatMap((column) =>
    ways.map((way) => ({ ...column, ...way, page: "query", skip: "none" })),
  );
}
