import { findNothing } from "./address.js";
import { createMatcher, type MatchRoutes } from "./match.js";
import { describeService } from "./openapi/document.js";
import { ANY_OBJECT } from "./openapi/schema.js";
import { defineRoute, type Route } from "./route.js";
import { BRANCH_ROUTES } from "./routes/branches.js";
import { COLUMN_ROUTES } from "./routes/columns.js";
import { DATABASE_ROUTES } from "./routes/databases.js";
import { FILE_ROUTES } from "./routes/files.js";
import { GIT_BRANCH_ROUTES } from "./routes/git-branches.js";
import { MEMBER_ROUTES } from "./routes/members.js";
import { MIGRATION_REQUEST_ROUTES } from "./routes/migration-requests.js";
import { MIGRATION_ROUTES } from "./routes/migrations.js";
import { QUERY_ROUTES } from "./routes/query.js";
import { RECORD_ROUTES } from "./routes/records.js";
import { SCHEMA_ROUTES } from "./routes/schema.js";
import { SEARCH_ROUTES } from "./routes/search.js";
import { TABLE_ROUTES } from "./routes/tables.js";
import { UNBUILT_ROUTES } from "./routes/unbuilt.js";
import { USER_ROUTES } from "./routes/user.js";
import { WORKSPACE_ROUTES } from "./routes/workspaces.js";

/** Routes that are answered, what describes them, and how one is found. */
export interface RouteTable {
  readonly routes: readonly Route[];
  readonly match: MatchRoutes;
}

/** The description of a table of routes: itself a route of it. */
function createDescription(listRoutes: () => readonly Route[], basePath: string): Route {
  return defineRoute({
    method: "GET",
    path: "/openapi.json",
    plane: "control",
    touches: "catalog",
    operation: "getDescription",
    summary: "This description (OpenAPI 3.1).",
    answers: { 200: ANY_OBJECT },
    find: findNothing,
    handle: (_, { engine }) => ({
      status: 200,
      body: describeService(listRoutes(), engine.profile, basePath),
    }),
  });
}

/** The routes of every handler, and those that one has besides or in their place, at a path. */
export function createRouteTable({
  more = [],
  basePath = "",
}: {
  readonly more?: readonly Route[];
  readonly basePath?: string;
} = {}): RouteTable {
  const routes: readonly Route[] = [
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
    ...more,
    createDescription(() => routes, basePath),
  ];
  return { routes, match: createMatcher(routes) };
}

/** What every handler without a route of its own answers. */
export const ROUTE_TABLE: RouteTable = createRouteTable();

/** The whole table of routes: what is answered, and what the description is made of. */
export const ROUTES: readonly Route[] = ROUTE_TABLE.routes;

/** Finds the routes of a path; one for every handler there is, as they all have the same routes. */
export const matchRoutes: MatchRoutes = ROUTE_TABLE.match;
