import type { TableVersion } from "../storage/table.js";
import type { BindContext } from "./bind/scope.js";
import type { IndexOption } from "./plan/indexes.js";

/** What running queries takes from outside the table. */
export interface QueryEnvironment extends BindContext {
  readonly indexes: IndexOption;
  /** The branch's table of that name, as the query sees it. */
  readonly findTable: (name: string) => TableVersion | undefined;
  /** See `Source`. */
  readonly checkTime?: (() => void) | undefined;
}
