import type { XataApiClient as EarlierApiClient } from "xata-client-0-26";
import type { ApiClient } from "./npm-clients.js";

/** Arguments of a call of the 0.30.1 API client. */
interface Call {
  readonly pathParams?: Readonly<Record<string, unknown>>;
  readonly queryParams?: object;
  readonly body?: unknown;
}

type Operation = (flat: object) => Promise<unknown>;
type Groups = Readonly<Record<string, object>>;

const GROUPS: Readonly<Record<string, string>> = {
  users: "user",
  databases: "database",
  branch: "branches",
  table: "tables",
};

const PARAMS: Readonly<Record<string, string>> = {
  workspaceId: "workspace",
  dbName: "database",
  tableName: "table",
  columnName: "column",
  branchName: "compare",
  recordId: "id",
  userId: "user",
  inviteId: "invite",
  inviteKey: "key",
  keyName: "name",
  mrNumber: "migrationRequest",
};

const BODIES: Readonly<Record<string, string>> = {
  updateUser: "user",
  createWorkspace: "data",
  updateWorkspace: "update",
  createDatabase: "data",
  updateDatabaseMetadata: "metadata",
  updateBranchMetadata: "metadata",
  updateTable: "update",
  setTableSchema: "schema",
  addTableColumn: "column",
  updateColumn: "update",
  getBranchMigrationPlan: "schema",
  executeBranchMigrationPlan: "plan",
  updateBranchSchema: "migration",
  previewBranchSchemaEdit: "data",
  createMigrationRequest: "migration",
  updateMigrationRequest: "update",
};

/** The API client of 0.26.6 with the calls of 0.30.1. */
export function asCurrentApi(api: EarlierApiClient): ApiClient {
  return new Proxy({} as ApiClient, {
    get: (_, group) =>
      new Proxy({}, { get: (_, name) => operationOf(api, String(group), String(name)) }),
  });
}

function operationOf(api: EarlierApiClient, group: string, name: string) {
  const operations = (api as unknown as Groups)[GROUPS[group] ?? group] ?? {};
  return (call: Call): Promise<unknown> => {
    const run = (operations as Readonly<Record<string, Operation>>)[name];
    if (run === undefined) throw new Error(`0.26.6 has no ${group}.${name}`);
    return run.call(operations, flatten(name, call));
  };
}

function flatten(name: string, { pathParams = {}, queryParams, body }: Call): object {
  const flat: Record<string, unknown> = { ...queryParams };
  for (const [param, value] of Object.entries(pathParams)) {
    if (param === "dbBranchName") [flat.database, flat.branch] = String(value).split(":");
    else flat[PARAMS[param] ?? param] = value;
  }
  const whole = BODIES[name];
  return whole === undefined ? { ...flat, ...(body as object) } : { ...flat, [whole]: body };
}
