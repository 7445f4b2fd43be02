import type { TableAddress } from "../catalog/address.js";
import type { AnyBranch } from "../engine/branch.js";
import { createFileStorage } from "../engine/file-storage.js";
import { type EngineOptions, resolveSetup } from "../engine/options.js";
import type { AnyEngine } from "../engine.js";
import { Engine } from "../engine.js";
import { refuse } from "../errors.js";
import { type Responder, respondFor } from "../http/responder.js";
import { type HandlerOptions, openService, prepareEngine, warnOfSeed } from "../http/service.js";
import { type Fetch, fetchOf, type Handler, handlerOf } from "../http/web.js";
import { exportContext } from "../persist/contexts.js";
import { partAt, readFields, readNumber, refuseValue } from "../shape/fields.js";
import type { AnyInput } from "../typed/write.js";
import type { AnyRecord, Filter, QueryRequest, QueryResult } from "../types.js";
import { type Advice, readAdvice } from "./advice.js";
import { Advisor, type IndexAdvice } from "./advisor.js";
import { type Backend, limitTo, withCatalog } from "./backend.js";
import { Catalog } from "./catalog.js";
import { exportDatabase, readIntoEngine } from "./contents.js";
import { type Counts, counted, createCounts } from "./counts.js";
import type { Driver } from "./driver.js";
import { refuseOpening } from "./failure.js";
import { type CopiedCounts, fillDatabase, type OpenExport } from "./fill.js";
import { IdBlocks } from "./id-blocks.js";
import { databaseKey } from "./layout.js";
import { openPglite } from "./pglite.js";
import { explainTableQuery, type QueryExplanation, queryTable } from "./query-table.js";
import { createRouteBackend } from "./respond.js";
import { retry } from "./retry.js";
import { openServer } from "./server.js";
import { transact } from "./transact.js";
import { Workers } from "./workers.js";
import { updateRecord, writeMatching } from "./write-at-once.js";

/** A server's connection string, or an embedded PostgreSQL. */
export type PostgresTarget =
  | string
  | {
      /** The folder of its files; `true`: in memory. */
      readonly pglite: string | true;
    };

/** Options of {@link openPostgres}: those of an engine, of a handler, and of the database. */
export interface PostgresOptions
  extends Omit<EngineOptions, "indexes">,
    Omit<HandlerOptions, "control"> {
  /** Maximum number of connections to a server; default 10. A database uses at most half of them. */
  readonly connections?: number | undefined;
  /** Timeout of a request and of each of its statements in milliseconds; default 30,000. */
  readonly statementTimeout?: number | undefined;
  /** Whether to create up to eight indexes per table for frequent queries (`auto`, default). */
  readonly indexes?: IndexAdvice | undefined;
}

/** A branch by name. */
export interface BranchName {
  /** Default the workspace of the options, or the only one. */
  readonly workspace?: string | undefined;
  readonly database: string;
  /** Default `main`. */
  readonly branch?: string | undefined;
}

