import { runQueryAsJson } from "../query/run.js";
import type { AnyTable } from "../typed/table.js";
import { type OwnSettings, openRun } from "./query-run.js";
import { Table } from "./table.js";

/** Returns a query's result as JSON text. Separate from `Table`, so only servers bundle it. */
export function queryAsJson(table: AnyTable, request: unknown, settings?: OwnSettings): string {
  const { context, address } = Table.locate(table);
  return context.query(() => runQueryAsJson(openRun(context, address, settings), request));
}

/** Like {@link queryAsJson}, without a limit of the offset. */
export function queryAnywhereAsJson(table: AnyTable, request: unknown): string {
  const { profile } = Table.locate(table).context;
  const maxPageOffset = Number.MAX_SAFE_INTEGER;
  return queryAsJson(table, request, { profile: { ...profile, maxPageOffset } });
}
