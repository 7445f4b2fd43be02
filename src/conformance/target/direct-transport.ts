import type { AnyEngine } from "../../engine.js";
import { refuse, TwinbaseError } from "../../errors.js";
import type { JsonObject } from "../../index.js";
import type { Answer, Transport, WireRequest } from "./connection.js";
import {
  type Call,
  type Outcome,
  openBranch,
  openDatabase,
  openTable,
  splitBranch,
  unsupported,
} from "./direct-call.js";
import { callBulk, callInsert, callRecord } from "./direct-records.js";

/** The way to an engine by its own calls, in the words of the endpoints that stand for them. */
export function createDirectTransport(engine: AnyEngine, workspace: string): Transport {
  return (request: WireRequest): Promise<Answer> => {
    const outcome = callEngine(engine, workspace, request);
    // As over HTTP: what is answered are values of JSON, and nobody else's.
    const text = outcome.body === undefined ? "" : JSON.stringify(outcome.body);
    const body: unknown = text === "" ? undefined : JSON.parse(text);
    return Promise.resolve({ status: outcome.status, headers: {}, text, body });
  };
}

function callEngine(engine: AnyEngine, id: string, request: WireRequest): Outcome {
  const { method, path, query = {}, body = {} } = request;
  try {
    for (const [pattern, answer] of ROUTES) {
      const match = pattern.exec(path);
      if (match === null) continue;
      const names = match.slice(1).map(decodeURIComponent);
      // Shared subtrees of the request would be written to where a store keeps what it is given.
      const given = JSON.parse(JSON.stringify(body)) as JsonObject;
      return answer({ workspace: engine.workspace(id), method, names, query, body: given });
    }
    refuse("route_not_found", `no call stands for ${path}`);
  } catch (error) {
    return describeError(error, engine.profile.base === "xata");
  }
}

function describeError(error: unknown, terse: boolean): Outcome {
  if (!(error instanceof TwinbaseError)) return { status: 500, body: { message: String(error) } };
  const { code, message, path, rule } = error;
  // D-5: no workspace of the caller.
  const status = terse && code === "workspace_not_found" ? 401 : error.status;
  // under the xata profile an entry is index and message.
  const errors = error.errors?.map((entry) =>
    terse ? { index: entry.index, message: entry.message } : entry,
  );
  return { status, body: { id: "-", ...(errors ? { errors } : { code, message, path, rule }) } };
}

const ROUTES: readonly (readonly [RegExp, (call: Call) => Outcome])[] = [
  [/^\/workspaces\/([^/]+)\/dbs\/([^/]+)$/, callDatabase],
  [/^\/dbs\/([^/]+)\/gitBranches$/, callMapping],
  [/^\/dbs\/([^/]+)\/resolveBranch$/, callResolve],
  [/^\/dbs\/([^/]+)$/, listBranches],
  [/^\/db\/([^/]+)$/, callBranch],
  [/^\/db\/([^/]+)\/transaction$/, callTransaction],
  [/^\/db\/([^/]+)\/tables\/([^/]+)$/, callTable],
  [/^\/db\/([^/]+)\/tables\/([^/]+)\/query$/, callQuery],
  [/^\/db\/([^/]+)\/tables\/([^/]+)\/summarize$/, callSummarize],
  [/^\/db\/([^/]+)\/tables\/([^/]+)\/aggregate$/, callAggregate],
  [/^\/db\/([^/]+)\/tables\/([^/]+)\/schema$/, callSchema],
  [/^\/db\/([^/]+)\/tables\/([^/]+)\/columns$/, callColumns],
  [/^\/db\/([^/]+)\/tables\/([^/]+)\/columns\/([^/]+)$/, callColumn],
  [/^\/db\/([^/]+)\/tables\/([^/]+)\/bulk$/, callBulk],
  [/^\/db\/([^/]+)\/tables\/([^/]+)\/data$/, callInsert],
  [/^\/db\/([^/]+)\/tables\/([^/]+)\/data\/([^/]+)$/, callRecord],
];

const COMPLETED = { status: "completed" };
const MIGRATED = { migrationID: "-", parentMigrationID: "-", ...COMPLETED };

