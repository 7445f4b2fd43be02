import type { PGlite, Transaction } from "@electric-sql/pglite";
import type { Row } from "../sql/project.js";
import { type Driver, dialectOf, readVersion, SETTINGS, type Session } from "./driver.js";
import { importPeer } from "./peer.js";

/** The types of PGlite that are not given as text unless it is asked for. */
const PARSED = [
  16, 20, 21, 23, 26, 114, 700, 701, 1000, 1005, 1007, 1009, 1016, 1022, 1082, 1114,
].concat([1184, 3802]);

const AS_TEXT: Readonly<Record<number, (text: string) => string>> = Object.fromEntries(
  PARSED.map((type) => [type, (text: string) => text]),
);

/**
 * Opens PostgreSQL inside of this process.
 *
 * @param folder where it keeps its files; absent, in memory
 */
export async function openPglite(folder: string | undefined): Promise<Driver> {
  const peer = await importPeer("@electric-sql/pglite", () => import("@electric-sql/pglite"));
  const database: PGlite = await peer.PGlite.create(
    folder === undefined ? {} : { dataDir: folder },
  );
  const settings = Object.entries(SETTINGS).map(([name, value]) => `set ${name} = '${value}'`);
  await database.exec(settings.join(";"));
  const session = sessionOf(database);
  return {
    ...session,
    dialect: dialectOf(await readVersion(session)),
    transact: (kind, act) =>
      // There is one session: what is read in a transaction is of one moment anyhow.
      database.transaction(async (transaction) => {
        if (kind === "snapshot") await transaction.query("set transaction read only");
        return act(sessionOf(transaction));
      }),
    standby: () => undefined,
    maintain: (act) => act(session),
    isShared: false,
    close: () => database.close(),
  };
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