/** A database service that stores its rows in PostgreSQL. */
export interface PostgresDatabase extends AsyncDisposable {
  /** Answers a `Request` with a `Response`, like `createHandler`. */
  readonly handler: Handler;
  /** A `fetch` for clients that answers in process. */
  readonly fetch: Fetch;
  /**
   * Runs a program, which may be asynchronous, over the records of a branch in one transaction, all or
   * nothing. It reads records by id, and writes; queries throw `not_implemented`, as does a change of more
   * than records. Records that it read or wrote are as they were read when it commits, else it runs again,
   * up to twelve times, then throws `unavailable`; others can add records that match a filter meanwhile.
   * It also runs again with the rows that it asked for and did not find loaded: it should have no effects
   * outside of the branch.
   *
   * @example
   * await db.transact({ database: "shop" }, async (tx) => {
   *   const tea = await tx.table("items").get("tea");
   *   if (tea?.stock === 0) throw new Error("sold out");
   *   await tx.table("items").update("tea", { stock: { $decrement: 1 } });
   * });
   */
  transact<T>(name: BranchName, program: (branch: AnyBranch) => T | Promise<T>): Promise<T>;
  /**
   * Changes names, schemas and users in one transaction. The engine has no records; throws
   * `not_implemented` if the program writes any.
   */
  change<T>(program: (engine: AnyEngine) => T): Promise<T>;
  /** Updates a record and returns it, with one statement if possible; throws like `Table.update`. */
  update(
    name: BranchName & { readonly table: string },
    id: string,
    changes: object,
  ): Promise<AnyRecord>;
  /**
   * Updates all records that match a filter and returns their number, with one statement if possible;
   * throws like `Table.updateWhere`. In `transact` it has options, and other writes beside it.
   */
  updateWhere(
    name: BranchName & { readonly table: string },
    filter: Filter,
    changes: AnyInput,
  ): Promise<number>;
  /** Deletes all records that match a filter and returns their number, as `updateWhere` does. */
  deleteWhere(name: BranchName & { readonly table: string }, filter: Filter): Promise<number>;
  /** Returns one page of the records of a table. */
  query(
    name: BranchName & { readonly table: string },
    request?: QueryRequest,
  ): Promise<QueryResult>;
  /** Returns the query plan and the indexes that the query could use. */
  explain(
    name: BranchName & { readonly table: string },
    request?: QueryRequest,
  ): Promise<QueryExplanation>;
  /**
   * Imports an engine or the text of an export into an empty database, then verifies it. A text is
   * opened twice. Throws `invalid_request` for a database with contents or another profile.
   */
  fill(source: AnyEngine | OpenExport): Promise<CopiedCounts>;
  /** Calls `act` with a consistent export, in chunks; again if others change schemas meanwhile. */
  export<T>(act: (read: () => AsyncIterable<string>) => Promise<T>): Promise<T>;
  /** Reads a consistent copy of the database into an engine in memory. */
  toEngine(): Promise<AnyEngine>;
  /** Returns missing indexes, and created ones that are not used. */
  advise(): Promise<Advice>;
  /** Resolves when no index is being built. */
  idle(): Promise<void>;
  /** Returns statistics of the statements sent. */
  stats(): Readonly<Counts>;
  /** Internal: creates the request handler for `serve`. */
  openResponder(options?: HandlerOptions): Promise<Responder>;
  /** Internal: returns a warning about unsafe options for `serve`. */
  warnOf(options?: HandlerOptions): string | undefined;
  /** Internal: fails the requests that wait for an answer of the database, for `serve`. */
  abort(): void;
  /** Waits for active requests and closes the connections. */
  close(): Promise<void>;
}

const DEFAULT_CONNECTIONS = 10;
const DEFAULT_STATEMENT_TIMEOUT = 30_000;
/** Below the longest timer of Node (2³¹ − 1 ms), to which a delay is added. */
const MAX_COUNT = 2 ** 30;

/**
 * Opens a database in PostgreSQL; creates its tables the first time. Throws `invalid_request` for
 * an invalid target, option or missing package, `unavailable` with the reason of the server or
 * network if it cannot be opened.
 */
