import { checksum } from "../../value/hash.js";
import type { Ref, TableShape } from "../bound/column-ref.js";
import type { Predicate } from "../bound/condition.js";
import { BY_ID, type Order } from "../bound/order.js";
import type { Selection } from "../bound/selection.js";
import { bindFilter } from "./filter.js";
import { type BindContext, type Scope, tableScope } from "./scope.js";
import { bindColumns, bindReverseSorts } from "./selection.js";
import { bindSort } from "./sort.js";

/** The parts of a query as they were requested. */
export interface GivenParts {
  readonly columns: unknown;
  readonly filter: unknown;
  readonly sort: unknown;
  /** Of a random order that is continued. */
  readonly seed: number | undefined;
}

/** Columns, filter and sort, bound. */
export interface BoundParts {
  readonly selection: Selection;
  readonly predicate: Predicate;
  readonly order: Order;
  /** What the paths led to that the filter and the sort name. */
  readonly namedInRows: readonly string[];
  /** A checksum of what all paths led to, those of the columns first. */
  readonly named: string;
}

/** Binds columns, filter and sort, in that order (rule E-6). */
export function bindParts(context: BindContext, table: TableShape, given: GivenParts): BoundParts {
  const { columns, filter, sort, seed } = given;
  const [columnScope, namedInColumns] = namingScope(context, table);
  const [rowScope, namedInRows] = namingScope(context, table);
  const draft = bindColumns(columnScope, columns, "/columns");
  const predicate = bindFilter(rowScope, filter, "/filter");
  const order = sort === undefined ? BY_ID : bindSort(rowScope, sort, "/sort", seed);
  const selection = bindReverseSorts(columnScope, draft);
  const named = checksumOf(namedInColumns, namedInRows);
  return { selection, predicate, order, namedInRows, named };
}

/** The same rows with other columns. */
export function bindOtherColumns(
  context: BindContext,
  table: TableShape,
  bound: BoundParts,
  columns: unknown,
): BoundParts {
  const [scope, named] = namingScope(context, table);
  const selection = bindReverseSorts(scope, bindColumns(scope, columns, "/columns"));
  return { ...bound, selection, named: checksumOf(named, bound.namedInRows) };
}

/** The scope of a table's own names, and the list that what is named in it is added to. */
function namingScope(context: BindContext, table: TableShape): [Scope, string[]] {
  const named: string[] = [];
  const { profile, limits, findTable, drawSeed } = context;
  const onNamed = (ref: Ref): void => void named.push(nameOf(ref));
  return [tableScope({ profile, limits, findTable, drawSeed, onNamed }, table), named];
}

/** What a path led to, so that a column renamed, removed or made again is told from it. */
function nameOf(ref: Ref): string {
  const through = ref.hops.map(({ slot, target }) => `${slot}@${target.identity}`);
  return [ref.path, ref.type, ref.type === "object" ? "" : ref.slot, ...through].join(":");
}

function checksumOf(columns: readonly string[], rows: readonly string[]): string {
  const named = [...columns, ...rows];
  return named.length === 0 ? "" : checksum(named.join("\n"));
}
