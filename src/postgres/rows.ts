import type { CompiledSchema, StoredValue } from "../schema/columns.js";
import { CREATED_AT_SLOT, UPDATED_AT_SLOT, VERSION_SLOT } from "../schema/columns.js";
import type { Row } from "../sql/project.js";
import { columnName } from "../sql/statement.js";
import {
  castType,
  decodeValue,
  encodeValue,
  type SqlText,
  type SqlValueType,
} from "../sql/values.js";
import { createTableVersion, ordinalsOf, type RowSource, TableVersion } from "../storage/table.js";
import { TableTransient } from "../storage/transient.js";
import type { Instant } from "../value/datetime.js";

/** A column in the database, in the order of reads and writes. */
export interface StoredColumn {
  readonly name: string;
  readonly type: SqlValueType;
  readonly slot: number;
}

const SYSTEM_COLUMNS: readonly StoredColumn[] = [
  { name: "id", type: "id", slot: 0 },
  { name: "version", type: "int", slot: VERSION_SLOT },
  { name: "created_at", type: "datetime", slot: CREATED_AT_SLOT },
  { name: "updated_at", type: "datetime", slot: UPDATED_AT_SLOT },
];

/** Stored columns of a table, those of every record first. */
export function storedColumns({ leaves }: CompiledSchema): readonly StoredColumn[] {
  return [
    ...SYSTEM_COLUMNS,
    ...leaves.map(({ slot, type }) => ({ name: columnName(slot), type, slot })),
  ];
}

/** Selects the stored columns of a table for {@link holdRows}. */
export function selectStored(schema: CompiledSchema, from: string): string {
  const names = storedColumns(schema).map(({ name }) => name);
  return `select ${names.join(", ")} from ${from}`;
}

export function castOf({ type }: StoredColumn): string {
  return castType(type);
}

/** Returns a table with these rows; lookups of other rows call `source`. */
export function holdRows(
  table: TableVersion,
  rows: Iterable<Row>,
  source?: RowSource,
): TableVersion {
  const { identity, schema } = table;
  const empty = new TableVersion({ ...createTableVersion(identity, schema), source });
  const transient = new TableTransient(empty);
  const values: StoredValue[] = new Array<StoredValue>(schema.slotCount).fill(null);
  for (const row of rows) {
    for (const [index, { slot, type }] of schema.leaves.entries()) {
      values[slot] = decodeValue(type, row[SYSTEM_COLUMNS.length + index] ?? null);
    }
    const [id, version, createdAt, updatedAt] = SYSTEM_COLUMNS.map(({ type }, index) =>
      decodeValue(type, row[index] ?? null),
    );
    const metadata = {
      version: version as number, // every record has all of these
      createdAt: createdAt as Instant,
      updatedAt: updatedAt as Instant,
    };
    transient.append(id as string, metadata, values);
  }
  return transient.persist();
}

export function encodeRows(table: TableVersion): Map<string, readonly SqlText[]> {
  const columns = storedColumns(table.schema);
  const rows = new Map<string, readonly SqlText[]>();
  for (const ordinal of ordinalsOf(table.chunks)) {
    rows.set(table.idAt(ordinal), encodeRow(table, columns, ordinal));
  }
  return rows;
}

export function encodeRow(
  table: TableVersion,
  columns: readonly StoredColumn[],
  ordinal: number,
): readonly SqlText[] {
  return columns.map(({ type, slot }) =>
    encodeValue(type, slot === 0 ? table.idAt(ordinal) : table.get(ordinal, slot)),
  );
}
