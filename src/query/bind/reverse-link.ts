import { describe, pointer, type Reason, refuse } from "../../errors.js";
import { DIALECTS } from "../../profile.js";
import type { LeafColumn } from "../../schema/columns.js";
import { type NumberRange, readFields, readNumber, refuseValue } from "../../shape/fields.js";
import { isArray } from "../../value/json.js";
import type { TableName, TableShape } from "../bound/column-ref.js";
import { findLinked, type Scope } from "./scope.js";

/** A reverse link as requested (rule P-11). */
export interface ReverseLink {
  readonly name: string;
  readonly table: TableName;
  readonly shape: TableShape;
  readonly link: LeafColumn;
  /** The query of the other table; not bound yet. */
  readonly columns: unknown;
  readonly sort: unknown;
  readonly order: unknown;
  readonly limit: number;
  readonly offset: number;
  readonly at: string;
}

const REVERSE_KEYS = new Set(["name", "as", "columns", "sort", "order", "limit", "offset"]);
const DEFAULT_REVERSE_LIMIT = 20;

/** Reads `{"name": "<-table.link", …}`; `isTaken` tests the record's other keys (P-11). */
export function readReverseLink(
  scope: Scope,
  entry: Readonly<Record<string, unknown>>,
  isTaken: (name: string) => boolean,
  at: string,
): ReverseLink {
  for (const key of Object.keys(entry)) {
    if (REVERSE_KEYS.has(key) || entry[key] === undefined) continue;
    refuseReverse(at, key, `unknown key ${describe(key)} in a reverse link`, {
      kind: "unknown_key",
      key,
    });
  }
  const found = findReverse(scope, entry.name, at);
  const { base, maxPageSize, maxPageOffset } = scope.run.profile;
  const fallback = DIALECTS[base].joinedNames ? found.table.name + found.link.path : entry.name;
  const name = entry.as === undefined ? fallback : entry.as;
  if (typeof name !== "string" || name === "" || name === "__proto__") {
    return refuseReverse(at, "as", `expected a name, found ${describe(name)}`);
  }
  if (isTaken(name)) refuseReverse(at, "as", `the name ${describe(name)} is taken`);
  const most = [1, maxPageSize] as const;
  const limit = readCount(entry.limit, DEFAULT_REVERSE_LIMIT, most, pointer(at, "limit"));
  const offset = readCount(entry.offset, 0, [0, maxPageOffset], pointer(at, "offset"));
  const { columns, sort, order } = entry;
  if (order !== undefined && sort !== undefined) {
    refuseReverse(at, "order", "order is an alias of sort: give only one");
  }
  return { name, ...found, columns, sort, order, limit, offset, at };
}

/** Metadata keys that `order` accepts without prefix. */
const METADATA_NAMES: readonly unknown[] = ["createdAt", "updatedAt", "version"];

/** `random` is left to the sort that `order` becomes. */
const DIRECTIONS: readonly unknown[] = ["asc", "desc", "random"];

/** Converts `order` to a sort (rule P-11). */
export function readOrder({ run, table }: Scope, order: unknown, at: string): unknown {
  const part = { path: at, rule: "P-11", code: "invalid_sort" } as const;
  if (!isArray(order)) refuseValue(order, 'an array of {"column", "order"}', part);
  return order.map((member: unknown, index) => {
    const path = pointer(at, index);
    const fields = readFields(member, ["column", "order"], { ...part, path });
    const { column, order: direction = "asc" } = fields;
    if (typeof column !== "string")
      return refuseValue(column, "a path", { ...part, path: pointer(path, "column") });
    if (!DIRECTIONS.includes(direction)) {
      const directionPart = { ...part, path: pointer(path, "order"), rule: "S-2" };
      return refuseValue(direction, "asc or desc", directionPart);
    }
    const isMetadata = METADATA_NAMES.includes(column) && !table.schema.columnsByName.has(column);
    return { [isMetadata ? `${run.profile.metadataColumn}.${column}` : column]: direction };
  });
}

export function refuseReverse(at: string, key: string, message: string, reason?: Reason): never {
  refuse("invalid_request", `columns: ${message}`, {
    path: pointer(at, key),
    rule: "P-11",
    reason,
  });
}

/** Finds the link `<-table.link`, whose target must be the scope's table. */
function findReverse(
  scope: Scope,
  name: unknown,
  at: string,
): Pick<ReverseLink, "table" | "shape" | "link"> {
  const match = typeof name === "string" ? REVERSE_NAME.exec(name) : null;
  if (match === null)
    return refuseReverse(at, "name", `expected "<-table.link", found ${describe(name)}`);
  const [shown, tableName = "", linkName = ""] = match;
  const shape = scope.run.findTable(tableName);
  const link = shape === undefined ? undefined : findLink(shape, linkName);
  if (shape !== undefined && link !== undefined) {
    // Compares identities: versions change within a transaction.
    if (findLinked(scope.run, link)?.identity === scope.table.identity) {
      return { table: { name: tableName, identity: shape.identity }, shape, link };
    }
  }
  const message = `column [${shown.slice(0, 100)}] does not exist: no such link to this table`;
  return refuse("unknown_column", message, {
    path: pointer(at, "name"),
    rule: "P-11",
    reason: { kind: "unknown_column", clause: "columns", column: shown },
  });
}

const REVERSE_NAME = /^<-([^.]+)\.(.+)$/;

function findLink(table: TableShape, path: string): LeafColumn | undefined {
  return table.schema.leaves.find((leaf) => leaf.type === "link" && leaf.path === path);
}

function readCount(value: unknown, fallback: number, range: NumberRange, at: string): number {
  if (value === undefined) return fallback;
  return readNumber(value, range, { path: at, rule: "P-11" });
}
