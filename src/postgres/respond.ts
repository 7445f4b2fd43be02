import type { BranchAddress, TableAddress } from "../catalog/address.js";
import { parseDbBranchName } from "../catalog/names.js";
import type { AnyEngine } from "../engine.js";
import { TwinbaseError } from "../errors.js";
import { branchOfToken } from "../files/links.js";
import type { Address } from "../http/address.js";
import { writeReply } from "../http/answer.js";
import { placeOf } from "../http/branch-stats.js";
import type { RawReply, RequestBody } from "../http/message.js";
import { type Route, runRoute, type UnreadRequest } from "../http/route.js";
import type { COPY_REQUEST } from "../http/routes/branches.js";
import type { WITH_VERSION } from "../http/routes/records.js";
import type { RouteBackend } from "../http/service.js";
import type { TypeOf } from "../shape/schema.js";
import { type Backend, countingOf, limitTo, withCatalog } from "./backend.js";
import { copyBranch } from "./copy-branch.js";
import { countBranch, countRecordsWhere } from "./count-records.js";
import { addCounts, describeCounts } from "./counts.js";
import { databaseKey } from "./layout.js";
import { runOnMatches } from "./matches.js";
import { queryTable } from "./query-table.js";
import { retry } from "./retry.js";
import type { SqlRequest } from "./statements/request.js";
import { SQL_ROUTES } from "./statements/routes.js";
import { runStatements } from "./statements/run.js";
import { RecordTransaction } from "./transact.js";
import { updateAtOnce } from "./write-at-once.js";

interface Call {
  readonly route: Route;
  readonly address: Address;
  readonly given: UnreadRequest;
}

export function createRouteBackend(backend: Backend): RouteBackend {
  const run: RouteBackend["run"] = async (route, address, given) => {
    const limited = limitTo(countingOf(backend), branchOf({ address }));
    const { workspace = "", names } = address;
    const database = names.db_name ?? names.db_branch_name?.split(":")[0];
    if (database !== undefined) backend.catalog.requireIntact(databaseKey(workspace, database));
    try {
      const reply = await runOf(route)(limited, { route, address, given });
      return { timing: describeCounts(limited.stats), ...reply };
    } finally {
      addCounts(backend.stats, limited.stats);
    }
  };
  return { run, routes: SQL_ROUTES };
}

type Run = (backend: Backend, call: Call) => Promise<RawReply>;

async function runOnCatalog(backend: Backend, call: Call): Promise<RawReply> {
  const { catalog } = backend;
  if (!call.route.reads) return catalog.change((engine) => runOn(call, engine));
  await retry(() => catalog.refresh());
  return runOn(call, call.address.engine);
}

/**
 * Computes the answer with the catalog, whose branches have no records; then copies the records.
 */
async function runCopy(backend: Backend, call: Call): Promise<RawReply> {
  const source = branchOf(call);
  const reply = await runOnCatalog(backend, call);
  if (source === undefined) return reply;
  const { body } = call.route.read(call.given, backend.catalog.context.profile);
  const { destinationBranch: destination, limit } = body as TypeOf<typeof COPY_REQUEST>; // of this route
  const copy = { source, destination, limit };
  await withCatalog(backend, () => copyBranch(backend, copy, (engine) => runOn(call, engine)));
  return reply;
}

/** Runs the engine on the rows that it needs, unless one statement suffices. */
async function runOnRecords(backend: Backend, call: Call, atOnce?: AtOnce): Promise<RawReply> {
  const kind = call.route.reads ? "snapshot" : "write";
  const transaction = new RecordTransaction<RawReply>(backend, kind, (engine) =>
    runOn(call, engine),
  );
  return withCatalog(backend, async () => {
    // Check names first, so that unknown ones need no row.
    const branch = branchOf(call);
    if (branch === undefined) return runOn(call, call.address.engine);
    const reply = await atOnce?.(backend, call, branch);
    return reply ?? transaction.attempt(branch);
  });
}

type AtOnce = (
  backend: Backend,
  call: Call,
  branch: BranchAddress,
) => Promise<RawReply | undefined>;

/** Reads or updates one record with one statement, if possible. */
const atOnce: AtOnce = async (backend, { address: { names }, route, given }, branch) => {
  const { table_name: table = "", record_id: id = "" } = names;
  const at = { table, ...branch };
  try {
    const { parameters, body } = route.read(given, backend.catalog.context.profile);
    const { columns, ifVersion } = parameters as TypeOf<typeof WITH_VERSION>; // of these routes
    const update = { id, changes: body as RequestBody, ifVersion, columns: columns ?? [] };
    const record = route.reads
      ? (await queryTable(backend, at, { filter: { id }, columns, page: { size: 1 } })).records[0]
      : await updateAtOnce(backend, at, update);
    return record && writeReply({ status: 200, body: record });
  } catch (error) {
    // A missing record is reported before other errors (E-6).
    if (error instanceof TwinbaseError) return undefined;
    throw error;
  }
};

