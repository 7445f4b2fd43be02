import type { Statement } from "../sql/statement.js";
import { plain, type Session } from "./driver.js";

/* Citus distributes each database as one schema, which it moves between workers as a whole. */

export async function isCluster(session: Session): Promise<boolean> {
  const rows = await session.query(plain("select 1 from pg_extension where extname = 'citus'"));
  return rows.length > 0;
}

export function distribute(schema: string): Statement {
  return plain(`select citus_schema_distribute('${schema}')`);
}

/** Message of a failed schema change, which requires all workers. */
export const WORKER_SILENT =
  "the database or a worker of its cluster does not answer: no names or schemas can be changed until it does, or the worker is taken out by citus_disable_node";

/** The size of a table; the coordinator's own tables are empty. */
export function sizeOf(table: string, cluster: boolean): string {
  return `${cluster ? "citus_relation_size" : "pg_relation_size"}(to_regclass(${table}))`;
}
