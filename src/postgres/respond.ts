import type { BranchAddress, TableAddress } from "../catalog/address.js";
import { parseDbBranchName } from "../catalog/names.js";
import type { AnyEngine } from "../engine.js";
import { TwinbaseError } from "../errors.js";
import { branchOfToken } from "../files/links.js";
import type { Address } from "../http/address.js";
import { writeReply } from "../http/answer.js";
import { placeOf } from "../http/branch-stats.js";
import type { Reply, RequestBody, Written } from "../http/message.js";
import type { COLUMNS, IF_VERSION, ParameterValues } from "../http/parameters.js";
import type { RouteBackend } from "../http/responder.js";
import { type GivenRequest, type Route, runRoute } from "../http/route.js";
import type { COPY } from "../http/routes/branches.js";
import type { TypeOf } from "../json-schema.js";
import { type Backend, countingOf, limitTo, withCatalog } from "./backend.js";
import { copyBranch } from "./copy-branch.js";
import { countBranch, countMatches } from "./count-records.js";
import { addCounts, describeCounts } from "./counts.js";
import { runOnMatches } from "./figures.js";
import { getRecord } from "./get-record.js";
import { runQuery } from "./query.js";
import { retry } from "./retry.js";
import { readSqlBatch, readSqlRequest } from "./statements/request.js";
import { SQL_ROUTES } from "./statements/routes.js";
import { runStatements } from "./statements/run.js";
import { prepareTransaction } from "./transact.js";
import { updateAtOnce } from "./update-record.js";

interface Call {
  readonly route: Route;
  readonly address: Address;
  readonly given: GivenRequest;
}

/** A parsed request and its target. */
interface Found {
  readonly body: RequestBody;
  /** Without a table if the path has none. */
  readonly at: TableAddress;
  readonly address: Address;
  /** Time of `performance.now()` at which a statement of SQL ends. */
  readonly until: number;
}

/** Handles a request instead of its route; undefined leaves it to the route. */
type Act = (backend: Backend, found: Found) => Promise<Reply | undefined>;

/** Operations that the database answers itself. */
const ACTS: Readonly<Record<string, Act>> = {
  queryTable: async (backend, { at, body }) => ({
    status: 200,
    body: await runQuery(backend, at, body),
  }),
  aggregateTable: async (backend, { at, body }) => {
    const aggs = await countMatches(backend, at, body);
    return aggs && { status: 200, body: { aggs } };
  },
  getBranchStats: async (backend, { at, address }) => {
    const records = await countBranch(backend, at);
    const now = backend.catalog.context.clock.now();
    return { status: 200, body: address.stats.describe(placeOf(address), records, now) };
  },
  sqlQuery: async (backend, { at, body, until }) => {
    const [json] = await runStatements(backend, at, { ...readSqlRequest(body), until });
    return { status: 200, json };
  },
  sqlBatchQuery: async (backend, { at, body, until }) => {
    const results = await runStatements(backend, at, { ...readSqlBatch(body), until });
    return { status: 200, json: `{"results":[${results.join(",")}]}` };
  },
};

export function createRouteBackend(backend: Backend): RouteBackend {
  const run: RouteBackend["run"] = async (route, address, given) => {
    const own = limitTo(countingOf(backend), branchOf({ address }));
    try {
      const written = await runCall(own, { route, address, given });
      return { timing: describeCounts(own.stats), ...written };
    } finally {
      addCounts(backend.stats, own.stats);
    }
  };
  return { run, routes: SQL_ROUTES };
}

function runCall(backend: Backend, call: Call): Promise<Written> {
  const { operation, touches } = call.route;
  if (operation === "copyBranch") return runCopy(backend, call);
  if (touches === "catalog") return runOnCatalog(backend, call);
  return touches === "records" ? runOnRecords(backend, call) : runOnBranch(backend, call);
}

