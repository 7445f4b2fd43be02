import { runQueryAsJson } from "../query/run.js";
import type { AnyTable } from "../typed/table.js";
import { openRun } from "./query-run.js";
import { Table } from "./table.js";

/** Returns a query's result as JSON text. Separate from `Table`, so only servers bundle it. */
export function queryAsJson(table: AnyTable, request: unknown): string {
  const { run, read } = Table.sourceOf(table);
  return read(() => runQueryAsJson(run, request));
}

/** Like {@link queryAsJson}, without a limit of the offset. */
export function queryAnywhereAsJson(table: AnyTable, request: unknown): string {
  const { context, address } = Table.locate(table);
  const profile = { ...context.profile, maxPageOffset: Number.MAX_SAFE_INTEGER };
  return runQueryAsJson(openRun(context, address, { profile }), request);
}
