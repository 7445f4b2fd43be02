import type { At } from "../errors.js";
import { partAt, readFlag, readNumber, requireKnownKeys, requireObject } from "../shape/fields.js";
import type { WriteConditions } from "../storage/writer.js";
import { isArray } from "../value/json.js";

export interface RecordOptions extends WriteConditions {
  /** Columns to return; default all (rule P-1). */
  readonly columns?: unknown;
  /** Maximum number of written records; default all. */
  readonly limit?: number | undefined;
}

export function readRecordOptions(
  options: unknown,
  keys: readonly ("ifVersion" | "createOnly" | "columns" | "limit")[],
): RecordOptions {
  if (options === undefined) return {};
  requireObject(options, { what: "options", rule: "E-3" });
  requireKnownKeys(options, keys);
  const { ifVersion, createOnly, columns, limit } = options;
  const most = limit === undefined ? limit : readNumber(limit, [0], partAt("limit"));
  return {
    ifVersion: readIfVersion(ifVersion, "/ifVersion"),
    createOnly: readFlag(createOnly, partAt("createOnly")),
    columns,
    limit: most,
  };
}

export function readIfVersion(value: unknown, path: At): number | undefined {
  if (value === undefined) return undefined;
  return readNumber(value, [0], { what: "ifVersion", path, rule: "X-1" });
}

/** Whether a valid selection may follow links; object paths look the same. */
export function mayFollowLinks(columns: unknown): boolean {
  const members: readonly unknown[] = isArray(columns) ? columns : [];
  return members.some((member) => typeof member !== "string" || member.includes("."));
}
