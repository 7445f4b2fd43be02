import type { TableVersion } from "../../storage/table.js";
import { checksum } from "../../value/hash.js";
import { BY_ID, type Order } from "../bound/order.js";
import { type Predicate, TRUE } from "../bound/predicate.js";
import { bindFilter } from "./bind-filter.js";
import { bindSort } from "./bind-sort.js";
import { type QueryContext, type Ref, type Scope, tableScope } from "./scope.js";
import { bindColumns, type Selection } from "./selection.js";

/** What running queries takes from outside the table. */
export interface QueryEnvironment extends QueryContext {
  /** The seed of a random order (rule S-4). */
  readonly drawSeed: () => number;
}

/** Columns, filter and sort, bound. */
export interface BoundParts {
  readonly selection: Selection;
  readonly predicate: Predicate;
  readonly order: Order;
  /** Stands for what the paths that were named led to. */
  readonly named: string;
}

/** Binds columns, filter and sort, in that order (rule E-6). */
export function bindParts(
  environment: QueryEnvironment,
  table: TableVersion,
  parts: {
    readonly columns: unknown;
    readonly filter: unknown;
    readonly sort: unknown;
    readonly seed: number | undefined;
  },
): BoundParts {
  const named: string[] = [];
  const { profile, limits, indexes, findTable } = environment;
  const onNamed = (ref: Ref): void => void named.push(nameOf(ref));
  const scope: Scope = tableScope({ profile, limits, indexes, findTable, onNamed }, table);
  const selection = bindColumns(scope, parts.columns, "/columns");
  const predicate =
    parts.filter === undefined ? TRUE : bindFilter(scope, parts.filter, () => "/filter");
  const drawSeed = (): number => parts.seed ?? environment.drawSeed();
  const order = parts.sort === undefined ? BY_ID : bindSort(scope, parts.sort, "/sort", drawSeed);
  for (const choice of selection.reverse) {
    if (choice.sort !== undefined)
      bindSort(tableScope(environment, choice.table), choice.sort, `${choice.at}/sort`, () => 0);
  }
  return {
    selection,
    predicate,
    order,
    named: named.length === 0 ? "" : checksum(named.join("\n")),
  };
}

/** What a path led to, so that a column renamed, removed or made again is told from it. */
function nameOf(ref: Ref): string {
  const through = ref.hops.map(({ slot, target }) => `${slot}@${target.identity}`);
  return [ref.path, ref.type, ref.type === "object" ? "" : ref.slot, ...through].join(":");
}
