import type { TableAddress } from "../catalog/address.js";
import type { QueryRun } from "../query/query-run.js";
import type { Instant } from "../value/datetime.js";
import type { EngineContext } from "./context.js";
import { openRun } from "./query-run.js";

export interface TableSource {
  readonly run: QueryRun;
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
    run: openRun(context, address),
    now: () => context.now(),
    read: (act) => context.read(act),
    pin: () => void context.share(),
  };
}
