import type { TableAddress } from "../catalog/address.js";
import { below, ROOT } from "../errors.js";
import { bindMatches, findRows } from "../query/run.js";
import type { AnyRecord } from "../types.js";
import type { EngineContext } from "./context.js";
import { openRun } from "./query-run.js";
import { readRecordOptions } from "./record-options.js";
import { readRecords, tryEach, writeRecords } from "./write-records.js";

/**
 * Updates or deletes the records that match before the call, in the order of ids, all or none. Returns
 * their number, or with `columns` the records; deleted ones as they were.
 *
 * @param changes undefined deletes
 */
export function writeWhere(
  context: EngineContext,
  address: TableAddress,
  [filter, changes, options]: readonly [filter: unknown, changes: unknown, options: unknown],
): number | AnyRecord[] {
  const { columns, limit = Infinity } = readRecordOptions(options, ["columns", "limit"]);
  return context.call(() => {
    const ids = context.read(() => {
      const run = openRun(context, address);
      const query = { ...bindMatches(run, filter ?? null), limit };
      context.onQuery?.(address, query);
      return findRows(run, query).map((row) => run.table.idAt(row));
    });
    const read = (): number | AnyRecord[] =>
      columns === undefined ? ids.length : readRecords(context, address, columns, ids);
    const before = changes === undefined && read();
    writeRecords(context, address, (writer) => {
      const write = (id: string): unknown =>
        changes === undefined ? writer.delete(id) : writer.update(id, changes, {}, below(ROOT, id));
      tryEach(ids, write, context);
    });
    return before || read();
  });
}
