import type { TableAddress } from "../catalog/address.js";
import type { QueryRun } from "../query/query-run.js";
import type { TableVersion } from "../storage/table.js";
import type { EngineContext } from "./context.js";

/** How one call differs from others. */
export interface RunSettings extends Partial<QueryRun> {
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
  settings?: RunSettings,
): QueryRun {
  const { tables: versions, profile, limits, indexes } = context;
  const { tables } = context.readBranch(address);
  const findTable = (name: string): TableVersion | undefined => {
    const version = settings?.uncommitted?.(name);
    if (version !== undefined) return version;
    const key = tables.get(name);
    return key === undefined ? undefined : versions.get(key);
  };
  const run: QueryRun = {
    table: findTable(address.table) ?? context.readTable(address),
    findTable,
    profile,
    limits,
    indexes,
    drawSeed: () => drawSeed(context),
    checkTime: context.time.check,
    showFiles: context.files?.openBranch(context, address),
  };
  return settings === undefined ? run : { ...run, ...settings };
}

/** The count of random orders is not part of the state (S-4). */
export function drawSeed(context: EngineContext): number {
  context.randomOrders += 1;
  return context.streams.orderSeed(context.randomOrders);
}
