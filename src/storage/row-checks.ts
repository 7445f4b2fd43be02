import { type ErrorCode, refuseRecord } from "../errors.js";
import { type Column, type CompiledSchema, findColumn, leavesOf } from "../schema/columns.js";
import type { ParsedValue } from "../schema/record.js";
import { checkEvery } from "../value/check-every.js";
import { compareStrings } from "../value/compare.js";
import { ordinalsOf, type TableVersion } from "./table.js";
import { uniqueKey } from "./unique.js";

/**
 * A condition that a change of columns sets on the records of the table before it (rules T-16, K-5).
 * Records break it that have null in all of the slots; a value there; or one that another record
 * has. A new column has no slots: each record has the same in it.
 */
export interface RowCheck {
  readonly breaks: "null" | "value" | "repeats";
  readonly column: Column;
  readonly slots: readonly number[];
}

/** The records that break a condition. */
export interface Breach {
  /** The first of them, by id. */
  readonly record: string;
  readonly count: number;
}

/** The table that is changed, and the way to its records. */
export interface CheckContext {
  readonly table: string;
  /** Looks for records of the table that break a condition. */
  readonly findBreach: (table: TableVersion, check: RowCheck) => Breach | undefined;
}

export function findBreach(
  table: TableVersion,
  { breaks, slots }: RowCheck,
  checkTime: () => void,
): Breach | undefined {
  const firstIds = new Map<string, string>();
  const checkStep = checkEvery(checkTime);
  let record: string | undefined;
  let count = 0;
  for (const ordinal of ordinalsOf(table.chunks)) {
    checkStep();
    let id = table.idAt(ordinal);
    const values = slots.map((slot) => table.get(ordinal, slot));
    const isNull = values.every((value) => value === null);
    if (breaks === "repeats") {
      if (isNull && slots.length > 0) continue;
      const key = uniqueKey(values[0] ?? "");
      const firstId = firstIds.get(key);
      const isFirst = firstId === undefined || compareStrings(id, firstId) < 0;
      if (isFirst) firstIds.set(key, id);
      if (firstId === undefined) continue;
      if (isFirst) id = firstId;
    } else if (isNull !== (breaks === "null")) continue;
    count++;
    if (record === undefined || compareStrings(id, record) < 0) record = id;
  }
  return record === undefined ? undefined : { record, count };
}

/** Throws `schema_conflict` if a column with values is not in the next version (rule K-5). */
export function requireValuesKept(
  table: TableVersion,
  { leaves }: Pick<CompiledSchema, "leaves">,
  context: CheckContext,
  at?: string,
): void {
  const remaining = new Set(leaves.map(({ slot }) => slot));
  for (const column of table.schema.leaves) {
    if (remaining.has(column.slot)) continue;
    requireRows(table, { breaks: "value", column, slots: [column.slot] }, context, at);
  }
}

/** Checks what new columns and options require of the records (rules T-16, K-5). */
export function requireAltered(
  table: TableVersion,
  { constraints, leaves }: CompiledSchema,
  filled: readonly ParsedValue[],
  context: CheckContext,
  at: string,
): void {
  const before = table.schema;
  const leavesBySlot = new Map(before.leaves.map((leaf) => [leaf.slot, leaf]));
  const slotsOf = (column: Column): number[] =>
    leavesOf(column).flatMap(({ slot }) => (leavesBySlot.has(slot) ? [slot] : []));
  const test = (breaks: RowCheck["breaks"], column: Column, why: string): void =>
    requireRows(table, { breaks, column, slots: slotsOf(column) }, context, at, why);
  for (const column of constraints.notNulls) {
    // An object may lose the columns that have its values.
    const was = findColumn(before, column.path);
    const isKept = was?.notNull === true && slotsOf(column).length === leavesOf(was).length;
    const isFilled = leavesOf(column).some(({ slot }) => filled[slot] !== undefined);
    if (!isKept && !isFilled) test("null", column, "must not be null");
  }
  for (const column of constraints.uniques) {
    const was = leavesBySlot.get(column.slot);
    const mayRepeat = was === undefined ? filled[column.slot] !== undefined : !was.unique;
    if (mayRepeat) test("repeats", column, "must be unique");
  }
  for (const column of leaves) {
    const was = leavesBySlot.get(column.slot);
    if (was === undefined || was.dimension === column.dimension) continue;
    test("value", column, `must have ${column.dimension} numbers`);
  }
}

/** @param why what the change requires; by default, that no value is lost */
function requireRows(
  table: TableVersion,
  check: RowCheck,
  { table: name, findBreach }: CheckContext,
  path?: string,
  why?: string,
): void {
  const breach = findBreach(table, check);
  if (breach === undefined) return;
  const column = `column [${check.column.path}]`;
  const { record, count } = breach;
  const [code, rule, text]: readonly [ErrorCode, string, string] =
    why === undefined
      ? [
          "schema_conflict",
          "K-5",
          `${column}: values that would be lost without dropValues: ${count}`,
        ]
      : check.slots.length > 0
        ? ["invalid_record", "K-5", `record [${record}]: ${column} ${why}`]
        : ["invalid_schema", "T-16", `${column} ${why}: the table has records`];
  refuseRecord(name, code, text, { path, rule });
}
