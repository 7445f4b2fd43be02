import type { Statement } from "../sql/statement.js";
import { plain, type Session } from "./driver.js";

/*
 * What only a cluster of Citus runs. Each database is one schema, joined with no other: there it is
 * spread over the workers as a whole, and Citus moves it from one to another.
 */

/** Whether a database is the coordinator of a cluster. */
export async function isCluster(session: Session): Promise<boolean> {
  const rows = await session.query(plain("select 1 from pg_extension where extname = 'citus'"));
  return rows.length > 0;
}

/** Gives a schema that was just made to one of the workers. */
export function distribute(schema: string): Statement {
  return plain(`select citus_schema_distribute('${schema}')`);
}

/** The message where a schema cannot be changed: that is done on all workers, whichever has the rows. */
export const WORKER_SILENT =
  "the database or a worker of its cluster does not answer: no names or schemas can be changed until it does, or the worker is taken out by citus_disable_node";

/** The bytes of a table, which on a coordinator itself has none. */
export function sizeOf(table: string, cluster: boolean): string {
  return `${cluster ? "citus_relation_size" : "pg_relation_size"}(to_regclass(${table}))`;
}
