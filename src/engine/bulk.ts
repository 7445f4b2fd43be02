import { refuse } from "../errors.js";
import type { AnyTable } from "../typed/table.js";
import type { AnyRecord } from "../types.js";
import { Table } from "./table.js";
import { batchOptions, insertAndRead, readRecords } from "./write-records.js";

/** Maximum records of a limited bulk request (rule X-8). */
const MAX_BULK = 1000;

/** Inserts the records of a bulk request. Separate from `Table`, so only servers bundle it. */
export function insertBulk(
  table: AnyTable,
  records: readonly unknown[],
  columns: readonly string[],
): AnyRecord[] {
  const { context, address } = Table.locate(table);
  readRecords(context, address, columns, []);
  if (context.profile.batches === "limited" && records.length > MAX_BULK) {
    refuse("invalid_request", `records: at most ${MAX_BULK}, found ${records.length}`, {
      path: "/records",
      rule: "X-8",
    });
  }
  return insertAndRead(context, address, records, columns, batchOptions(context));
}
