import { describe, refuse } from "../errors.js";
import { isName } from "../value/names.js";

/** What a name is of, as messages put it. */
export type NamedKind = "workspace" | "database" | "branch" | "table" | "key";

/**
 * Refuses anything but a name of 1–255 characters of `A-Z a-z 0-9 _ - ~` (rule N-1). `path` is
 * where the request has it; a name in an address has none.
 */
export function checkName(kind: NamedKind, name: unknown, path?: string): asserts name is string {
  if (typeof name === "string" && isName(name)) return;
  refuse(
    "invalid_name",
    `${kind} name: expected 1–255 characters of A-Z a-z 0-9 _ - ~, found ${describe(name)}`,
    { path, rule: "N-1" },
  );
}

/**
 * Takes `{db_name}:{branch_name}` apart.
 *
 * @throws TwinbaseError `invalid_name` without exactly one colon (rule N-2) or for a bad name (N-1).
 */
export function parseDbBranchName(text: unknown): { database: string; branch: string } {
  const parts = typeof text === "string" ? text.split(":", 3) : [];
  const [database, branch] = parts;
  if (parts.length !== 2) {
    refuse("invalid_name", `expected {database}:{branch}, found ${describe(text)}`, {
      rule: "N-2",
    });
  }
  checkName("database", database);
  checkName("branch", branch);
  return { database, branch };
}
