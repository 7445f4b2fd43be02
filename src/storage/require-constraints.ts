import { type At, below, describe, type Reason, refuseRecord } from "../errors.js";
import { type Constraints, leavesOf } from "../schema/columns.js";
import { type ParsedValue, requireValue } from "../schema/record.js";
import type { TableTransient } from "./transient.js";

export type ValueAt = (slot: number) => ParsedValue;

/** Rejects forbidden null and duplicate values (rule T-16); `ordinal` is −1 for a new record. */
export function requireConstraints(
  transient: TableTransient,
  table: string,
  { notNulls, uniques }: Pick<Constraints, "notNulls" | "uniques">,
  valueAt: ValueAt,
  ordinal: number,
  at: At,
): void {
  for (const column of notNulls) {
    if (leavesOf(column).every(({ slot }) => valueAt(slot) === null)) {
      refuseColumn(table, column.path, "must not be null", at);
    }
  }
  for (const column of uniques) {
    const value = requireValue(valueAt(column.slot));
    if (value !== null && transient.findUnique(column, value, ordinal) >= 0) {
      const fault = `must be unique: another record holds ${describe(value)}`;
      const reason: Reason = { kind: "not_unique", column: column.path };
      refuseColumn(table, column.path, fault, at, { reason });
    }
  }
}

function refuseColumn(
  table: string,
  path: string,
  fault: string,
  at: At,
  details: { readonly reason?: Reason } = {},
): never {
  refuseRecord(table, "invalid_record", `column [${path}] ${fault}`, {
    path: path.split(".").reduce<At>(below, at),
    rule: "T-16",
    ...details,
  });
}
