import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import { listPlaces, putAt, REMOVED, readPlace } from "../../scripts/programs/spoil.mjs";
import { pointer } from "../../src/errors.js";
import type { Profile } from "../../src/profile.js";
import type { Fetch } from "./checked-fetch.js";
import { escapePointer } from "./description.js";
import { goodBodies } from "./good-bodies.js";
import type { Sent } from "./ways.js";

/**
 * Sends each value that the schema of a body forbids, and lists those that are not refused with 400
 * and their path.
 *
 * @param save saves the state, and returns a function that restores it; without it no valid body is sent
 * @param more valid bodies for the routes of a backend
 */
export async function findUnrefused(
  fetch: Fetch,
  { mappingTarget }: Profile,
  save?: () => () => void,
  more: readonly Sent[] = [],
): Promise<{ readonly asked: number; readonly unrefused: readonly string[] }> {
  const samples = await goodBodies(mappingTarget, fetch);
  const good = [...samples.filter(({ path }) => !more.some((sent) => sent.path === path)), ...more];
  const undo = save?.();
  const send = async ({ method, path, body }: Pick<Sent, "method" | "path" | "body">) => {
    const url = `http://acme.us-east-1.localhost${path}`;
    const answer = await fetch(url, { method, body: JSON.stringify(body) });
    return { status: answer.status, text: await answer.text() };
  };
  const unrefused: string[] = [];
  for (const sent of undo === undefined ? [] : good) {
    const { status, text } = await send(sent);
    if (status >= 300) unrefused.push(`good: ${sent.method} ${sent.path}: ${status} ${text}`);
    undo?.();
  }
  const forbidden = await listForbidden(fetch, good);
  for (const { operation, at, above, ...sent } of forbidden) {
    const { status, text } = await send(sent);
    const { path, errors = [], details = errors } = JSON.parse(text || "{}") as Refusal;
    // A missing object may be refused by the path of a required member.
    const isPlaced = [path, ...details.map((fault) => fault.path)].some(
      (place) => place === at || place === above || place?.startsWith(`${at}/`),
    );
    if (status === 400 && isPlaced) continue;
    unrefused.push(`${operation} ${at}: ${status} ${text.slice(0, 300)}`);
    if (status < 300) undo?.();
  }
  return { asked: forbidden.length, unrefused };
}

interface Refusal {
  readonly path?: string;
  readonly errors?: readonly { readonly path?: string }[];
  /** The paths of a batch under `xata` (rule E-8). */
  readonly details?: readonly { readonly path?: string }[];
}

/** A request with one value that its schema forbids. */
interface Forbidden {
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  /** JSON Pointer to the value. */
  readonly at: string;
  /** JSON Pointer to the object around it, if no alternative of that fits. */
  readonly above: string | undefined;
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> };
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** A keyword whose value is the place of a schema; it notes that some value fits the schema. */
const FITTED = "x-fitted";

/**
 * Requests with one value that the schema of the body forbids.
 *
 * @throws Error if a valid body does not fit its schema, or none has a member of a schema
 */
