import { runQueryAsJson } from "../query/run.js";
import type { AnyTable } from "../typed/table.js";
import { Table } from "./table.js";

/**
 * Answers a query with the JSON text of its result: what is sent on needs no records to be made.
 * Apart from `Table`, so that only who serves has it in a bundle.
 *
 * @throws TwinbaseError as `query` of a table
 */
export function queryAsJson(table: AnyTable, request: unknown): string {
  const { environment, version, read } = Table.sourceOf(table);
  return read(() => runQueryAsJson(environment, version, request));
}

/** The same, for whoever looks at any place of a result: an offset may be as large as it likes. */
export function queryAnywhereAsJson(table: AnyTable, request: unknown): string {
  const { environment, version } = Table.sourceOf(table);
  const profile = { ...environment.profile, maxPageOffset: Number.MAX_SAFE_INTEGER };
  return runQueryAsJson({ ...environment, profile }, version, request);
}
