import type { AnyTable, QueryRequest } from "../../src/index.js";
import type { LiveCount, LiveQuery } from "../../src/live.js";

/** A live query beside the answers that it should equal. */
export interface Watched {
  /** @param isPaced whether it may have been stale before */
  readonly check: (isPaced: boolean) => string | undefined;
  readonly live: LiveQuery | LiveCount;
}

export function watchQuery(api: object, table: AnyTable, request: QueryRequest): Watched;
export function watchCount(api: object, table: AnyTable, filter: QueryRequest["filter"]): Watched;
