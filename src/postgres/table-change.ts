import { assert } from "../errors.js";
import type { CompiledSchema, LeafColumn } from "../schema/columns.js";
import { type ParsedValue, requireValue } from "../schema/record.js";
import { columnName, type Statement, StatementWriter } from "../sql/statement.js";
import { hasUniqueIndex, uniqueExpression } from "../sql/unique.js";
import { castType, columnType, encodeValue } from "../sql/values.js";
import { plain } from "./driver.js";

const SYSTEM = [
  'id text collate "C" primary key',
  "version bigint not null",
  "created_at timestamptz not null",
  "updated_at timestamptz not null",
];

export function createTable(name: string, schema: CompiledSchema): Statement[] {
  const columns = [...SYSTEM, ...schema.leaves.map(declare)];
  return [
    plain(`create table ${name} (${columns.join(", ")})`),
    ...schema.leaves.filter(isHeldUnique).map((column) => createUnique(name, column)),
  ];
}

export function copyTable(
  name: string,
  from: string,
  schema: CompiledSchema,
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
export function isToBeRebuilt(before: CompiledSchema, after: CompiledSchema): boolean {
  const [had, has] = [before, after].map(({ slotCount }) =>
    Math.floor(slotCount / COLUMNS_UNTIL_REBUILT),
  );
  return had !== has;
}

/** @param defaults of new columns, by slot */
export function rebuildTable(
  [name, from]: readonly [name: string, from: string],
  before: CompiledSchema,
  after: CompiledSchema,
  defaults: readonly ParsedValue[],
): Statement[] {
  const had = new Set(before.leaves.map(({ slot }) => slot));
  const common = after.leaves.filter(({ slot }) => had.has(slot));
  return [
    ...copyTable(name, from, after, common),
    ...fill(name, after, defaults),
    plain(`drop table ${from} cascade`),
  ];
}

/** @param defaults of new columns, by slot */
export function alterTable(
  name: string,
  before: CompiledSchema,
  { leaves }: CompiledSchema,
  defaults: readonly ParsedValue[],
): Statement[] {
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
    ...fill(name, { leaves }, defaults),
    ...leaves.filter(isNewlyUnique).map((column) => createUnique(name, column)),
  ];
}

/** Fills new columns of existing rows (T-16). */
function fill(
  name: string,
  { leaves }: Pick<CompiledSchema, "leaves">,
  defaults: readonly ParsedValue[],
): Statement[] {
  const writer = new StatementWriter();
  const filled = leaves.flatMap(({ slot, type }) => {
    const value = defaults[slot];
    if (value === undefined) return [];
    const text = encodeValue(type, requireValue(value));
    return text === null ? [] : [`${columnName(slot)} = ${writer.bind(text, castType(type))}`];
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
  return plain(
    `create unique index ${index} on ${name} ((${uniqueExpression(column.type, columnName(column.slot))}))`,
  );
}

function indexName(name: string, slot: number): string {
  return `${name}_u${slot}`;
}
