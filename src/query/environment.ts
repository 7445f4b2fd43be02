import type { LeafColumn } from "../schema/columns.js";
import type { BindContext } from "./bind/scope.js";
import type { IndexOption } from "./plan/indexes.js";
import type { Source } from "./source.js";

export interface QueryEnvironment extends Omit<BindContext, "findTable">, Omit<Source, "table"> {
  readonly indexes: IndexOption;
  /** Called for each record whose reverse links are read. */
  readonly onReverse?: ((table: string, link: LeafColumn, id: string) => void) | undefined;
}
