import { STATUS_BY_CODE } from "../errors.js";
import type { Profile } from "../profile.js";
import * as s from "../shape/schema.js";
import type { Route } from "./route.js";

type Fragment = Readonly<Record<string, unknown>>;

/** Writes a schema; schemas with a title become components and references. */
type Describe = (schema: s.JsonSchema) => Fragment;

const ERROR: s.JsonSchema = s.named(
  "Error",
  s.objectOf(
    { id: s.TEXT, message: s.TEXT, code: { type: "string", enum: Object.keys(STATUS_BY_CODE) } },
    {
      path: { type: "string", description: "JSON pointer into the request." },
      rule: { type: "string", pattern: "^[A-Z]-[0-9]+$" },
      hint: { type: "string", description: "A suggestion (profile xata)." },
      detail: { type: "string", description: "The message with its place (profile xata)." },
    },
  ),
);

const FAULTS = faultsOf(
  s.objectOf({ index: s.INTEGER, message: s.TEXT }, { code: s.TEXT, path: s.TEXT, rule: s.TEXT }),
);

/** Entries of a refused batch of records, or of a refused transaction (rule E-8). */
const SERVICE_FAULTS = faultsOf({
  oneOf: [
    s.objectOf({ message: s.TEXT, status: { const: 400 } }),
    s.objectOf({ index: s.INTEGER, message: s.TEXT }),
  ],
});

function faultsOf(items: s.JsonSchema): s.JsonSchema {
  return { type: "array", minItems: 1, maxItems: 100, items };
}

const MORE: s.JsonSchema = { type: "integer", minimum: 1 };

/** The answer to a failed batch: the errors of its parts, or one error for the whole request. */
const BATCH_ERROR: s.JsonSchema = s.named("BatchError", {
  anyOf: [
    ERROR,
    {
      make: ({ serviceErrors }) =>
        serviceErrors
          ? s.objectOf({ id: s.TEXT, errors: SERVICE_FAULTS, details: FAULTS }, { more: MORE })
          : s.objectOf({ id: s.TEXT, errors: FAULTS }, { more: MORE }),
    },
  ],
});

const STATUS_TEXT: Readonly<Record<number, string>> = {
  200: "Done.",
  201: "Made.",
  202: "Made.",
  204: "Success; the answer is empty.",
};

/** Returns the OpenAPI 3.1 description of routes, with the names of a profile. */
export function describeService(
  routes: readonly Route[],
  profile: Profile,
  basePath: string,
): Fragment {
  const schemas: Record<string, Fragment> = {};
  const describe = createDescribe(profile, schemas);
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
        description: "The host names the workspace; default the only one.",
      },
      {
        url: `${basePath}/ws/{workspace}/{region}`,
        description: "The path names the workspace.",
        variables: { workspace: { default: "default" }, region: { default: "us-east-1" } },
      },
    ],
    security: [{ key: [] }, {}],
    tags: [
      { name: "workspace", description: "The workspace URL." },
      { name: "control", description: "The control URL." },
    ],
    paths: describePaths(routes, describe),
    components: {
      securitySchemes: { key: { type: "http", scheme: "bearer" } },
      responses: {
        Refused: describeAnswer("Refused; nothing changed.", describe(ERROR)),
        BatchRefused: describeAnswer("The batch failed; nothing changed.", describe(BATCH_ERROR)),
        Failed: describeAnswer("An internal error.", describe(ERROR)),
      },
      schemas,
    },
  };
}

function createDescribe(profile: Profile, schemas: Record<string, Fragment>): Describe {
  const describe: Describe = ({ title, make, reading: _, ...schema }) => {
    if (title !== undefined) {
      if (schemas[title] === undefined) {
        schemas[title] = {}; // schemas can be recursive
        schemas[title] = describe({ ...schema, ...(make && { make }) });
      }
      return { $ref: `#/components/schemas/${title}` };
    }
    if (make !== undefined) return describe(make(profile));
    const { properties, items, additionalProperties: more, anyOf, oneOf } = schema;
    return {
      ...schema,
      ...(properties !== undefined && { properties: mapValues(properties, describe) }),
      ...(items !== undefined && { items: describe(items) }),
      ...(typeof more === "object" && { additionalProperties: describe(more) }),
      ...(anyOf !== undefined && { anyOf: anyOf.map(describe) }),
      ...(oneOf !== undefined && { oneOf: oneOf.map(describe) }),
    };
  };
  return describe;
}

function mapValues(values: Readonly<Record<string, s.JsonSchema>>, map: Describe): Fragment {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
}

const JSON_TYPE = "application/json";
const REFUSED: Fragment = { $ref: "#/components/responses/Refused" };
const REQUEST_ID: Fragment = {
  "x-request-id": { description: "The id of the request.", schema: { type: "string" } },
};

const LOCATION: Fragment = {
  location: { description: "The address.", schema: { type: "string" } },
};

function describeAnswer(
  description: string,
  schema: Fragment | null,
  type: string = JSON_TYPE,
  headers?: Fragment,
): Fragment {
  return {
    description,
    headers: { ...REQUEST_ID, ...headers },
    ...(schema !== null && { content: { [type]: { schema } } }),
  };
}

/** Operations whose errors list the errors of their parts (rules ). */
const BATCHES: ReadonlySet<string> = new Set(["bulkInsertTableRecords", "branchTransaction"]);

function describePaths(routes: readonly Route[], describe: Describe): Fragment {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    if (route.isUndescribed) continue;
    paths[route.path] ??= { parameters: describeNames(route.path) };
    paths[route.path]![route.method.toLowerCase()] = describeOperation(route, describe);
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

function describeOperation(route: Route, describe: Describe): Fragment {
  const { operation, summary, plane, parameters, body, answers } = route;
  const responses = Object.entries(answers).map(([status, schema]) => [
    status,
    describeAnswer(
      STATUS_TEXT[Number(status)] ?? "Done.",
      schema && describe(schema),
      typeOf(route.givesContent),
      route.isLocated && status === "201" ? LOCATION : undefined,
    ),
  ]);
  return {
    operationId: operation,
    summary,
    tags: [plane],
    ...(parameters.properties !== undefined && {
      parameters: Object.entries(parameters.properties).map(([name, parameter]) => {
        const { description, ...schema } = describe(parameter);
        const required = parameters.required?.includes(name) ?? false;
        return { name, in: "query", description, required, schema };
      }),
    }),
    ...(body !== undefined && {
      requestBody: { content: { [typeOf(route.takesContent)]: { schema: describe(body) } } },
    }),
    ...(route.isPublic && { security: [] }),
    responses: {
      ...Object.fromEntries(responses),
      400: REFUSED,
      ...(BATCHES.has(operation) && { 400: { $ref: "#/components/responses/BatchRefused" } }),
      ...(!route.isPublic && { 401: REFUSED }),
      ...(route.path.includes("{") && { 404: REFUSED }),
      ...(!route.reads && route.method !== "DELETE" && { 422: REFUSED }),
      "4XX": REFUSED,
      "5XX": { $ref: "#/components/responses/Failed" },
    },
  };
}

function typeOf(isContent: true | undefined): string {
  return isContent ? "*/*" : JSON_TYPE;
}
