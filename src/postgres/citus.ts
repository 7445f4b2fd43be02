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
