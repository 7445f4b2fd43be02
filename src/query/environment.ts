import type { LeafColumn } from "../schema/columns.js";
import type { BindContext } from "./bind/scope.js";
import type { IndexOption } from "./plan/indexes.js";
import type { Source } from "./source.js";

/** What running queries takes from outside the table. */
export interface QueryEnvironment extends Omit<BindContext, "findTable">, Omit<Source, "table"> {
  readonly indexes: IndexOption;
  /** Is told of which records all that link to them are looked for, and over which column. */
  readonly onReverse?: ((table: string, link: LeafColumn, id: string) => void) | undefined;
}
