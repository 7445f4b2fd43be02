import type { BranchAddress } from "../catalog/address.js";
import type { QueryEnvironment } from "../query/environment.js";
import type { TableVersion } from "../storage/table.js";
import type { EngineContext } from "./context.js";

/**
 * Returns the query environment of a branch. It is valid until the next write, or without limit if
 * {@link EngineContext.share} was called before.
 *
 * @param uncommitted table versions of a running transaction, by name
 */
export function queryEnvironment(
  context: EngineContext,
  address: BranchAddress,
  uncommitted?: (name: string) => TableVersion | undefined,
): QueryEnvironment {
  const { tables: versions } = context;
  const { tables } = context.readBranch(address);
  const findTable = (name: string): TableVersion | undefined => {
    const key = tables.get(name);
    return key === undefined ? undefined : versions.get(key);
  };
  return {
    profile: context.profile,
    limits: context.limits,
    indexes: context.indexes,
    findTable: (name) => uncommitted?.(name) ?? findTable(name),
    drawSeed: () => drawSeed(context),
    checkTime: context.time.check,
    showFiles: context.files?.openBranch(context, address),
  };
}

/** The count of random orders is not part of the state (S-4). */
function drawSeed(context: EngineContext): number {
  context.randomOrders += 1;
  return context.streams.orderSeed(context.randomOrders);
}
