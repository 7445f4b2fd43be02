import type { BindContext } from "./bind/scope.js";
import type { IndexOption } from "./plan/indexes.js";
import type { RecordSource } from "./project/projection.js";

/** What a query of a table runs with, from binding to its records. Made once per call. */
export interface QueryRun extends Omit<BindContext, "findTable">, RecordSource {
  readonly indexes: IndexOption;
}
