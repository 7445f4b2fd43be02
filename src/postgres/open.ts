import type { TableAddress } from "../catalog/address.js";
import type { AnyBranch } from "../engine/branch.js";
import { createFileStorage } from "../engine/files.js";
import { type EngineOptions, resolveSetup } from "../engine/options.js";
import type { AnyEngine } from "../engine.js";
import { Engine } from "../engine.js";
import { refuse } from "../errors.js";
import { type Responder, respondFor } from "../http/responder.js";
import { type HandlerOptions, openService, prepareEngine, warnOfSeed } from "../http/service.js";
import { type Fetch, fetchOf, type Handler, handlerOf } from "../http/web.js";
import { exportContext } from "../persist/contexts.js";
import type { QueryRequest, QueryResult } from "../types.js";
import { type Advice, readAdvice } from "./advice.js";
import { Advisor, type IndexAdvice } from "./advisor.js";
import { type Backend, withCatalog } from "./backend.js";
import { Catalog } from "./catalog.js";
import { exportDatabase, readDatabase } from "./contents.js";
import { type Counts, counted, createCounts } from "./counts.js";
import type { Driver } from "./driver.js";
import { type CopiedCounts, fillDatabase, type OpenExport } from "./fill.js";
import { IdBlocks } from "./id-blocks.js";
import { openPglite } from "./pglite.js";
import { explainQuery, type QueryExplanation, runQuery } from "./query.js";
import { createRouteBackend } from "./respond.js";
import { retry } from "./retry.js";
import { openServer } from "./server.js";
import { transact } from "./transact.js";

/** Where the rows are: a server's connection string, or PostgreSQL inside of this process. */
export type PostgresTarget =
  | string
  | {
      /** The folder of its files; `true`: in memory. */
      readonly pglite: string | true;
    };

/** How a database is opened: as an engine is made, and as a handler is. */
export interface PostgresOptions
  extends Omit<EngineOptions, "indexes">,
    Omit<HandlerOptions, "control"> {
  /** Most connections to a server at a time; default 10. */
  readonly connections?: number | undefined;
  /** Milliseconds that a statement may take on a server; default 30,000. */
  readonly statementTimeout?: number | undefined;
  /**
   * Whether indexes are made in the background for what is asked often (`auto`, the default), up to
   * eight of a table; they are told of either way.
   */
  readonly indexes?: IndexAdvice | undefined;
}

/** The branch that records are in. */
export interface BranchName {
  /** Default the workspace of the options, or the only one there is. */
  readonly workspace?: string | undefined;
  /** The database, by name. */
  readonly database: string;
  /** Default `main`. */
  readonly branch?: string | undefined;
}

/** A database service whose rows are in PostgreSQL. */
export interface PostgresDatabase extends AsyncDisposable {
  /** Answers a `Request` with a `Response`, as `createHandler` does. */
  readonly handler: Handler;
  /** A `fetch` that never leaves the process, to hand to a client. */
  readonly fetch: Fetch;
  /**
   * Runs a program over the records of a branch in one transaction. It may run several times, so it
   * has no effect but through the branch that it is given, and it does not query.
   */
  transact<T>(name: BranchName, program: (branch: AnyBranch) => T): Promise<T>;
  /** Changes names, schemas and users, in one transaction. The engine shows no records. */
  change<T>(program: (engine: AnyEngine) => T): Promise<T>;
  /** One page of the records of a table. */
  query(
    name: BranchName & { readonly table: string },
    request?: QueryRequest,
  ): Promise<QueryResult>;
  /** How a query would be answered, and which indexes it could go by. */
  explain(
    name: BranchName & { readonly table: string },
    request?: QueryRequest,
  ): Promise<QueryExplanation>;
  /**
   * Puts all that an engine holds, or the text of an export, into a database that holds nothing, and
   * reads it again to compare. A text is opened twice, and is the same each time.
   *
   * @throws TwinbaseError `invalid_request` where it holds something, or was opened for another profile
   */
  fill(source: AnyEngine | OpenExport): Promise<CopiedCounts>;
  /**
   * Lets `act` read all that the database holds at one moment as the text of an export, chunk by chunk.
   * It may be run again, where others change schemas.
   */
  export<T>(act: (read: () => AsyncIterable<string>) => Promise<T>): Promise<T>;
  /** An engine in memory of all that the database holds at one moment. */
  toEngine(): Promise<AnyEngine>;
  /** Which indexes are wanted and not there, and which of those that were made are not used. */
  advise(): Promise<Advice>;
  /** Resolves once no index is being made. */
  idle(): Promise<void>;
  /** What was sent to PostgreSQL so far. */
  stats(): Readonly<Counts>;
  /** What a server asks; `serve` calls it. */
  openResponder(options?: HandlerOptions): Promise<Responder>;
  /** What is unsafe about serving it so; `serve` asks it. */
  warnOf(options?: HandlerOptions): string | undefined;
  /** Gives the connections back, when what is under way has ended. */
  close(): Promise<void>;
}

