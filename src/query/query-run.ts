import type { BindContext } from "./bind/scope.js";
import type { IndexOption } from "./plan/indexes.js";
import type { RecordSource } from "./project/projection.js";

/** The table, settings and limits of one query; created once per call. */
export interface QueryRun extends Omit<BindContext, "findTable">, RecordSource {
  readonly indexes: IndexOption;
}
