import { assert } from "../errors.js";
import type { LeafColumn, Schema } from "../schema/columns.js";
import { columnName, type Statement, StatementWriter } from "../sql/statement.js";
import { hasUniqueIndex, uniqueExpression } from "../sql/unique.js";
import { castType, columnType, encodeValue, type SqlText } from "../sql/values.js";
import type { TableVersion } from "../storage/table.js";
import { ordinalsOf } from "../storage/table.js";
import { plain } from "./driver.js";

const SYSTEM = [
  'id text collate "C" primary key',
  "version bigint not null",
  "created_at timestamptz not null",
  "updated_at timestamptz not null",
];

export function createTable(name: string, schema: Schema): Statement[] {
  const columns = [...SYSTEM, ...schema.leaves.map(declare)];
  return [
    plain(`create table ${name} (${columns.join(", ")})`),
    ...schema.leaves.filter(isHeldUnique).map((column) => createUnique(name, column)),
  ];
}

export function copyTable(
  name: string,
  from: string,
  schema: Schema,
  shared: readonly LeafColumn[] = schema.leaves,
): Statement[] {
  const columns = ["id", "version", "created_at", "updated_at"]
    .concat(shared.map(({ slot }) => columnName(slot)))
    .join(", ");
  const [create, ...indexes] = createTable(name, schema);
  assert(create !== undefined, "a table is made by a statement");
  return [
    create,
    plain(`insert into ${name} (${columns}) select ${columns} from ${from}`),
    ...indexes,
  ];
}

/** PostgreSQL counts dropped columns too; the maximum is 1,600. */
const COLUMNS_UNTIL_REBUILT = 500;

/** Whether to rebuild a table because of its dropped columns; it has at most 1,000 others. */
export function isToBeRebuilt(before: Schema, after: Schema): boolean {
  const [had, has] = [before, after].map(({ slotCount }) =>
    Math.floor(slotCount / COLUMNS_UNTIL_REBUILT),
  );
  return had !== has;
}

export function rebuildTable(
  name: string,
  from: string,
  before: Schema,
  after: TableVersion,
): Statement[] {
  const had = new Set(before.leaves.map(({ slot }) => slot));
  const { leaves } = after.schema;
  const kept = leaves.filter(({ slot }) => had.has(slot));
  const added = leaves.filter(({ slot }) => !had.has(slot));
  return [
    ...copyTable(name, from, after.schema, kept),
    ...fill(name, added, after),
    plain(`drop table ${from}`),
  ];
}

export function alterTable(name: string, before: Schema, after: TableVersion): Statement[] {
  const { leaves } = after.schema;
  const had = new Map(before.leaves.map((column) => [column.slot, column]));
  const has = new Map(leaves.map((column) => [column.slot, column]));
  const dropped = before.leaves.filter(({ slot }) => !has.has(slot));
  const added = leaves.filter(({ slot }) => !had.has(slot));
  const changes = [
    ...dropped.map(({ slot }) => `drop column ${columnName(slot)}`),
    ...added.map((column) => `add column ${declare(column)}`),
  ];
  const isNewlyUnique = (column: LeafColumn): boolean =>
    isHeldUnique(column) && had.get(column.slot)?.unique !== true;
  const isNoMore = (column: LeafColumn): boolean =>
    isHeldUnique(column) && has.get(column.slot)?.unique === false;
  return [
    ...before.leaves
      .filter(isNoMore)
      .map(({ slot }) => plain(`drop index ${indexName(name, slot)}`)),
    ...(changes.length === 0 ? [] : [plain(`alter table ${name} ${changes.join(", ")}`)]),
    ...fill(name, added, after),
    ...leaves.filter(isNewlyUnique).map((column) => createUnique(name, column)),
  ];
}

/** Fills new columns of existing rows with their defaults (T-16). */
function fill(name: string, added: readonly LeafColumn[], table: TableVersion): Statement[] {
  const [ordinal] = ordinalsOf(table.chunks);
  if (ordinal === undefined) return [];
  const writer = new StatementWriter();
  const filled = added.flatMap(({ slot, type }) => {
    const value: SqlText = encodeValue(type, table.get(ordinal, slot));
    return value === null ? [] : [`${columnName(slot)} = ${writer.bind(value, castType(type))}`];
  });
  return filled.length === 0 ? [] : [writer.finish(`update ${name} set ${filled.join(", ")}`)];
}

function declare({ slot, type }: LeafColumn): string {
  return `${columnName(slot)} ${columnType(type)}`;
}

function isHeldUnique(column: LeafColumn): boolean {
  return column.unique && hasUniqueIndex(column.type);
}

function createUnique(name: string, column: LeafColumn): Statement {
  const [, index] = indexName(name, column.slot).split(".");
  return plain(`create unique index ${index} on ${name} ((${uniqueOf(column)}))`);
}

function uniqueOf({ type, slot }: LeafColumn): string | undefined {
  return uniqueExpression(type, columnName(slot));
}

function indexName(name: string, slot: number): string {
  return `${name}_u${slot}`;
}