const DEFAULT_CONNECTIONS = 10;
const DEFAULT_STATEMENT_TIMEOUT = 30_000;

/**
 * Opens a database in PostgreSQL, and makes what it needs there at the first time.
 *
 * @throws TwinbaseError `invalid_request` for an unknown or unfit option or a package that is not
 * installed, `unavailable` where the database does not answer
 */
export async function openPostgres(
  target: PostgresTarget,
  options: PostgresOptions = {},
): Promise<PostgresDatabase> {
  const { profile, now, seed, limits, connections, statementTimeout, indexes, ...handling } =
    options;
  if (indexes !== undefined && indexes !== "auto" && indexes !== "never") {
    refuse("invalid_request", "indexes: expected auto or never");
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
      connections: connections ?? DEFAULT_CONNECTIONS,
      statementTimeout: statementTimeout ?? DEFAULT_STATEMENT_TIMEOUT,
    }),
    stats,
  );
  try {
    const catalog = await Catalog.open(driver, setup);
    const advisor = new Advisor(driver, indexes ?? "auto", catalog.isCluster);
    const backend: Backend = { driver, catalog, ids: new IdBlocks(), advisor, stats };
    const engine = new Engine(catalog.context);
    const openResponder = async (given: HandlerOptions = {}): Promise<Responder> => {
      if (given.control !== undefined) {
        refuse("invalid_request", "control: only an engine in memory can be controlled");
      }
      const served = { ...handling, ...given };
      const { run, routes } = createRouteBackend(backend);
      const service = openService(engine, served, routes);
      await catalog.change((own) => prepareEngine(own, served));
      const respond = respondFor({ service, limitMs: engine.limits.queryMs, run });
      if (!service.closed) return respond;
      return async (request) => {
        // Another process may have made a key, or taken it away.
        await retry(() => catalog.refresh()).catch(() => {});
        return respond(request);
      };
    };
    const respond = await openResponder();
    const address = ({ workspace, database, branch = "main" }: BranchName) => ({
      workspace: workspace ?? handling.workspace ?? onlyWorkspace(engine),
      database,
      branch,
    });
    let closing: Promise<void> | undefined;
    const close = (): Promise<void> => {
      advisor.close();
      closing ??= driver.close();
      return closing;
    };
    return {
      handler: handlerOf(respond),
      fetch: fetchOf(respond),
      transact: (name, program) => {
        const branch = address(name);
        return transact(backend, branch, (own) =>
          program(own.workspace(branch.workspace).database(branch.database).branch(branch.branch)),
        );
      },
      change: (program) => catalog.change(program),
      query: ({ table, ...name }, request) => {
        const at: TableAddress = { table, ...address(name) };
        return withCatalog(backend, () => runQuery(backend, at, request));
      },
      explain: ({ table, ...name }, request) =>
        explainQuery(backend, { table, ...address(name) }, request),
      fill: (given) =>
        fillDatabase(backend, typeof given === "function" ? given : () => exportOf(given)),
      export: (act) => exportDatabase(backend, act),
      toEngine: () => readDatabase(backend),
      advise: () => retry(() => readAdvice(driver, catalog.isCluster)),
      idle: () => advisor.idle(),
      stats: () => ({ ...stats }),
      openResponder,
      warnOf: (given = {}) => warnOfSeed(engine, { ...handling, ...given }),
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await driver.close();
    throw error;
  }
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
