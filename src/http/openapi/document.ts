import type { Profile } from "../../profile.js";
import type { Route } from "../route.js";
import { componentSchemas } from "./components.js";
import { type JsonSchema, refer } from "./schema.js";

/** A JSON object of the description. */
type Fragment = Readonly<Record<string, unknown>>;

const STATUS_TEXT: Readonly<Record<number, string>> = {
  200: "Done.",
  201: "Made.",
  202: "Made.",
  204: "Done; the answer is empty.",
};

/**
 * The OpenAPI 3.1 description of a table of routes, in the names of a profile.
 *
 * @param basePath where they are mounted; empty for the root
 */
export function describeService(
  routes: readonly Route[],
  profile: Profile,
  basePath: string,
): Fragment {
  return {
    openapi: "3.1.0",
    info: {
      title: "Twinbase",
      version: "0.1.0",
      description: "A hosted database service, twinned in memory.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [
      {
        url: basePath || "/",
        description: "The host names the workspace, or the only one there is is meant.",
      },
      {
        url: `${basePath}/ws/{workspace}/{region}`,
        description: "The path names the workspace.",
        variables: { workspace: { default: "default" }, region: { default: "us-east-1" } },
      },
    ],
    security: [{ key: [] }, {}],
    tags: [
      { name: "workspace", description: "At the address of a workspace." },
      { name: "control", description: "At the address of the account." },
    ],
    paths: describePaths(routes),
    components: {
      securitySchemes: { key: { type: "http", scheme: "bearer" } },
      responses: {
        Refused: refusal("Error", "Refused; nothing has changed."),
        BatchRefused: refusal("BatchError", "Refused, all of it; nothing has changed."),
        Failed: refusal("Error", "A fault of the service itself."),
      },
      schemas: componentSchemas(profile),
    },
  };
}

const REQUEST_ID: Fragment = {
  "x-request-id": { description: "Names the request.", schema: { type: "string" } },
};

function refusal(schema: string, description: string): Fragment {
  return {
    description,
    headers: REQUEST_ID,
    content: { "application/json": { schema: refer(schema) } },
  };
}

/** The operations that are refused with the faults of their parts (rules ). */
const BATCHES: ReadonlySet<string> = new Set(["bulkInsertTableRecords", "branchTransaction"]);

function describePaths(routes: readonly Route[]): Fragment {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    if (route.isUndescribed) continue;
    paths[route.path] ??= { parameters: describeNames(route.path) };
    paths[route.path]![route.method.toLowerCase()] = describeOperation(route);
  }
  return paths;
}

function describeNames(path: string): Fragment[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function describeOperation(route: Route): Fragment {
  const { operation, summary, plane, parameters, body, answers } = route;
  const responses = Object.entries(answers).map(([status, schema]) => [
    status,
    describeResponse(Number(status), schema, typeOf(route.givesContent)),
  ]);
  return {
    operationId: operation,
    summary,
    tags: [plane],
    ...(Object.keys(parameters).length > 0 && {
      parameters: Object.entries(parameters).map(([name, { description, schema, required }]) => ({
        name,
        in: "query",
        description,
        required,
        schema,
      })),
    }),
    ...(body !== undefined && {
      requestBody: { content: { [typeOf(route.takesContent)]: { schema: body } } },
    }),
    ...(route.isPublic && { security: [] }),
    responses: {
      ...Object.fromEntries(responses),
      ...(BATCHES.has(operation) && { 400: { $ref: "#/components/responses/BatchRefused" } }),
      "4XX": { $ref: "#/components/responses/Refused" },
      "5XX": { $ref: "#/components/responses/Failed" },
    },
  };
}

function typeOf(isContent: true | undefined): string {
  return isContent ? "*/*" : "application/json";
}

function describeResponse(status: number, schema: JsonSchema | null, type: string): Fragment {
  return {
    description: STATUS_TEXT[status] ?? "Done.",
    headers: REQUEST_ID,
    ...(schema !== null && { content: { [type]: { schema } } }),
  };
}
