import type { Profile } from "../profile.js";
import { recordNames } from "../schema/record-names.js";
import { isArray, isPlainObject } from "../value/json.js";

type Given = Readonly<Record<string, unknown>>;

/** Keys of tables in clients of databases with PostgreSQL access, which have no effect here. */
const POSTGRES_KEYS: ReadonlySet<string> = new Set([
  "checkConstraints",
  "foreignKeys",
  "primaryKey",
  "uniqueConstraints",
  "comment",
  "oid",
  "xataCompatible",
]);

/** Reads `tables` that describe PostgreSQL: without the columns of id and metadata, and with defaults in SQL. */
export function readGeneratedTables(schema: unknown, profile: Profile): unknown {
  if (profile.idColumn === "id" || !isPlainObject(schema) || !isArray(schema.tables)) return schema;
  const reserved: readonly unknown[] = recordNames(profile);
  const tables = (schema.tables as readonly unknown[]).map((table) => {
    if (!isPlainObject(table) || !isArray(table.columns)) return table;
    const columns = (table.columns as readonly unknown[]).flatMap((column) => {
      if (!isPlainObject(column)) return [column];
      return reserved.includes(column.name) ? [] : [readColumn(column)];
    });
    return { ...withoutKeys(table), columns };
  });
  return { ...schema, tables };
}

function withoutKeys(given: Given): Given {
  return Object.fromEntries(Object.entries(given).filter(([key]) => !POSTGRES_KEYS.has(key)));
}

function readColumn(column: Given): Given {
  const { defaultValue, ...rest } = withoutKeys(column);
  if (typeof defaultValue !== "string") return defaultValue == null ? rest : column;
  const value = readDefault(defaultValue, rest.type);
  return value === undefined ? rest : { ...rest, defaultValue: value };
}

/** Reads a default in SQL; undefined for an expression, such as that of a sequence. */
function readDefault(text: string, type: unknown): string | undefined {
  if (type === "datetime" && /^(?:now\(\)|current_timestamp)$/i.test(text)) return "now";
  const quoted = /^'((?:[^']|'')*)'(?:::[\w ]+(?:\[\])?)?$/.exec(text)?.[1];
  if (quoted !== undefined) return quoted.replaceAll("''", "'");
  return /[(:]/.test(text) ? undefined : text;
}
