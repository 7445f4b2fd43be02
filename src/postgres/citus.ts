import { type Driver, plain } from "./driver.js";
import { CANCELED, codeOf, DisconnectedError, NO_RIGHT } from "./failure.js";

/* Citus distributes each database as one schema, which it moves between workers as a whole. */

/** Message of a failed schema change, which requires all workers. */
export const WORKER_SILENT =
  "the database or a worker of its cluster does not answer: to change names and schemas, restart the worker, or replace it by its standby with citus_update_node";

/** Milliseconds in which workers must answer. */
const ANSWER_TIMEOUT = 5_000;

/** Missing function or privilege. */
const NOT_CALLABLE: ReadonlySet<unknown> = new Set(["42883", NO_RIGHT]);

/** Throws unless all workers answer: a schema change that waits for one would block its database. */
export async function requireWorkers(driver: Driver): Promise<void> {
  if (!driver.isCluster) return;
  const limited = driver.within({ until: performance.now() + ANSWER_TIMEOUT });
  const failed = plain(
    "select nodename, nodeport, result from run_command_on_workers('select 1') where not success",
  );
  const [row] = await limited
    .maintain((session) => session.query(failed))
    .catch((error: unknown) => {
      if (NOT_CALLABLE.has(codeOf(error))) return [];
      const isLate = error instanceof DisconnectedError || codeOf(error) === CANCELED;
      throw isLate ? new DisconnectedError(new Error("a worker does not answer")) : error;
    });
  if (row === undefined) return;
  const [name, port, reason] = row;
  throw new DisconnectedError(new Error(`worker ${name}:${port}: ${reason}`));
}

/** The size of a table; the coordinator's own tables are empty. */
export function writeSize(table: string, cluster: boolean): string {
  return `${cluster ? "citus_relation_size" : "pg_relation_size"}(to_regclass(${table}))`;
}