async function runOnCatalog(backend: Backend, call: Call): Promise<Written> {
  const { catalog } = backend;
  if (!call.route.reads) return catalog.change((engine) => runOn(call, engine));
  await retry(() => catalog.refresh());
  return runOn(call, call.address.engine);
}

/**
 * Computes the answer with the catalog, whose branches have no records; then copies the records.
 */
async function runCopy(backend: Backend, call: Call): Promise<Written> {
  const source = branchOf(call);
  const written = await runOnCatalog(backend, call);
  if (source === undefined) return written;
  const { body } = call.route.read(call.given, backend.catalog.context.profile.base);
  const { destinationBranch: destination, limit } = body as TypeOf<typeof COPY>; // of this route
  const copy = { source, destination, limit };
  await withCatalog(backend, () => copyBranch(backend, copy, (engine) => runOn(call, engine)));
  return written;
}

/** Writes and single records: runs the engine on the rows that it needs. */
async function runOnRecords(backend: Backend, call: Call): Promise<Written> {
  const kind = call.route.reads ? "snapshot" : "write";
  const attempt = prepareTransaction<Written>(backend, kind);
  return withCatalog(backend, async () => {
    // Check names first, so that unknown ones need no row.
    const branch = branchOf(call);
    if (branch === undefined) return runOn(call, call.address.engine);
    const written = await runOnRecord(backend, call, branch);
    return written ?? attempt(branch, (engine) => runOn(call, engine));
  });
}

type RecordParameters = { columns: typeof COLUMNS; ifVersion: typeof IF_VERSION };

/** Reads or updates one record with one statement, if possible. */
async function runOnRecord(
  backend: Backend,
  { address: { names }, route, given }: Call,
  branch: BranchAddress,
): Promise<Written | undefined> {
  const { table_name: table = "", record_id: id = "" } = names;
  const isUpdate = route.operation === "updateRecordWithID";
  if (!isUpdate && route.operation !== "getRecord") return undefined;
  const at = { table, ...branch };
  try {
    const { parameters, body } = route.read(given, backend.catalog.context.profile.base);
    const { columns, ifVersion } = parameters as ParameterValues<RecordParameters>; // of these routes
    const update = { id, changes: body as RequestBody, ifVersion, columns: columns ?? [] };
    const record = await (isUpdate
      ? updateAtOnce(backend, at, update)
      : getRecord(backend, at, id, columns));
    return record && writeReply({ status: 200, body: record });
  } catch (error) {
    // A missing record is reported before other errors (E-6).
    if (error instanceof TwinbaseError) return undefined;
    throw error;
  }
}

/** Queries: run by the database, or by the engine on all matching records. */
function runOnBranch(backend: Backend, call: Call): Promise<Written> {
  const { route, address, given } = call;
  const until = performance.now() + backend.driver.statementTimeout;
  return withCatalog(backend, async () => {
    route.find(address);
    const read = route.read(given, backend.catalog.context.profile.base);
    const body = read.body as RequestBody; // queries have no content
    const branch = branchOf(call)!; // the route has found it
    const { table_name: table } = address.names;
    const at = { table: table ?? "", ...branch };
    const reply = await ACTS[route.operation]?.(backend, { body, at, address, until });
    if (reply !== undefined) return writeReply(reply);
    const filter = FILTERED.has(route.operation) ? body.filter : undefined;
    const names = table === undefined ? tableNames(address.engine, branch) : [table];
    const filters = new Map(names.map((name) => [name, filter]));
    return runOnMatches(backend, branch, { filters, request: body }, (engine) =>
      runOn(call, engine),
    );
  });
}

/** Operations that only read records matching their filter. */
const FILTERED: ReadonlySet<string> = new Set(["summarizeTable", "aggregateTable"]);

function tableNames(
  engine: AnyEngine,
  { workspace, database, branch }: BranchAddress,
): readonly string[] {
  const found = engine.workspace(workspace).database(database).branch(branch);
  return found.tables().map(({ name }) => name);
}

function runOn({ route, address, given }: Call, engine: AnyEngine): Written | Promise<Written> {
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
