import { findNothing } from "./address.js";
import { describeService } from "./openapi/document.js";
import { ANY_OBJECT } from "./openapi/schema.js";
import { defineRoute, type Route } from "./route.js";
import { BRANCH_ROUTES } from "./routes/branches.js";
import { COLUMN_ROUTES } from "./routes/columns.js";
import { databaseRoutes } from "./routes/databases.js";
import { GIT_BRANCH_ROUTES } from "./routes/git-branches.js";
import { QUERY_ROUTES } from "./routes/query.js";
import { RECORD_ROUTES } from "./routes/records.js";
import { SCHEMA_ROUTES } from "./routes/schema.js";
import { TABLE_ROUTES } from "./routes/tables.js";
import { USER_ROUTES } from "./routes/user.js";
import { workspaceRoutes } from "./routes/workspaces.js";
import type { Service } from "./service.js";

/** The whole table of routes: what is answered, and what the description is made of. */
export function listRoutes({ engine, region }: Service): Route[] {
  const routes: Route[] = [
    ...QUERY_ROUTES,
    ...RECORD_ROUTES,
    ...TABLE_ROUTES,
    ...COLUMN_ROUTES,
    ...SCHEMA_ROUTES,
    ...BRANCH_ROUTES,
    ...GIT_BRANCH_ROUTES,
    ...databaseRoutes(region),
    ...workspaceRoutes(region),
    ...USER_ROUTES,
  ];
  routes.push(
    defineRoute({
      method: "GET",
      path: "/openapi.json",
      plane: "control",
      operation: "getDescription",
      summary: "This description (OpenAPI 3.1).",
      answers: { 200: ANY_OBJECT },
      find: findNothing,
      handle: () => ({ status: 200, body: describeService(routes, engine.profile) }),
    }),
  );
  return routes;
}
