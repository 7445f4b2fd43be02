import type { TableAddress } from "../catalog/address.js";
import type { QueryEnvironment } from "../query/environment.js";
import type { TableVersion } from "../storage/table.js";
import type { Instant } from "../value/datetime.js";
import type { EngineContext } from "./context.js";
import { queryEnvironment } from "./query-environment.js";

export interface TableSource {
  readonly environment: QueryEnvironment;
  readonly version: TableVersion;
  readonly now: () => Instant;
  readonly read: <T>(act: () => T) => T;
  /** Ends writes in place, so the contents can be shared. */
  readonly pin: () => void;
}

/** Throws `table_not_found` (rule M-4). */
export function openSource(
  context: EngineContext,
  address: TableAddress,
  isQuery: boolean,
): TableSource {
  if (isQuery) context.onQuery?.();
  return {
    environment: queryEnvironment(context, address),
    version: context.readTable(address),
    now: () => context.now(),
    read: (act) => context.read(act),
    pin: () => void context.share(),
  };
}
