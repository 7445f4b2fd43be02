import type { MigrationRequestState, MigrationState } from "../../catalog/state.js";
import { compareColumns, type SchemaEdit } from "../../schema/compare-columns.js";
import { describeSchema } from "../../schema/declare.js";
import type { TableVersion } from "../../storage/table.js";
import type { Instant } from "../../value/datetime.js";
import { readJsonObject } from "../../value/fields.js";
import { refusePart, requireFields, requireInstant, requireList, requireText } from "./values.js";

/** The history of a branch that has none: one change that makes its tables (rule K-2). */
export function beginHistory(
  createdAt: Instant,
  tables: ReadonlyMap<string, TableVersion>,
): readonly MigrationState[] {
  const operations = Array.from(tables).flatMap(([table, { schema }]): SchemaEdit[] => [
    { addTable: { table } },
    ...compareColumns(table, [], describeSchema(schema)),
  ]);
  return operations.length === 0 ? [] : [{ createdAt, operations }];
}

const OPERATIONS = /^(?:add|remove|rename)(?:Table|Column)$/;

/** A line of a migration. */
export function readMigration(details: unknown): MigrationState {
  const { createdAt, ...rest } = requireFields(details, "migration");
  const { operations, given, title, message, merged } = readJsonObject(rest, {
    what: "migration",
    rule: "K-1",
  });
  for (const operation of requireList(operations, "operations")) {
    const [kind = "", ...others] = Object.keys(requireFields(operation, "operation"));
    if (!OPERATIONS.test(kind) || others.length > 0) {
      refusePart("operation", "one step of a schema", kind);
    }
  }
  const text = (value: unknown, key: string) =>
    value === undefined ? {} : { [key]: requireText(value, key) };
  const { id, checksum } = given === undefined ? {} : requireFields(given, "given");
  return {
    createdAt: requireInstant(createdAt, "createdAt"),
    operations: operations as unknown as readonly SchemaEdit[], // applied again, each is checked
    ...(given !== undefined && {
      given: { id: requireText(id, "id"), checksum: requireText(checksum, "checksum") },
    }),
    ...text(title, "title"),
    ...text(message, "message"),
    ...(merged !== undefined && {
      merged: requireList(merged, "merged").map((member) => requireText(member, "merged")),
    }),
  };
}

/** A migration request of a database's line. */
export function readRequest(entry: unknown): MigrationRequestState {
  const fields = requireFields(entry, "migrationRequests");
  const { status } = fields;
  if (status !== "open" && status !== "closed" && status !== "merged") {
    return refusePart("status", "open, closed or merged", status);
  }
  const text = (key: string): string => requireText(fields[key], key);
  const { migration } = fields;
  const time = (key: "closedAt" | "mergedAt") =>
    fields[key] === undefined ? {} : { [key]: requireInstant(fields[key], key) };
  return {
    source: text("source"),
    target: text("target"),
    title: text("title"),
    body: text("body"),
    status,
    createdAt: requireInstant(fields.createdAt, "createdAt"),
    modifiedAt: requireInstant(fields.modifiedAt, "modifiedAt"),
    ...time("closedAt"),
    ...time("mergedAt"),
    ...(migration !== undefined && { migration: text("migration") }),
  };
}
