import { refuse } from "../errors.js";
import type { Row } from "../sql/project.js";
import type { Dialect, Statement } from "../sql/statement.js";

/** What statements are sent over. */
export interface Session {
  /** The rows of a statement, each value as text. */
  readonly query: (statement: Statement) => Promise<readonly Row[]>;
}

/** What a statement takes and gives, by the numbers of PostgreSQL's types. */
export interface Description {
  /** The types of `$1`, `$2` …, as the statement makes them out. */
  readonly parameters: readonly number[];
  readonly columns: readonly { readonly name: string; readonly type: number }[];
}

/** What statements of a transaction are sent over. */
export interface Transaction extends Session {
  /** As `query`, for a text that will not come again: it is not prepared. */
  readonly queryOnce: (statement: Statement) => Promise<readonly Row[]>;
  /** Says what one statement takes and gives, and runs nothing; more than one is refused. */
  readonly describe: (text: string) => Promise<Description>;
  /**
   * What was sent and is not waited for: the transaction ends after it, and fails as it does. Only
   * after a statement of the transaction was answered.
   */
  readonly defer: (sent: Promise<unknown>) => void;
}

/**
 * What a transaction is for: `write`; `snapshot`, it only reads, and sees one moment; `revision`, it
 * writes by what it saw at one moment, and meets a conflict where that has changed.
 */
export type TransactionKind = "write" | "snapshot" | "revision";

/** What is deferred in one transaction. */
export function createDeferral(): {
  readonly deferred: readonly Promise<unknown>[];
  readonly defer: Transaction["defer"];
} {
  const deferred: Promise<unknown>[] = [];
  const defer = (sent: Promise<unknown>): void => {
    deferred.push(sent);
    sent.catch(() => {}); // it is told of at the end
  };
  return { deferred, defer };
}

/** Connections to one host, each statement and each transaction on one of them. */
export interface Access extends Session {
  /** Does what `act` does in one transaction, and commits it; rolls it back if `act` throws. */
  readonly transact: <T>(
    kind: TransactionKind,
    act: (session: Transaction) => Promise<T>,
  ) => Promise<T>;
  /**
   * The rows of a statement that is a transaction of its own; throws `UnknownOutcomeError` where nobody
   * knows whether it was done.
   */
  readonly write: Session["query"];
}

/** A database that speaks PostgreSQL's protocol. */
export interface Driver extends Access {
  readonly dialect: Dialect;
  /** Milliseconds after which a statement is ended; infinite where nothing ends it. */
  readonly statementTimeout: number;
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

/** Settings of every session: times in UTC. */
export const SETTINGS = {
  TimeZone: "UTC",
  DateStyle: "ISO",
  extra_float_digits: "1",
} as const;

/** How lower case is made, from version 17 on by code points, before that as ICU does. */
export function dialectOf(version: number): Dialect {
  if (version >= 170_000) return { foldCase: (text) => `lower(${text} collate pg_c_utf8)` };
  // ICU lowers capital sigma by its place in the word.
  return { foldCase: (text) => `lower(replace(${text}, 'Σ', 'σ') collate "und-x-icu")` };
}

/** The first version that has functions whose statements are read as they are made. */
const FIRST_VERSION = 140_000;

/**
 * The number of the server's version, such as 180004.
 *
 * @throws TwinbaseError `invalid_request` for a version that is too old, and for another encoding
 */
export async function readVersion(session: Session): Promise<number> {
  const [row] = await session.query(
    plain("select current_setting('server_version_num'), current_setting('server_encoding')"),
  );
  const version = Number(row?.[0]);
  if (version < FIRST_VERSION) {
    const found = `${Math.floor(version / 10_000)}.${version % 10_000}`;
    refuse("invalid_request", `expected PostgreSQL 14 or later, found ${found}`);
  }
  if (row?.[1] !== "UTF8") {
    refuse("invalid_request", `expected a database of the encoding UTF8, found ${row?.[1]}`);
  }
  return version;
}

/** What a connection that makes indexes calls itself. */
export const MAINTENANCE = "twinbase index";

/** The columns of a description, as the packages of both drivers give them. */
export function columnsOf(
  fields: readonly { readonly name: string; readonly dataTypeID: number }[],
): Description["columns"] {
  return fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }));
}
