import type { PGlite } from "@electric-sql/pglite";
import type { Row } from "../sql/project.js";
import type { Statement } from "../sql/statement.js";
import {
  createDeferral,
  type Description,
  type Driver,
  dialectOf,
  plain,
  readServer,
  SETTINGS,
  type Session,
} from "./driver.js";
import { DisconnectedError } from "./failure.js";
import { importPeer } from "./peer.js";

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
  const { serialize, Parser } = peer.protocol;
  const { parse, bind, describe, execute, sync } = serialize;
  const send = async (messages: readonly Uint8Array[]): Promise<Reply> => {
    const reply = readReply(await database.execProtocolRaw(joined([...messages, sync()])));
    // Throws the error of the server.
    if (reply.error !== undefined) new Parser().parse(reply.error, refuseMessage);
    return reply;
  };
  /** Runs statements as one transaction, unless one is open; returns the rows of the last. */
  const run = async (...statements: readonly Statement[]): Promise<readonly Row[]> => {
    const sent = statements.flatMap(({ text, values }) => [
      parse({ text }),
      bind({ values: [...values] }),
      execute({}),
    ]);
    return (await send(sent)).rows;
  };
  // All calls share the only session.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const done = last.then(act);
    last = done.catch(() => {});
    return done;
  };
  const session: Session = { query: (statement) => inTurn(() => run(statement)) };
  const transact: Driver["transact"] = (kind, act) =>
    inTurn(async () => {
      // Nobody else can write meanwhile.
      await run(plain(kind === "snapshot" ? "begin read only" : "begin"));
      try {
        const { deferred, defer } = createDeferral();
        const query: Session["query"] = (statement) => run(statement);
        const describeText = (text: string): Promise<Description> =>
          send([parse({ text }), describe({ type: "S" })]);
        const leave = (): void => {};
        const result = await act({ query, queryOnce: query, describe: describeText, defer, leave });
        await Promise.all(deferred);
        await run(plain("commit"));
        return result;
      } catch (error) {
        await run(plain("rollback"));
        throw error;
      }
    });
  const driver: Driver = {
    ...session,
    within: () => driver,
    write: (statement, guard) => inTurn(() => run(guard, statement)),
    dialect: dialectOf(await readServer(session)),
    statementTimeout: Number.POSITIVE_INFINITY,
    transact,
    standby: () => undefined,
    maintain: (act) => act(session),
    isShared: false,
    isCluster: false,
    abort: () => {},
    close: () => inTurn(() => database.close()),
  };
  return driver;
}

function joined(messages: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(messages.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const message of messages) {
    whole.set(message, at);
    at += message.length;
  }
  return whole;
}

function refuseMessage(message: unknown): void {
  throw message;
}

interface Reply extends Description {
  /** The message of the server's error. */
  readonly error: Uint8Array | undefined;
  /** The rows of the last statement. */
  readonly rows: readonly Row[];
}

/** Reads messages of the protocol. The parser of PGlite drops U+FEFF at the beginning of texts. */
function readReply(bytes: Uint8Array): Reply {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const textAt = (at: number, length: number): string =>
    decoder.decode(bytes.subarray(at, at + length));
  let error: Uint8Array | undefined;
  let rows: Row[] = [];
  let parameters: number[] = [];
  let columns: Description["columns"] = [];
  for (let start = 0, end = 0; start < bytes.length; start = end) {
    end = start + 1 + view.getUint32(start + 1);
    const count = end - start > 6 ? view.getUint16(start + 5) : 0;
    let at = start + 7;
    switch (String.fromCharCode(view.getUint8(start))) {
      case "E":
        error ??= bytes.slice(start, end);
        break;
      case "2": // bound
        rows = [];
        break;
      case "t":
        parameters = Array.from({ length: count }, (_, i) => view.getUint32(at + 4 * i));
        break;
      case "T":
        columns = Array.from({ length: count }, () => {
          const nameEnd = bytes.indexOf(0, at);
          const name = textAt(at, nameEnd - at);
          at = nameEnd + 19;
          return { name, type: view.getUint32(nameEnd + 7) };
        });
        break;
      case "D":
        rows.push(
          Array.from({ length: count }, () => {
            const length = view.getInt32(at);
            const text = length < 0 ? null : textAt(at + 4, length);
            at += 4 + Math.max(length, 0);
            return text;
          }),
        );
        break;
      default:
    }
  }
  return { error, rows, parameters, columns };
}
