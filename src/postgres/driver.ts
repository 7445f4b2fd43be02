import type { Row } from "../sql/project.js";
import type { Dialect, Statement } from "../sql/statement.js";

/** What statements are sent over. */
export interface Session {
  /** The rows of a statement, each value as text. */
  readonly query: (statement: Statement) => Promise<readonly Row[]>;
}

/** What a transaction is for: `snapshot`, it only reads, and sees one moment. */
export type TransactionKind = "write" | "snapshot";

/** Connections to one host, each statement and each transaction on one of them. */
export interface Access extends Session {
  /** Does what `act` does in one transaction, and commits it; rolls it back if `act` throws. */
  readonly transact: <T>(
    kind: TransactionKind,
    act: (session: Session) => Promise<T>,
  ) => Promise<T>;
}

/** A database that speaks PostgreSQL's protocol. */
export interface Driver extends Access {
  readonly dialect: Dialect;
  /** A host that follows the one that is written to, where there is one: what it shows may be old. */
  readonly standby: () => Access | undefined;
  /** Lets `act` take as long as it does, on a connection of its own where there are several. */
  readonly maintain: <T>(act: (session: Session) => Promise<T>) => Promise<T>;
  /** Whether others read and write while an index is made. */
  readonly isShared: boolean;
  readonly close: () => Promise<void>;
}

/** A statement without values. */
export function plain(text: string): Statement {
  return { text, values: [] };
}

/** Settings of every session: times in UTC, and plans made for the values at hand. */
export const SETTINGS = {
  TimeZone: "UTC",
  DateStyle: "ISO",
  extra_float_digits: "1",
  // A plan for any value would not look a pattern's beginning up in an index.
  plan_cache_mode: "force_custom_plan",
} as const;

/** How lower case is made, from version 17 on by code points, before that as ICU does. */
export function dialectOf(version: number): Dialect {
  if (version >= 170_000) return { foldCase: (text) => `lower(${text} collate pg_c_utf8)` };
  // ICU lowers capital sigma by its place in the word.
  return { foldCase: (text) => `lower(replace(${text}, 'Σ', 'σ') collate "und-x-icu")` };
}

/** The number of the server's version, such as 180004. */
export async function readVersion(session: Session): Promise<number> {
  const [row] = await session.query(plain("select current_setting('server_version_num')"));
  return Number(row?.[0]);
}

/** What a connection that makes indexes calls itself. */
export const MAINTENANCE = "twinbase index";
