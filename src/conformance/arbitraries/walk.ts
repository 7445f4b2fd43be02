import type { ColumnDefinition, ColumnSelection, Json, QueryRequest } from "../../types.js";
import { hasFiles } from "../oracle/files.js";
import type { JsonObject } from "../oracle/model.js";
import type { OracleWrite } from "../oracle/write.js";
import { choose, derive, happens } from "./choice.js";
import { makeRecord, RECORD_IDS } from "./domains.js";
import type { QueriedSchema } from "./paths.js";
import { OFFSETS, renderColumns } from "./query.js";
import type { GeneratedTable } from "./schema.js";

export type PageKind =
  | ("query" | "tail" | "back")
  | ("next" | "previous" | "first" | "last" | "rest" | "range");

/** The cursors of each kind of page: those of earlier pages, or `end`. */
export const PAGES: {
  readonly [kind in PageKind]: { readonly [key in CursorKey]?: "of" | "until" | "end" };
} = {
  query: {},
  tail: { after: "end" },
  back: { before: "end" },
  next: { after: "of" },
  previous: { before: "of" },
  first: { start: "of" },
  last: { end: "of" },
  rest: { after: "of", before: "end" },
  range: { after: "of", before: "until" },
};

/** A page relative to earlier ones, counted back from the latest (0). */
export interface PageStep {
  readonly kind: PageKind;
  readonly of?: number;
  readonly until?: number;
}

export interface StepOptions {
  readonly size?: number;
  readonly offset?: number;
  readonly columns?: readonly ColumnSelection[];
}

export type PageTurn = PageStep & StepOptions;

/** A step through a query's pages: a page, or all pages in one direction. */
export type WalkStep =
  | PageTurn
  | { readonly kind: "all"; readonly forward: boolean; readonly sizes: readonly number[] };

/** A walk through the pages of a query. */
export interface Walk {
  readonly table: string;
  readonly query: QueryRequest;
  readonly steps: readonly WalkStep[];
}

/** The keys of `page` that name a cursor. */
type CursorKey = "after" | "before" | "start" | "end";

/** The cursors that a step sends, from its bookmarks. */
export function boundsOf<B, K extends keyof B>(
  kind: PageKind,
  [of, until]: readonly [of: B | undefined, until: B | undefined],
  member: K,
): { readonly [key in CursorKey]?: B[K] | "end" } {
  const marks: { readonly [name: string]: B | undefined } = { of, until };
  const given = Object.entries(PAGES[kind]).flatMap(([key, name]) => {
    const mark = name === "end" ? name : marks[name]?.[member];
    return mark === undefined ? [] : [[key, mark] as const];
  });
  return Object.fromEntries(given);
}

/** The bookmarks of a step, counted back from the latest. */
export function findMarks<B>(
  bookmarks: readonly B[],
  { kind, of = 0, until = 0 }: PageStep,
): readonly [of: B | undefined, until: B | undefined] {
  const names: readonly string[] = Object.values(PAGES[kind]);
  const back = (name: string, count: number): B | undefined =>
    names.includes(name) ? bookmarks.at(-1 - (count % Math.max(1, bookmarks.length))) : undefined;
  return [back("of", of), back("until", until)];
}

/** The request of a step without cursors; of a fresh one with the query. */
export function requestOf(
  { filter, sort, columns, page }: QueryRequest,
  step: StepOptions,
  isFresh: boolean,
): Pick<QueryRequest, "filter" | "sort" | "columns"> & { readonly page: StepOptions } {
  return defined({
    ...(isFresh && { filter, sort }),
    columns: step.columns ?? (isFresh ? columns : undefined),
    page: defined({
      size: step.size ?? (isFresh ? page?.size : undefined),
      offset: step.offset ?? (isFresh ? page?.offset : undefined),
    }),
  });
}

function defined<T extends object>(members: T): { [key in keyof T]: NonNullable<T[key]> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [key in keyof T]: NonNullable<T[key]> }; // fewer members
}

/** Renders a page with other options than its query's, sometimes. */
export function renderTurn(
  branch: QueriedSchema,
  table: GeneratedTable,
  step: PageStep,
  seed: number,
): PageTurn {
  const columns = [derive(seed, "column")];
  return {
    ...step,
    ...(happens(seed, "size", 0.7) && { size: choose(seed, "which size", [1, 1, 2, 2, 3, 20]) }),
    ...(happens(seed, "offset", 0.2) && { offset: choose(seed, "which offset", OFFSETS) }),
    ...(happens(seed, "columns", 0.15) && { columns: renderColumns(branch, table, columns) }),
  };
}

const WRITE_KINDS = ["insert", "update", "replace", "upsert", "put", "delete"] as const;

export function renderWrite(
  branch: QueriedSchema,
  table: GeneratedTable,
  seed: number,
): OracleWrite {
  const kind = choose(seed, "kind", WRITE_KINDS);
  const id = choose(seed, "id", RECORD_IDS);
  const make = (label: string): JsonObject =>
    makeRecord(branch, table.columns, derive(seed, label));
  const selected = renderColumns(branch, table, [derive(seed, "column")], 0) as string[]; // at depth 0
  const to = { table: table.name, ...(happens(seed, "columns", 0.4) && { columns: selected }) };
  switch (kind) {
    case "insert":
      return {
        kind,
        ...to,
        // a bulk may exclude files.
        records:
          happens(seed, "two", 0.3) && !table.columns.some(hasFiles)
            ? [make("one"), make("two")]
            : [make("one")],
      };
    case "delete":
      return { kind, ...to, id };
    default: {
      const { id: _, ...record } = make("record");
      const calculates = (kind === "update" || kind === "upsert") && happens(seed, "by", 0.3);
      const changes = calculates ? { ...record, ...makeArithmetic(table.columns, seed) } : record;
      return { kind, ...to, id, record: changes };
    }
  }
}

/** one operation as the new value of a number. */
function makeArithmetic(columns: readonly ColumnDefinition[], seed: number): JsonObject {
  const numbers = columns.filter(({ type }) => type === "int" || type === "float");
  if (numbers.length === 0) return {};
  const operator = choose(seed, "operator", ["$increment", "$decrement", "$multiply", "$divide"]);
  const operation: Json = { [operator]: choose(seed, "operand", [1, 2, -1, 0]) };
  return { [choose(seed, "number", numbers).name]: operation };
}
