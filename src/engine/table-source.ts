import type { TableAddress } from "../catalog/address.js";
import type { QueryEnvironment } from "../query/environment.js";
import type { TableVersion } from "../storage/table.js";
import type { Instant } from "../value/datetime.js";
import type { EngineContext } from "./context.js";
import { queryEnvironment } from "./query-environment.js";

/** What a query of a table runs on. */
export interface TableSource {
  readonly environment: QueryEnvironment;
  readonly version: TableVersion;
  /** The time by the engine's clock. */
  readonly now: () => Instant;
  /** Runs a call that reads: see `EngineContext`. */
  readonly read: <T>(act: () => T) => T;
  /** Makes sure that no write changes the version in place from here on. */
  readonly pin: () => void;
}

/** The source of the table at an address, as it is now; throws `table_not_found` (rule M-4). */
export function openSource(
  context: EngineContext,
  address: TableAddress,
  isQuery: boolean,
): TableSource {
  if (isQuery) context.observer?.onQuery?.();
  return {
    environment: queryEnvironment(context, address),
    version: context.readTable(address),
    now: () => context.now(),
    read: (act) => context.read(act),
    pin: () => void context.share(),
  };
}
