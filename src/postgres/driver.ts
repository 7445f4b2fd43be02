import type { Row } from "../sql/project.js";
import type { Dialect, Statement } from "../sql/statement.js";

/** What statements are sent over. */
export interface Session {
  /** The rows of a statement, each value as text. */
  readonly query: (statement: Statement) => Promise<readonly Row[]>;
}

/** A database that speaks PostgreSQL's protocol. */
export interface Driver extends Session {
  readonly dialect: Dialect;
  /**
   * Does what `act` does in one transaction, and commits it; rolls it back if `act` throws.
   * `snapshot`: it only reads, and sees one moment.
   */
  readonly transact: <T>(
    kind: "write" | "snapshot",
    act: (session: Session) => Promise<T>,
  ) => Promise<T>;
  readonly close: () => Promise<void>;
}

/** A statement without values. */
export function plain(text: string): Statement {
  return { text, values: [] };
}

/** Settings of every session: times in UTC, and plans made for the values at hand. */
export const SETTINGS = {
  TimeZone: "UTC",
  DateStyle: "ISO, YMD",
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
