import type { LeafColumn } from "../schema/columns.js";
import { columnName } from "./statement.js";

/**
 * What is unique of a column, as an index holds it: of a text a hash, since an index takes no long
 * ones. Undefined for lists and JSON, which have none.
 */
export function uniqueExpression({
  slot,
  type,
}: Pick<LeafColumn, "slot" | "type">): string | undefined {
  const name = columnName(slot);
  switch (type) {
    case "string":
    case "text":
    case "email":
    case "link":
      return `md5(${name})`;
    case "bool":
    case "int":
    case "float":
    case "datetime":
      return name;
    default:
      return undefined;
  }
}