function callDatabase(call: Call): Outcome {
  const [id = "", name = ""] = call.names;
  const { workspace, method, body } = call;
  if (id !== workspace.id) refuse("workspace_not_found", `workspace ${id} not found`);
  switch (method) {
    case "PUT": {
      const [branch] = workspace.createDatabase(name, body).branches();
      return {
        status: 201,
        body: { databaseName: name, branchName: branch?.name, ...COMPLETED },
      };
    }
    case "GET":
      return { status: 200, body: workspace.database(name).metadata() };
    case "PATCH":
      // What a client sends is checked by the call.
      return { status: 200, body: workspace.database(name).update(body as never) };
    case "DELETE":
      workspace.deleteDatabase(name);
      return { status: 200, body: COMPLETED };
    default:
      return unsupported(call);
  }
}

function callMapping(call: Call): Outcome {
  const { gitBranches } = openDatabase(call);
  switch (call.method) {
    case "GET":
      return { status: 200, body: gitBranches.list() };
    case "POST": {
      const { warning } = gitBranches.add(call.body as never); // checked by the call
      return warning === undefined ? { status: 204 } : { status: 201, body: { warning } };
    }
    case "DELETE":
      gitBranches.remove(call.query.gitBranch as string); // checked by the call
      return { status: 204 };
    default:
      return unsupported(call);
  }
}

function callResolve(call: Call): Outcome {
  return { status: 200, body: openDatabase(call).gitBranches.resolve(call.query) };
}

function listBranches(call: Call): Outcome {
  const database = openDatabase(call);
  return { status: 200, body: { databaseName: database.name, branches: database.branches() } };
}

function callBranch(call: Call): Outcome {
  const [database, name] = splitBranch(call);
  switch (call.method) {
    case "PUT":
      database.createBranch(name, call.body);
      return { status: 201, body: { databaseName: database.name, branchName: name, ...COMPLETED } };
    case "GET": {
      const schema = { tables: database.branch(name).tables() };
      return { status: 200, body: { databaseName: database.name, branchName: name, schema } };
    }
    case "DELETE":
      database.deleteBranch(name);
      return { status: 200, body: COMPLETED };
    default:
      return unsupported(call);
  }
}

function callTransaction(call: Call): Outcome {
  const operations = call.body.operations as never; // checked by the call
  return { status: 200, body: { results: openBranch(call).transaction(operations) } };
}

function callTable(call: Call): Outcome {
  const branch = openBranch(call);
  const [, name = ""] = call.names;
  switch (call.method) {
    case "PUT":
      for (const key of Object.keys(call.body)) refuse("invalid_request", `unknown key ${key}`);
      branch.createTable(name);
      return {
        status: 201,
        body: { branchName: call.names[0], tableName: name, ...COMPLETED },
      };
    case "PATCH": {
      const { name: newName, ...others } = call.body;
      for (const key of Object.keys(others)) refuse("invalid_request", `unknown key ${key}`);
      branch.renameTable(name, newName as string); // checked by the call
      return { status: 200, body: MIGRATED };
    }
    case "DELETE":
      branch.deleteTable(name);
      return { status: 200, body: COMPLETED };
    default:
      return unsupported(call);
  }
}

function callQuery(call: Call): Outcome {
  return { status: 200, body: openTable(call).query(call.body) };
}

function callSummarize(call: Call): Outcome {
  return { status: 200, body: openTable(call).summarize(call.body) };
}

function callAggregate(call: Call): Outcome {
  return { status: 200, body: openTable(call).aggregate(call.body) };
}

function callSchema(call: Call): Outcome {
  const table = openTable(call);
  if (call.method === "GET") return { status: 200, body: table.schema() };
  table.setSchema(call.body as never); // checked by the call
  return { status: 200, body: MIGRATED };
}

function callColumns(call: Call): Outcome {
  const table = openTable(call);
  if (call.method === "GET") return { status: 200, body: table.schema() };
  table.addColumn(call.body as never); // checked by the call
  return { status: 200, body: MIGRATED };
}

function callColumn(call: Call): Outcome {
  const table = openTable(call);
  const [, , path = ""] = call.names;
  if (call.method === "GET") {
    const column = table.schema().columns.find(({ name }) => name === path);
    return { status: 200, body: column ?? refuse("column_not_found", `column ${path} not found`) };
  }
  if (call.method === "DELETE") table.removeColumn(path);
  else table.renameColumn(path, call.body.name as string); // checked by the call
  return { status: 200, body: MIGRATED };
}
