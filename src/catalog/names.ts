import { type At, describe, refuse } from "../errors.js";
import * as s from "../shape/schema.js";
import { isName } from "../value/names.js";

export type NamedKind = "workspace" | "database" | "branch" | "table" | "key";

/** Throws for invalid names (rule N-1); `path` is absent for a name in an address. */
export function checkName(kind: NamedKind, name: unknown, path?: At): asserts name is string {
  if (typeof name === "string" && isName(name)) return;
  refuse(
    "invalid_name",
    `${kind} name: expected 1–255 characters of A-Z a-z 0-9 _ - ~, found ${describe(name)}`,
    { path, rule: "N-1" },
  );
}

/** The shape of a name in a request. */
export function nameOf(kind: NamedKind): s.Schema<string> {
  return s.mapped(s.described(s.TEXT), (name, { path }) => {
    checkName(kind, name, path);
    return name;
  });
}

/** Splits `{db_name}:{branch_name}`; throws `invalid_name` (rules N-1, N-2). */
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