/** A parsed request and its target. */
interface ReadCall {
  readonly call: Call;
  readonly body: RequestBody;
  /** Without a table if the path has none. */
  readonly at: TableAddress;
  /** Time of `performance.now()` at which a statement of SQL ends. */
  readonly until: number;
}

function runOnBranch(answer: (backend: Backend, read: ReadCall) => Promise<RawReply>): Run {
  return (backend, call) => {
    const { route, address, given } = call;
    const until = performance.now() + backend.driver.statementTimeout;
    return withCatalog(backend, () => {
      route.find(address);
      const read = route.read(given, backend.catalog.context.profile);
      const body = read.body as RequestBody; // queries have no content
      const at = { table: address.names.table_name ?? "", ...branchOf(call)! }; // the route has found it
      return answer(backend, { call, body, at, until });
    });
  };
}

/** Runs the engine on the records that match a filter; without one, on all records of the tables. */
async function answerMatches(
  backend: Backend,
  { call, at, body }: ReadCall,
  filter: unknown,
): Promise<RawReply> {
  const names = at.table === "" ? tableNames(call.address.engine, at) : [at.table];
  const filters = new Map(names.map((name) => [name, filter]));
  return runOnMatches(backend, at, { filters, request: body }, (engine) => runOn(call, engine));
}

function runOf({ operation, usesRecords }: Route): Run {
  return RUNS[operation] ?? (usesRecords ? runOnRecords : runOnCatalog);
}

const runAtOnce: Run = (backend, call) => runOnRecords(backend, call, atOnce);
const runOnAll: Run = runOnBranch((backend, read) => answerMatches(backend, read, undefined));

/** How calls run that don't find records by their ids, or that one statement may answer. */
const RUNS: Readonly<Record<string, Run>> = {
  copyBranch: runCopy,
  getRecord: runAtOnce,
  updateRecordWithID: runAtOnce,
  searchTable: runOnAll,
  searchBranch: runOnAll,
  vectorSearchTable: runOnAll,
  explainQuery: runOnAll,
  queryAnywhere: runOnAll,
  followRows: runOnAll,
  summarizeTable: runOnBranch((backend, read) => answerMatches(backend, read, read.body.filter)),
  queryTable: runOnBranch(async (backend, { at, body }) =>
    writeReply({ status: 200, body: await queryTable(backend, at, body) }),
  ),
  aggregateTable: runOnBranch(async (backend, read) => {
    const aggs = await countRecordsWhere(backend, read.at, read.body);
    if (aggs === undefined) return answerMatches(backend, read, read.body.filter);
    return writeReply({ status: 200, body: { aggs } });
  }),
  getBranchStats: runOnBranch(async (backend, { at, call: { address } }) => {
    const records = await countBranch(backend, at);
    const now = backend.catalog.context.clock.now();
    return writeReply({
      status: 200,
      body: address.stats.describe(placeOf(address), records, now),
    });
  }),
  sqlQuery: runOnBranch(async (backend, read) => {
    const [json] = await runSql(backend, read);
    return writeReply({ status: 200, json });
  }),
  sqlBatchQuery: runOnBranch(async (backend, read) => {
    const results = await runSql(backend, read);
    return writeReply({ status: 200, json: `{"results":[${results.join(",")}]}` });
  }),
};

function runSql(backend: Backend, { at, body, until }: ReadCall): Promise<string[]> {
  const request = body as unknown as SqlRequest; // the routes that take statements
  return runStatements(backend, at, { ...request, until });
}

function tableNames(
  engine: AnyEngine,
  { workspace, database, branch }: BranchAddress,
): readonly string[] {
  const found = engine.workspace(workspace).database(database).branch(branch);
  return found.tables().map(({ name }) => name);
}

function runOn({ route, address, given }: Call, engine: AnyEngine): RawReply | Promise<RawReply> {
  return runRoute(route, { ...address, engine }, given);
}

/** The branch of a call; undefined if it does not exist, which its route reports. */
function branchOf({ address }: Pick<Call, "address">): BranchAddress | undefined {
  const { workspace, names, engine, closed, caller } = address;
  if (names.token !== undefined) return branchOfToken(engine, names.token);
  const name = names.db_branch_name;
  if (workspace === undefined || name === undefined) return undefined;
  if (closed && !engine.isMember(workspace, caller.id)) return undefined;
  try {
    const { database, branch } = parseDbBranchName(name);
    engine.workspace(workspace).database(database).branch(branch);
    return { workspace, database, branch };
  } catch {
    return undefined;
  }
}
