import { type OwnSettings, openRun } from "../../src/engine/query-run.js";
import { Table } from "../../src/engine/table.js";
import type { QueryRun } from "../../src/query/query-run.js";

/** Opens a query of a table. */
export function runOf(table: object, own?: OwnSettings): QueryRun {
  const { context, address } = Table.locate(table as never); // a handle
  return openRun(context, address, own);
}
