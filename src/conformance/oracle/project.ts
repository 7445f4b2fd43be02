import type {
  AnyRecord,
  ColumnDefinition,
  ColumnSelection,
  Json,
  ReverseLinkSelection,
} from "../../types.js";
import { FILE_MEMBERS, membersOf } from "./files.js";
import {
  findRecord,
  findTable,
  isObject,
  type JsonObject,
  type OracleDatabase,
  type OracleRecord,
  ownValue,
  requireTable,
} from "./model.js";
import { sortRecords } from "./order.js";
import { followPath, recordValue } from "./path.js";
import { instantOf, instantText, subColumns } from "./values.js";

type Path = readonly string[];

/** Projects a record, with the keys in order (section P). */
export function projectRecord(
  db: OracleDatabase,
  tableName: string,
  columns: readonly ColumnSelection[] | undefined,
  record: OracleRecord,
): AnyRecord {
  const table = requireTable(db, tableName);
  const selected = columns ?? ["*"];
  const paths = selected.flatMap((entry) => (typeof entry === "string" ? [entry.split(".")] : []));
  const reverse = selected.filter((entry) => typeof entry !== "string");
  return {
    id: record.id,
    ...projectColumns(db, table.columns, record.columns, paths),
    ...Object.fromEntries(
      reverse.map((entry) => [
        entry.as ?? reverseName(db, entry),
        linkingRecords(db, entry, record),
      ]),
    ),
    ...projectMetadata(db, record),
  };
}

function projectMetadata(db: OracleDatabase, record: OracleRecord): JsonObject {
  const { version, createdAt, updatedAt } = record.metadata;
  return {
    [db.profile.metadataColumn]: {
      version,
      createdAt: instantText(instantOf(createdAt)),
      updatedAt: instantText(instantOf(updatedAt)),
    },
  };
}

/** Selected non-null columns, in schema order (P-10). */
function projectColumns(
  db: OracleDatabase,
  columns: readonly ColumnDefinition[],
  values: JsonObject,
  paths: readonly Path[],
): JsonObject {
  const starred = paths.some((path) => path[0] === "*");
  const result: [string, Json][] = [];
  for (const column of columns) {
    const tails = paths.filter((path) => path[0] === column.name).map((path) => path.slice(1));
    const value = ownValue(values, column.name);
    if (value === null || (!starred && tails.length === 0)) continue;
    const bare = tails.some((tail) => tail.length === 0);
    const further = tails.filter((tail) => tail.length > 0);
    if (column.type === "object" && isObject(value)) {
      // P-3, P-4: a star or the bare name selects all sub-keys as a whole.
      const inner = starred || bare ? [["*"], ...further] : further;
      const object = projectColumns(db, subColumns(column), value, inner);
      if (Object.keys(object).length > 0) result.push([column.name, object]);
    } else if (column.type === "link") {
      // P-6: under xata a bare link name is its `.*`.
      const whole = bare && db.profile.base !== "documented";
      const inner = whole ? [["*"], ...further] : further;
      result.push([column.name, projectLink(db, column, String(value), inner)]);
    } else if (column.type === "file" || column.type === "file[]") {
      const members = new Set([...(starred ? BRIEF : []), ...further.map(([name]) => name)]);
      const files = projectFiles(column, value, (member) => members.has(member));
      if (files !== null) result.push([column.name, files]);
    } else {
      result.push([column.name, renderValue(db, column, value)]);
    }
  }
  return Object.fromEntries(result);
}

/** H-2: members of files in a selection without their names. */
const BRIEF: readonly string[] = ["id", "name", "mediaType"];

/** Selected members of files; null if a single file has none of them. */
function projectFiles(
  { type }: ColumnDefinition,
  value: Json,
  isChosen: (member: string) => boolean,
): Json {
  const files = Array.isArray(value) ? value : [value];
  const shown = files.map((file): JsonObject => {
    const members = membersOf(file);
    const names = [...(type === "file[]" ? ["id"] : []), ...FILE_MEMBERS.map(({ name }) => name)];
    const shown = names.filter(isChosen).map((name) => [name, ownValue(members, name)] as const);
    return Object.fromEntries(shown);
  });
  if (type === "file[]") return shown;
  const [file = {}] = shown;
  return Object.keys(file).length > 0 ? file : null;
}

/** P-1, P-5, P-7: the id, also of a dangling link; else the selected record. */
function projectLink(
  db: OracleDatabase,
  column: ColumnDefinition,
  id: string,
  paths: readonly Path[],
): JsonObject {
  const target = column.link?.table ?? "";
  const record = paths.length === 0 ? undefined : findRecord(db, target, id);
  if (record === undefined) return { id };
  const columns = findTable(db, target)?.columns ?? [];
  return {
    id,
    ...projectColumns(db, columns, record.columns, paths),
    ...projectMetadata(db, record),
  };
}

/** Renders a scalar value (T-3, T-7, T-11). */
function renderValue(db: OracleDatabase, column: ColumnDefinition, value: Json): Json {
  if (column.type === "datetime") return instantText(instantOf(String(value)));
  if (column.type === "json" && db.profile.base !== "documented") return JSON.stringify(value);
  return value === 0 ? 0 : value;
}

/** The default key of a reverse link: under `xata` table and link (P-11). */
function reverseName(db: OracleDatabase, { name }: ReverseLinkSelection): string {
  if (db.profile.base === "documented") return name;
  return name.slice("<-".length).replace(".", "");
}

/** P-11: records of another table that link to this record. */
function linkingRecords(
  db: OracleDatabase,
  selection: ReverseLinkSelection,
  record: OracleRecord,
): Json {
  const [tableName = "", ...link] = selection.name.slice("<-".length).split(".");
  const table = requireTable(db, tableName);
  const linking = table.records.filter(
    (other) => followPath(db, recordValue(table, other), link.join(".")).value === record.id,
  );
  const start = selection.offset ?? 0;
  const records = sortRecords(db, tableName, selection.sort, linking)
    .slice(start, start + (selection.limit ?? 20))
    .map((entry) => projectRecord(db, tableName, selection.columns, entry.record));
  // A projected record is JSON.
  return { records: records as unknown as Json };
}
