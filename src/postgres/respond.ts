import type { BranchAddress } from "../catalog/address.js";
import { parseDbBranchName } from "../catalog/names.js";
import type { AnyEngine } from "../engine.js";
import { TwinbaseError } from "../errors.js";
import { branchOfToken } from "../files/links.js";
import type { Address } from "../http/address.js";
import { withoutNulls } from "../http/body.js";
import type { Reply, RequestBody } from "../http/message.js";
import { COLUMNS, readParameters } from "../http/parameters.js";
import type { RouteBackend, RunRoute } from "../http/responder.js";
import type { Route } from "../http/route.js";
import type { AnyRecord } from "../types.js";
import type { Backend } from "./backend.js";
import { countingOf, withCatalog } from "./backend.js";
import { copyBranch } from "./copy-branch.js";
import { countRecords } from "./count-records.js";
import { addCounts, describeCounts } from "./counts.js";
import { runOnMatches } from "./figures.js";
import { getRecord } from "./get-record.js";
import { runQuery } from "./query.js";
import { retry } from "./retry.js";
import { SQL_READERS, SQL_ROUTES } from "./statements/routes.js";
import { runStatements } from "./statements/run.js";
import { transact } from "./transact.js";

/** A request that found its route. */
interface Call {
  readonly route: Route;
  readonly address: Address;
  readonly search: string;
  readonly body: RequestBody;
}

/** Lets the routes act on a database: each where what it touches is. */
export function createRouteBackend(backend: Backend): RouteBackend {
  const runRouteOf: RunRoute = async (route, address, search, body) => {
    const call = { route, address, search, body };
    const own = countingOf(backend);
    try {
      const reply = await runRoute(own, call);
      return { timing: describeCounts(own.stats), ...reply };
    } finally {
      addCounts(backend.stats, own.stats);
    }
  };
  return { runRoute: runRouteOf, routes: SQL_ROUTES };
}

async function runRoute(backend: Backend, call: Call): Promise<Reply> {
  const { route } = call;
  if (route.operation === "copyBranch") return runCopy(backend, call);
  if (SQL_READERS.has(route.operation)) return runSql(backend, call);
  switch (route.touches) {
    case "catalog":
      return runOnCatalog(backend, call);
    case "records":
      return runOnRecords(backend, call);
    case "query":
      return runQueryRoute(backend, call);
  }
}

/** What only reads is answered from the catalog as it is now. */
async function runOnCatalog(backend: Backend, call: Call): Promise<Reply> {
  const { catalog } = backend;
  if (call.route.method !== "GET") return catalog.change((engine) => runOn(call, engine));
  await retry(() => catalog.refresh());
  return runOn(call, call.address.engine);
}

/**
 * The catalog answers a copy, over branches without records: it says what is wrong with the request,
 * and counts what the answer numbers. Then the records are copied.
 */
async function runCopy(backend: Backend, call: Call): Promise<Reply> {
  const source = addressOf(call);
  const reply = await runOnCatalog(backend, call);
  const { destinationBranch, limit } = call.body;
  if (source === undefined || typeof destinationBranch !== "string") return reply;
  const most = typeof limit === "number" ? limit : undefined;
  const copy = { source, destination: destinationBranch, limit: most };
  await copyBranch(backend, copy, (engine) => runOn(call, engine));
  return reply;
}

/** Statements of SQL: nothing of them is the engine's but what they write. */
async function runSql(backend: Backend, call: Call): Promise<Reply> {
  const { route, search, body } = call;
  return withCatalog(backend, async () => {
    const address = addressOf(call);
    const read = SQL_READERS.get(route.operation);
    if (address === undefined || read === undefined) return runOn(call, call.address.engine);
    readParameters(route.parameters, search, backend.catalog.context.profile.base);
    const results = await runStatements(backend, address, read(body));
    const json = route.operation === "sqlQuery" ? results[0] : `{"results":[${results.join(",")}]}`;
    return { status: 200, json };
  });
}

/** Writes and single records: the engine itself runs, on the rows it asks for. */
async function runOnRecords(backend: Backend, call: Call): Promise<Reply> {
  const kind = call.route.method === "GET" ? "snapshot" : "write";
  return withCatalog(backend, async () => {
    // Names are looked up first, so that what is refused for them is refused in the order of E-6.
    const address = addressOf(call);
    if (address === undefined) return runOn(call, call.address.engine);
    const record =
      call.route.operation === "getRecord" && (await readRecord(backend, call, address));
    if (record) return { status: 200, body: record };
    return transact(backend, address, (engine) => runOn(call, engine), kind);
  });
}

/** The record that a call asks for, where one statement gives it. */
async function readRecord(
  backend: Backend,
  { address: { names }, search }: Call,
  branch: BranchAddress,
): Promise<AnyRecord | undefined> {
  const { table_name: table = "", record_id: id = "" } = names;
  const { base } = backend.catalog.context.profile;
  try {
    const { columns } = readParameters({ columns: COLUMNS }, search, base);
    return await getRecord(backend, { table, ...branch }, id, columns);
  } catch (error) {
    // That there is no such record comes before what else is wrong (rule E-6).
    if (error instanceof TwinbaseError) return undefined;
    throw error;
  }
}

async function runQueryRoute(backend: Backend, call: Call): Promise<Reply> {
  const { route, search } = call;
  const { base } = backend.catalog.context.profile;
  const body = base === "xata" ? withoutNulls(call.body) : call.body; // as routes are given it
  return withCatalog(backend, async () => {
    const branch = addressOf(call);
    const table = call.address.names.table_name;
    const known = branch && tableNames(call, branch);
    if (
      branch === undefined ||
      known === undefined ||
      (table !== undefined && !known.includes(table))
    ) {
      return runOn(call, call.address.engine); // which says what there is not
    }
    readParameters(route.parameters, search, base);
    if (route.operation === "queryTable" && table !== undefined) {
      return { status: 200, body: await runQuery(backend, { table, ...branch }, body) };
    }
    if (route.operation === "aggregateTable" && table !== undefined) {
      const aggs = await countRecords(backend, { table, ...branch }, body);
      if (aggs !== undefined) return { status: 200, body: { aggs } };
    }
    const filter = FILTERED.has(route.operation) ? body.filter : undefined;
    const filters = new Map((table === undefined ? known : [table]).map((name) => [name, filter]));
    return runOnMatches(backend, branch, { filters, request: body }, (engine) =>
      runOn(call, engine),
    );
  });
}

/** The operations that look at no records but those that match their filter. */
const FILTERED: ReadonlySet<string> = new Set(["summarizeTable", "aggregateTable"]);

function tableNames({ address }: Call, { workspace, database, branch }: BranchAddress): string[] {
  const found = address.engine.workspace(workspace).database(database).branch(branch);
  return found.tables().map(({ name }) => name);
}

function runOn({ route, address, search, body }: Call, engine: AnyEngine): Reply | Promise<Reply> {
  return route.run({ ...address, engine }, search, body);
}

/** The branch that a call names; undefined where there is none, as its route will say. */
function addressOf({ address }: Call): BranchAddress | undefined {
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
