import { refuse } from "../../errors.js";
import { defineRoute, type Routes, type UnnamedRoute } from "../route.js";

/** Operations of the hosting platform, not implemented (section O). */
const UNBUILT = {
  getTasks: "GET /tasks",
  getTaskStatus: "GET /tasks/{task_id}",
  listClusterBranches: "GET /cluster/{cluster_id}/branches",
  listClusterExtensions: "GET /cluster/{cluster_id}/extensions",
  installClusterExtension: "POST /cluster/{cluster_id}/extensions",
  dropClusterExtension: "DELETE /cluster/{cluster_id}/extensions",
  getClusterMetrics: "GET /cluster/{cluster_id}/metrics",
  listClusters: "GET /workspaces/{workspace_id}/clusters",
  createCluster: "POST /workspaces/{workspace_id}/clusters",
  getCluster: "GET /workspaces/{workspace_id}/clusters/{cluster_id}",
  updateCluster: "PATCH /workspaces/{workspace_id}/clusters/{cluster_id}",
  deleteCluster: "DELETE /workspaces/{workspace_id}/clusters/{cluster_id}",
  getAuthorizationCode: "GET /oauth/authorize",
  grantAuthorizationCode: "POST /oauth/authorize",
  getUserOAuthClients: "GET /user/oauth/clients",
  deleteUserOAuthClient: "DELETE /user/oauth/clients/{client_id}",
  getUserOAuthAccessTokens: "GET /user/oauth/tokens",
  deleteOAuthAccessToken: "DELETE /user/oauth/tokens/{token}",
  updateOAuthAccessToken: "PATCH /user/oauth/tokens/{token}",
  getDatabaseGithubSettings: "GET /workspaces/{workspace_id}/dbs/{db_name}/github",
  updateDatabaseGithubSettings: "PUT /workspaces/{workspace_id}/dbs/{db_name}/github",
  deleteDatabaseGithubSettings: "DELETE /workspaces/{workspace_id}/dbs/{db_name}/github",
  getBranchMoveStatus: "GET /db/{db_branch_name}/move",
  moveBranch: "PUT /db/{db_branch_name}/move",
  applyMigration: "POST /db/{db_branch_name}/migrations/apply",
  startMigration: "POST /db/{db_branch_name}/migrations/start",
  completeMigration: "POST /db/{db_branch_name}/migrations/complete",
  rollbackMigration: "POST /db/{db_branch_name}/migrations/rollback",
  adaptTable: "POST /db/{db_branch_name}/migrations/adapt/{table_name}",
  adaptAllTables: "POST /db/{db_branch_name}/migrations/adapt",
  getBranchMigrationJobStatus: "GET /db/{db_branch_name}/migrations/status",
  getMigrationJobs: "GET /db/{db_branch_name}/migrations/jobs",
  getMigrationJobStatus: "GET /db/{db_branch_name}/migrations/jobs/{job_id}",
  getMigrationHistory: "GET /db/{db_branch_name}/migrations/history",
  getSchema: "GET /db/{db_branch_name}/schema",
  getSchemas: "GET /db/{db_branch_name}/schemas",
  askTable: "POST /db/{db_branch_name}/tables/{table_name}/ask",
  askTableSession: "POST /db/{db_branch_name}/tables/{table_name}/ask/{session_id}",
  sqlQuery: "POST /db/{db_branch_name}/sql",
  sqlBatchQuery: "POST /db/{db_branch_name}/sql/batch",
  // H-5: image URLs, which the client derives from file URLs.
  transformImage: "GET /transform/{transformation}/{file_id}",
  transformFile: "GET /transform/{transformation}/file/{token}",
} as const;

/** Routes that answer 501 with the operation's name, whatever the request contains. */
export const UNBUILT_ROUTES: Routes<keyof typeof UNBUILT> = Object.fromEntries(
  Object.entries(UNBUILT).map(([operation, at]) => [operation, defineUnbuilt(operation, at)]),
) as Routes<keyof typeof UNBUILT>; // of the same keys

function defineUnbuilt(operation: string, at: string): UnnamedRoute {
  const message = at.includes("/sql")
    ? `${operation} needs a PostgreSQL backend: a server (postgres://…), or PGlite in this process (pglite:…)`
    : `${operation} belongs to the hosting platform and is not implemented`;
  return defineRoute({
    at,
    summary: "Not implemented (501).",
    ...(at.includes(" /transform/") && { isPublic: true }),
    answers: {},
    find: () => refuse("not_implemented", message, { rule: "E-3" }),
  });
}
