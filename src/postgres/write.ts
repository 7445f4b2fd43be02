import { INDEX_NAMES } from "../sql/index-text.js";
import type { Row } from "../sql/project.js";
import type { Statement } from "../sql/statement.js";
import type { Session, Transaction } from "./driver.js";
import { CHECK_FAILED, ConflictError, codeOf, NO_TARGET } from "./failure.js";

export interface Write {
  /** The written table, as `schema.table`. */
  readonly table: string;
  readonly statement: Statement;
  /** Rows that it must return, else there was a conflict; undefined if it fails then. */
  readonly rows?: number | undefined;
  /** Whether another write follows; absent: unknown. */
  readonly hasNext?: boolean;
}

/** A written value is too large for an index. */
export class UnfitIndexError extends Error {
  override readonly name = "UnfitIndexError";
  readonly table: string;
  readonly index: string | undefined;

  constructor(table: string, index: string | undefined) {
    super(`a value is too large for an index of ${table}`);
    this.table = table;
    this.index = index;
  }
}

/** Throws `ConflictError` if another transaction has written a row, or `UnfitIndexError`. */
export async function sendWrite(
  session: Session,
  { table, statement, rows }: Write,
): Promise<readonly Row[]> {
  let returned: readonly Row[];
  try {
    returned = await session.query(statement);
  } catch (error) {
    const { message, constraint } = error as Record<string, unknown>;
    const code = codeOf(error);
    if (code === CHECK_FAILED || code === NO_TARGET)
      throw new ConflictError("a row or the catalog has changed");
    if (code !== "54000" || !/^index row/.test(String(message))) throw error;
    const isOwn = typeof constraint === "string" && new RegExp(INDEX_NAMES).test(constraint);
    throw new UnfitIndexError(table, isOwn ? constraint : undefined);
  }
  if (rows !== undefined && returned.length !== rows) throw new ConflictError("a row has changed");
  return returned;
}

/** Sends writes; awaits only those whose answers are needed. */
export async function sendWrites(session: Transaction, writes: Iterable<Write>): Promise<void> {
  const counted: Promise<unknown>[] = [];
  for (const write of writes) {
    const sent = sendWrite(session, write);
    if (write.rows === undefined) session.defer(sent);
    else counted.push(sent);
  }
  await Promise.all(counted);
}
