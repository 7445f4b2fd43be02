import { type At, describe, refuse } from "../errors.js";
import type { Profile } from "../profile.js";
import { isColumnName } from "../value/names.js";
import type { Column } from "./columns.js";
import { recordNames } from "./record-names.js";

/** Throws if a sibling has the same name, ignoring case (rule N-3). */
export function requireFreeName(
  columns: readonly Column[],
  name: string,
  path: At,
  code: "invalid_schema" | "column_exists" = "invalid_schema",
): void {
  const folded = name.toLowerCase();
  const taken = columns.find((column) => column.name.toLowerCase() === folded);
  if (taken !== undefined) {
    const message = `column [${name}]: the name ${JSON.stringify(taken.name)} is taken`;
    refuse(code, message, { path, rule: "N-3" });
  }
}

export function requireColumnName(
  name: unknown,
  profile: Profile,
  path: At,
): asserts name is string {
  const reserved = recordNames(profile).includes(name as string);
  if (!isColumnName(name) || reserved) {
    const why = reserved
      ? "is reserved"
      : "must be 1–255 characters of A-Z a-z 0-9 _ - ~, not begin with $, not be an array index or __proto__";
    refuse("invalid_schema", `column name ${describe(name)} ${why}`, { path, rule: "N-3" });
  }
}
