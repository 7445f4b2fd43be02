import type { Statement } from "../sql/statement.js";
import { type Driver, plain, type Session } from "./driver.js";
import { codeOf, DisconnectedError } from "./failure.js";

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
  "the database or a worker of its cluster does not answer: to change names and schemas, restart the worker, or replace it by its standby with citus_update_node";

/** Milliseconds in which workers must answer. */
const ANSWER_TIMEOUT = 5_000;

/** Missing function or privilege. */
const NOT_CALLABLE: ReadonlySet<unknown> = new Set(["42883", "42501"]);

/** Throws unless all workers answer: a schema change that waits for one would block its database. */
export async function requireWorkers(driver: Driver): Promise<void> {
  const limited = driver.within({ until: performance.now() + ANSWER_TIMEOUT });
  const [row] = await limited
    .maintain((session) =>
      session.query(plain("select bool_and(success) from run_command_on_workers('select 1')")),
    )
    .catch((error: unknown) => {
      if (NOT_CALLABLE.has(codeOf(error))) return [];
      throw new DisconnectedError(error);
    });
  if (row?.[0] === "f") throw new DisconnectedError(new Error("a worker is down"));
}

/** The size of a table; the coordinator's own tables are empty. */
export function sizeOf(table: string, cluster: boolean): string {
  return `${cluster ? "citus_relation_size" : "pg_relation_size"}(to_regclass(${table}))`;
}
