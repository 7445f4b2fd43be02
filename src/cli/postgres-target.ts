import {
  openPostgres,
  type PostgresDatabase,
  type PostgresOptions,
  type PostgresTarget,
} from "../postgres.js";
import { UsageError } from "./command.js";

/** Whether an argument names a database, not a file. */
export function isTarget(address: string): boolean {
  return /^(?:postgres(?:ql)?:\/\/|pglite:)/.test(address);
}

/** @throws UsageError for anything but `postgres://…` and `pglite:folder` */
export function readPostgresTarget(address: string): PostgresTarget {
  if (/^postgres(?:ql)?:\/\//.test(address)) return address;
  const folder = /^pglite:(.+)$/s.exec(address)?.[1];
  if (folder !== undefined) return { pglite: folder };
  throw new UsageError(`expected postgres://… or pglite:folder, found ${address}`);
}

/** Opens a database for `act` and closes it. */
export async function withDatabase<T>(
  address: string,
  options: PostgresOptions,
  act: (db: PostgresDatabase) => Promise<T>,
): Promise<T> {
  const db = await openPostgres(readPostgresTarget(address), options);
  try {
    return await act(db);
  } finally {
    await db.close();
  }
}
