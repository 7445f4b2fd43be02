import type { TableVersion } from "../../storage/table.js";
import { findUnique } from "../../storage/unique.js";
import type { NamedAccess } from "./plan.js";

/** The rows whose id or value in a `unique` column a filter names, those that there are. */
export function namedRows(table: TableVersion, access: NamedAccess): number[] {
  const rows =
    access.kind === "ids"
      ? access.ids.map((id) => table.find(id))
      : access.keys.map((key) => findUnique(table, access.slot, key, () => true));
  return rows.filter((row) => row >= 0);
}
