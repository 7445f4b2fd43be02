import type { LeafColumn } from "../schema/columns.js";
import type { TableVersion } from "../storage/table.js";
import type { BindContext } from "./bind/scope.js";
import type { IndexOption } from "./plan/indexes.js";

/** What running queries takes from outside the table. */
export interface QueryEnvironment extends BindContext {
  readonly indexes: IndexOption;
  /** The branch's table of that name, as the query sees it. */
  readonly findTable: (name: string) => TableVersion | undefined;
  /** Is told of which records all that link to them are looked for, and over which column. */
  readonly onReverse?: ((table: string, link: LeafColumn, id: string) => void) | undefined;
  /** See `Source`. */
  readonly checkTime?: (() => void) | undefined;
}
