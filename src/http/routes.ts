import { ANY_OBJECT } from "../shape/schema.js";
import { describeService } from "./document.js";
import { createMatcher, type MatchRoutes } from "./match.js";
import { defineRoute, listRoutes, type Route } from "./route.js";
import { BRANCH_ROUTES } from "./routes/branches.js";
import { COLUMN_ROUTES } from "./routes/columns.js";
import { DATABASE_ROUTES } from "./routes/databases.js";
import { FILE_ROUTES } from "./routes/file-contents.js";
import { GIT_BRANCH_ROUTES } from "./routes/git-branches.js";
import { MEMBER_ROUTES } from "./routes/members.js";
import { MIGRATION_REQUEST_ROUTES } from "./routes/migration-requests.js";
import { MIGRATION_ROUTES } from "./routes/migrations.js";
import { RECORD_ROUTES } from "./routes/records.js";
import { SCHEMA_ROUTES } from "./routes/schema.js";
import { SEARCH_ROUTES } from "./routes/search.js";
import { QUERY_ROUTES } from "./routes/table-queries.js";
import { TABLE_ROUTES } from "./routes/tables.js";
import { UNBUILT_ROUTES } from "./routes/unbuilt.js";
import { USER_ROUTES } from "./routes/user.js";
import { WORKSPACE_ROUTES } from "./routes/workspaces.js";

export interface RouteTable {
  readonly routes: readonly Route[];
  readonly match: MatchRoutes;
}

/** The id of an operation in `/openapi.json`. */
export type Operation =
  | keyof typeof BRANCH_ROUTES
  | keyof typeof COLUMN_ROUTES
  | keyof typeof DATABASE_ROUTES
  | keyof typeof FILE_ROUTES
  | keyof typeof GIT_BRANCH_ROUTES
  | keyof typeof MEMBER_ROUTES
  | keyof typeof MIGRATION_REQUEST_ROUTES
  | keyof typeof MIGRATION_ROUTES
  | keyof typeof QUERY_ROUTES
  | keyof typeof RECORD_ROUTES
  | keyof typeof SCHEMA_ROUTES
  | keyof typeof SEARCH_ROUTES
  | keyof typeof TABLE_ROUTES
  | keyof typeof UNBUILT_ROUTES
  | keyof typeof USER_ROUTES
  | keyof typeof WORKSPACE_ROUTES
  | "getDescription";

const COMMON_ROUTES = listRoutes({
  ...QUERY_ROUTES,
  ...SEARCH_ROUTES,
  ...RECORD_ROUTES,
  ...FILE_ROUTES,
  ...TABLE_ROUTES,
  ...COLUMN_ROUTES,
  ...SCHEMA_ROUTES,
  ...MIGRATION_ROUTES,
  ...MIGRATION_REQUEST_ROUTES,
  ...BRANCH_ROUTES,
  ...GIT_BRANCH_ROUTES,
  ...DATABASE_ROUTES,
  ...WORKSPACE_ROUTES,
  ...MEMBER_ROUTES,
  ...USER_ROUTES,
  ...UNBUILT_ROUTES,
});

/** Returns the common routes and a handler's own, which replace those at the same paths. */
export function createRouteTable(more: readonly Route[] = [], basePath = ""): RouteTable {
  const getDescription = defineRoute({
    at: "GET /openapi.json",
    summary: "This description (OpenAPI 3.1).",
    answers: { 200: ANY_OBJECT },
    act: ({ engine }) => describeService(routes, engine.profile, basePath),
  });
  const routes: readonly Route[] = [...COMMON_ROUTES, ...more, ...listRoutes({ getDescription })];
  return { routes, match: createMatcher(routes) };
}

export const ROUTE_TABLE: RouteTable = createRouteTable();