async function listForbidden(fetch: Fetch, good: readonly Sent[]): Promise<Forbidden[]> {
  const text = await (await fetch("http://localhost/openapi.json")).text();
  const description = JSON.parse(text) as { readonly paths: Paths };
  const schemas = new Set<string>();
  const fitted = new Set<string>();
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addKeyword({
    keyword: FITTED,
    post: true, // evaluated where no other keyword failed
    errors: false,
    compile: (schema: string) => {
      schemas.add(schema);
      return () => fitted.add(schema) !== undefined;
    },
  });
  ajv.addSchema(markSchemas(description, "") as object, "service");
  const requests = good.flatMap(({ method, path, body }) => {
    const found = findOperation(description.paths, method, path);
    if (found === undefined) return [];
    const { operation, schema } = found;
    const validate = ajv.getSchema(`service#${schema}`)!;
    if (!validate(body)) {
      throw new Error(`${operation}: ${JSON.stringify(validate.errors)}: ${JSON.stringify(body)}`);
    }
    return [{ operation, method, path, body, validate }];
  });
  const missing = [...schemas].filter((schema) => !fitted.has(schema));
  if (missing.length > 0) throw new Error(`no good body has ${missing.join(", ")}`);
  const limits = readLimits(text);
  return requests.flatMap(({ body, validate, ...request }) =>
    listPlaces(body).flatMap((place) =>
      listAlternatives(body, place, limits).flatMap(([at, values]): Forbidden[] => {
        const changed = values.map((value) => putAt(body, at, value)).find((one) => !validate(one));
        if (changed === undefined) return [];
        const above = at.slice(0, -1).reduce(pointer, "");
        const isAbove = validate.errors?.some(
          (error) => isOfWhole(error) && error.instancePath === above,
        );
        return [
          {
            ...request,
            body: changed,
            at: at.reduce(pointer, ""),
            above: isAbove ? above : undefined,
          },
        ];
      }),
    ),
  );
}

function isOfWhole({ keyword }: ErrorObject): boolean {
  return /^(?:anyOf|oneOf|minProperties|maxProperties)$/.test(keyword);
}

/** The operation of a request that takes JSON, and the place of its schema. */
function findOperation(paths: Paths, method: string, path: string) {
  for (const [template, methods] of Object.entries(paths)) {
    const pattern = new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/?]+")}$`);
    const name = method.toLowerCase();
    const { operationId: operation = "", requestBody } = methods[name] ?? {};
    if (
      !pattern.test(path.split("?")[0]!) ||
      requestBody?.content["application/json"] === undefined
    )
      continue;
    const schema = `/paths/${escapePointer(template)}/${name}/requestBody/content/application~1json/schema`;
    return { operation, schema };
  }
  return undefined;
}

/** A copy of a description in which each schema has the keyword {@link FITTED}. */
function markSchemas(value: unknown, at: string): unknown {
  if (typeof value !== "object" || value === null) return value;
  const marked = Object.entries(value).map(([key, inner]) => [
    key,
    markSchemas(inner, `${at}/${key}`),
  ]);
  if (Array.isArray(value)) return marked.map(([, inner]) => inner);
  const { $ref, type, anyOf, oneOf, enum: names } = value as Readonly<Record<string, unknown>>;
  const isSchema =
    typeof ($ref ?? type) === "string" || [type, anyOf, oneOf, names].some(Array.isArray);
  return Object.fromEntries(isSchema ? [...marked, [FITTED, at]] : marked);
}

/** The smallest numbers and lengths above and below the limits of a description. */
interface Limits {
  readonly above: readonly number[];
  readonly below: readonly number[];
  readonly long: readonly string[];
}

function readLimits(text: string): Limits {
  const read = (keyword: string): number[] =>
    [...text.matchAll(new RegExp(`"${keyword}":(-?[\\d.]+)`, "g"))]
      .map(([, limit]) => Number(limit))
      .sort((a, b) => a - b);
  return {
    above: read("maximum").map((limit) => limit + 1),
    below: read("minimum")
      .map((limit) => limit - 1)
      .reverse(),
    long: read("maxLength").map((limit) => "x".repeat(limit + 1)),
  };
}

/** Values in place of a part of a body, of which the first that is forbidden is sent. */
function listAlternatives(body: unknown, place: readonly string[], { above, below, long }: Limits) {
  const value = readPlace(body, place);
  const values: unknown[][] = [5, 0.5, "nope", "", true, ["a"], [], { a: 1 }].map((one) => [one]);
  if (typeof value === "number") values.push([...above], [...below]);
  if (typeof value === "string") values.push([...long]);
  const isMember = place.length > 0 && !Array.isArray(readPlace(body, place.slice(0, -1)));
  if (isMember) values.push([REMOVED]);
  const alternatives = values.map((each) => [place, each] as const);
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? [...alternatives, [[...place, "nope"], [1]] as const] : alternatives;
}
