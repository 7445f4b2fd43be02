import type { PGlite, Transaction } from "@electric-sql/pglite";
import type { Row } from "../sql/project.js";
import {
  columnsOf,
  createDeferral,
  type Description,
  type Driver,
  dialectOf,
  readVersion,
  SETTINGS,
  type Session,
} from "./driver.js";
import { DisconnectedError } from "./failure.js";
import { importPeer } from "./peer.js";

/** Types that PGlite parses by default. */
const PARSED = [
  16, 20, 21, 23, 26, 114, 700, 701, 1000, 1005, 1007, 1009, 1016, 1022, 1082, 1114,
].concat([1184, 3802]);

const AS_TEXT: Readonly<Record<number, (text: string) => string>> = Object.fromEntries(
  PARSED.map((type) => [type, (text: string) => text]),
);

/** Opens an embedded PostgreSQL. Throws `unavailable` if another process has the folder. */
export async function openPglite(folder: string | undefined): Promise<Driver> {
  if (folder === undefined) return openDatabase(undefined);
  const { takeFolder } = await import("./pglite-folder.js");
  const lock = takeFolder(folder);
  try {
    const driver = await openDatabase(folder);
    const close = async (): Promise<void> => {
      await driver.close();
      lock.release();
    };
    return { ...driver, close };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function openDatabase(folder: string | undefined): Promise<Driver> {
  const peer = await importPeer("@electric-sql/pglite", () => import("@electric-sql/pglite"));
  const options = folder === undefined ? {} : { dataDir: folder };
  const database: PGlite = await peer.PGlite.create(options).catch((cause: unknown) => {
    throw new DisconnectedError(cause);
  });
  const settings = Object.entries(SETTINGS).map(([name, value]) => `set ${name} = '${value}'`);
  await database.exec(settings.join(";"));
  const session = sessionOf(database);
  const driver: Driver = {
    ...session,
    within: () => driver,
    write: (statement, guard) =>
      database.transaction(async (transaction) => {
        const { query } = sessionOf(transaction);
        await query(guard);
        return query(statement);
      }),
    dialect: dialectOf(await readVersion(session)),
    statementTimeout: Number.POSITIVE_INFINITY,
    transact: (kind, act) =>
      // The only session: transactions are isolated anyway.
      database.transaction(async (transaction) => {
        if (kind === "snapshot") await transaction.query("set transaction read only");
        const { query } = sessionOf(transaction);
        const describe = (text: string): Promise<Description> =>
          describeStatement(database, peer.protocol.serialize, text);
        const { deferred, defer } = createDeferral();
        const result = await act({ query, queryOnce: query, describe, defer, leave: () => {} });
        await Promise.all(deferred);
        return result;
      }),
    standby: () => undefined,
    maintain: (act) => act(session),
    isShared: false,
    close: () => database.close(),
  };
  return driver;
}

function sessionOf(database: Pick<Transaction, "query">): Session {
  return {
    query: async ({ text, values }) => {
      const options = { rowMode: "array", parsers: AS_TEXT } as const;
      const { rows } = await database.query<Row>(text, [...values], options);
      return rows;
    },
  };
}

/** The transaction has the only session, so nothing else is sent. */
async function describeStatement(
  database: PGlite,
  { parse, describe, sync }: typeof import("@electric-sql/pglite").protocol.serialize,
  text: string,
): Promise<Description> {
  const sent = [parse({ text }), describe({ type: "S" }), sync()];
  const message = new Uint8Array(sent.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of sent) {
    message.set(part, at);
    at += part.length;
  }
  const { messages } = await database.runExclusive(() => database.execProtocol(message));
  let parameters: readonly number[] = [];
  let columns: Description["columns"] = [];
  for (const message of messages) {
    if ("dataTypeIDs" in message) ({ dataTypeIDs: parameters } = message as ParameterDescription);
    if ("fields" in message) columns = columnsOf((message as RowDescription).fields);
  }
  return { parameters, columns };
}

type ParameterDescription = import("@electric-sql/pglite").messages.ParameterDescriptionMessage;
type RowDescription = import("@electric-sql/pglite").messages.RowDescriptionMessage;
