import type { TableAddress } from "../catalog/address.js";
import { createDerived, type QueryRun } from "../query/query-run.js";
import type { TableVersion } from "../storage/table.js";
import type { EngineContext } from "./context.js";

/** How one call differs from others of its engine. */
export interface OwnSettings extends Partial<QueryRun> {
  /** Table versions of a running transaction, by name. */
  readonly uncommitted?: (name: string) => TableVersion | undefined;
}

/**
 * Opens a query of a table; throws `table_not_found` (rule M-4). It is valid until the next write, or
 * without limit if {@link EngineContext.share} was called before.
 */
export function openRun(
  context: EngineContext,
  address: TableAddress,
  own?: OwnSettings,
): QueryRun {
  const { tables: versions, profile, limits, indexes } = context;
  const { tables } = context.readBranch(address);
  const findTable = (name: string): TableVersion | undefined => {
    const version = own?.uncommitted?.(name);
    if (version !== undefined) return version;
    const key = tables.get(name);
    return key === undefined ? undefined : versions.get(key);
  };
  return {
    table: findTable(address.table) ?? context.readTable(address),
    findTable,
    profile,
    limits,
    indexes,
    drawSeed: () => drawSeed(context),
    checkTime: context.time.check,
    showFiles: context.files?.openBranch(context, address),
    derived: createDerived(),
    ...own,
  };
}

/** The count of random orders is not part of the state (S-4). */
export function drawSeed(context: EngineContext): number {
  context.randomOrders += 1;
  return context.streams.orderSeed(context.randomOrders);
}