export async function openPostgres(
  target: PostgresTarget,
  options: PostgresOptions = {},
): Promise<PostgresDatabase> {
  const { profile, now, seed, limits, connections, statementTimeout, indexes, ...handling } =
    options;
  requireTarget(target);
  if (indexes !== undefined && indexes !== "auto" && indexes !== "never") {
    refuseValue(indexes, "auto or never", partAt("indexes"));
  }
  const setup = {
    ...resolveSetup({ profile, now, seed, limits }),
    indexes: "never" as const,
    files: createFileStorage(),
    publicUrl: handling.publicUrl,
  };
  const stats = createCounts();
  const driver = counted(
    await openDriver(target, {
      connections: readCount("connections", connections, DEFAULT_CONNECTIONS),
      statementTimeout: readCount("statementTimeout", statementTimeout, DEFAULT_STATEMENT_TIMEOUT),
    }).catch(refuseOpening),
    stats,
  );
  try {
    const catalog = await Catalog.open(driver, setup).catch(refuseOpening);
    const advisor = new Advisor(driver, indexes ?? "auto", driver.isCluster);
    const workers = await Workers.open(driver).catch(refuseOpening);
    const ids = await IdBlocks.open(driver).catch(refuseOpening);
    const backend: Backend = { driver, catalog, ids, advisor, stats, workers };
    const engine = new Engine(catalog.context);
    const openResponder = async (given: HandlerOptions = {}): Promise<Responder> => {
      if (given.control !== undefined) {
        refuse("invalid_request", "control: only an engine in memory can be controlled");
      }
      const served = { ...handling, ...given };
      const service = openService(engine, served, createRouteBackend(backend));
      await catalog.change((own) => prepareEngine(own, served));
      const respond = respondFor(service);
      return async (request) => {
        // Another process may have created or deleted the key.
        if (service.closed) await retry(() => catalog.refresh()).catch(() => {});
        return respond(request);
      };
    };
    const respond = await openResponder();
    const address = ({ workspace, database, branch = "main" }: BranchName) => ({
      workspace: workspace ?? handling.workspace ?? onlyWorkspace(engine),
      database,
      branch,
    });
    const limited = (name: BranchName): Backend => {
      const at = address(name);
      catalog.requireIntact(databaseKey(at.workspace, at.database));
      return limitTo(backend, at);
    };
    let closing: Promise<void> | undefined;
    const close = (): Promise<void> => {
      advisor.close();
      closing ??= ids
        .close()
        .catch(() => {}) // they ascend, a minute ahead
        .then(() => driver.close());
      return closing;
    };
    return {
      handler: handlerOf(respond),
      fetch: fetchOf(respond),
      transact: (name, program) => transact(limited(name), address(name), program),
      change: (program) => catalog.change(program),
      update: ({ table, ...name }, id, changes) =>
        updateRecord(limited(name), { table, ...address(name) }, { id, changes }),
      updateWhere: ({ table, ...name }, filter, changes) =>
        writeMatching(limited(name), { table, ...address(name) }, filter, changes ?? null),
      deleteWhere: ({ table, ...name }, filter) =>
        writeMatching(limited(name), { table, ...address(name) }, filter),
      query: ({ table, ...name }, request) => {
        const at: TableAddress = { table, ...address(name) };
        const own = limited(name);
        return withCatalog(own, () => queryTable(own, at, request));
      },
      explain: ({ table, ...name }, request) =>
        explainTableQuery(limited(name), { table, ...address(name) }, request),
      fill: (given) =>
        fillDatabase(backend, typeof given === "function" ? given : () => exportOf(given)),
      export: (act) => exportDatabase(backend, act),
      toEngine: () => readIntoEngine(backend),
      advise: () => retry(() => readAdvice(driver, driver.isCluster)),
      idle: () => advisor.idle(),
      stats: () => ({ ...stats }),
      openResponder,
      warnOf: (given = {}) => warnOfSeed(engine, { ...handling, ...given }),
      abort: () => driver.abort(),
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await driver.close();
    throw error;
  }
}

/** An address is not shown in the error: it may have a password. */
function requireTarget(target: unknown): void {
  if (typeof target === "string") {
    if (/^postgres(?:ql)?:\/\//.test(target)) return;
    refuse("invalid_request", "target: expected an address that begins with postgres://");
  }
  const { pglite } = readFields(target ?? null, ["pglite"], { what: "target", rule: "E-3" });
  if (pglite === true || (typeof pglite === "string" && pglite !== "")) return;
  refuseValue(pglite, "a folder, or true", partAt("pglite"));
}

function readCount(what: string, given: unknown, standard: number): number {
  return readNumber(given ?? standard, [1, MAX_COUNT], partAt(what));
}

function openDriver(
  target: PostgresTarget,
  options: { readonly connections: number; readonly statementTimeout: number },
): Promise<Driver> {
  if (typeof target === "string") return retry(() => openServer(target, options));
  return openPglite(target.pglite === true ? undefined : target.pglite);
}

async function* exportOf(engine: AnyEngine): AsyncGenerator<string> {
  yield* exportContext(Engine.contextOf(engine));
}

function onlyWorkspace(engine: AnyEngine): string {
  const [first, ...others] = engine.workspaces();
  if (first !== undefined && others.length === 0) return first.id;
  return refuse("workspace_not_found", "name the workspace", { rule: "D-5" });
}
