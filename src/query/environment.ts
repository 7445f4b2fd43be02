import type { BindContext } from "./bind/scope.js";
import type { IndexOption } from "./plan/indexes.js";
import type { Source } from "./source.js";

export interface QueryEnvironment extends Omit<BindContext, "findTable">, Omit<Source, "table"> {
  readonly indexes: IndexOption;
}
