import type { Profile } from "../../src/profile.js";
import type { Fetch } from "./checked-fetch.js";
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
  const good = [...(await goodBodies(mappingTarget, fetch)), ...more];
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
  for (const { operation, at, places, ...sent } of forbidden) {
    const { status, text } = await send(sent);
    const { path, errors = [], details = errors } = JSON.parse(text || "{}") as Refusal;
    // A missing object may be refused by the path of a required member.
    const isPlaced = [path, ...details.map((fault) => fault.path)].some((place) =>
      places.some((one) => place === one || place?.startsWith(`${one}/`)),
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
  readonly places: readonly string[];
}

/** A JSON Schema, as `/openapi.json` has it. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly minProperties?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

type Schemas = Readonly<Record<string, Schema>>;

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Schema }>> };
}

/**
 * Requests with one value that the schema of the body forbids.
 *
 * @throws Error if the valid bodies lack a member of a schema
 */
async function listForbidden(fetch: Fetch, good: readonly Sent[]): Promise<Forbidden[]> {
  const described = await (await fetch("http://localhost/openapi.json")).json();
  const { paths, components } = described as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    readonly components: { readonly schemas: Schemas };
  };
  const follow = ({ $ref, ...schema }: Schema): Schema =>
    $ref === undefined ? schema : follow(components.schemas[titleOf($ref)]!);
  const { schemas } = components;
  const members = new Set<string>();
  const met = new Set<string>();
  const forbidden = Object.entries(paths).flatMap(([template, methods]) =>
    Object.entries(methods).flatMap(([name, { operationId, requestBody }]): Forbidden[] => {
      const schema = requestBody?.content["application/json"]?.schema;
      if (schema === undefined) return [];
      const method = name.toUpperCase();
      const pattern = new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/?]+")}$`);
      const own = good.filter(
        (sent) => sent.method === method && pattern.test(sent.path.split("?")[0]!),
      );
      listMembers(schema, operationId, schemas, members);
      for (const { body } of own) noteMembers(schema, body, operationId, schemas, met);
      return own.flatMap(({ path, body }) =>
        spoil(follow, schema, body, "").map(({ at, places, value }) => ({
          operation: operationId,
          method,
          path,
          body: put(body, at.slice(1).split("/"), value),
          at,
          places,
        })),
      );
    }),
  );
  const missing = [...members].filter((member) => !met.has(member));
  if (missing.length > 0) throw new Error(`no good body has ${missing.join(", ")}`);
  return forbidden;
}

/** Lists the members of a schema and its references; those are named by their titles. */
function listMembers(schema: Schema, key: string, schemas: Schemas, found: Set<string>): void {
  const { $ref, properties = {}, items, additionalProperties: more, oneOf, anyOf = oneOf } = schema;
  if ($ref !== undefined) {
    const title = titleOf($ref);
    if (!found.has(title)) listMembers(schemas[title]!, title, schemas, found.add(title));
    return;
  }
  found.add(key);
  const inner: [Schema, string][] = Object.entries(properties).map(([name, each]) => [each, name]);
  if (items !== undefined) inner.push([items, "0"]);
  if (typeof more === "object") inner.push([more, "*"]);
  for (const [each, name] of inner) listMembers(each, `${key}/${name}`, schemas, found);
  for (const [i, each] of (anyOf ?? []).entries()) {
    listMembers(each, `${key}|${i}`, schemas, found);
  }
}

/** Lists the members of a schema that a value has. */
function noteMembers(
  schema: Schema,
  value: unknown,
  key: string,
  schemas: Schemas,
  found: Set<string>,
): void {
  const { $ref, properties = {}, items, additionalProperties: more, oneOf, anyOf = oneOf } = schema;
  const note = (each: Schema, inner: unknown, name: string): void =>
    noteMembers(each, inner, `${key}${name}`, schemas, found);
  if ($ref !== undefined) {
    const title = titleOf($ref);
    found.add(title);
    noteMembers(schemas[title]!, value, title, schemas, found);
    return;
  }
  found.add(key);
  const entries = isObject(value) ? Object.entries(value) : [];
  for (const [name, inner] of entries) {
    if (properties[name] !== undefined) note(properties[name], inner, `/${name}`);
    else if (typeof more === "object") note(more, inner, "/*");
  }
  if (items !== undefined && Array.isArray(value)) {
    for (const inner of value) note(items, inner, "/0");
  }
  for (const [i, each] of (anyOf ?? []).entries()) {
    const followed = each.$ref === undefined ? each : schemas[titleOf(each.$ref)]!;
    if (isLike(followed, value)) note(each, value, `|${i}`);
  }
}

function titleOf($ref: string): string {
  return $ref.split("/").at(-1)!;
}

/** Whether a value has the type and the required members of a schema. */
function isLike({ type, required = [] }: Schema, value: unknown): boolean {
  const isKind = type === undefined || [type].flat().includes(kindOf(value));
  return isKind && (!isObject(value) || required.every((key) => key in value));
}

interface Spoilt extends Pick<Forbidden, "at" | "places"> {
  readonly value: unknown;
}

const MISSING = Symbol("missing");

function spoil(
  follow: (schema: Schema) => Schema,
  given: Schema,
  good: unknown,
  at: string,
): Spoilt[] {
  const schema = follow(given);
  const { type, properties = {}, required = [], items, anyOf = schema.oneOf } = schema;
  const bad = (...values: unknown[]): Spoilt[] =>
    values.map((value) => ({ at, value, places: [at] }));
  if (anyOf !== undefined) {
    const branches = anyOf.filter((one) => isLike(follow(one), good));
    const inner = branches.flatMap((one) => spoil(follow, one, good, at));
    // A value of another alternative's type is allowed.
    const kinds = anyOf.map((one) => follow(one).type);
    return inner
      .filter((each) => each.at !== at || !kinds.includes(kindOf(each.value)))
      .map((each) =>
        // Without a required member no alternative matches.
        each.value === MISSING &&
        each.at.startsWith(`${at}/`) &&
        !each.at.slice(at.length + 1).includes("/")
          ? { ...each, places: [each.at, at] }
          : each,
      );
  }
  if (schema.const !== undefined || schema.enum !== undefined) return bad("nope", 77);
  switch ([type].flat()[0]) {
    case "string": {
      const { minLength = 0, maxLength } = schema;
      const long = maxLength === undefined ? [] : ["x".repeat(maxLength + 1)];
      return bad(5, ["a"], ...(minLength > 0 ? [""] : []), ...long);
    }
    case "integer":
    case "number": {
      const { minimum, maximum } = schema;
      return bad(
        "1",
        ...(type === "integer" ? [0.5] : []),
        ...(minimum === undefined ? [] : [minimum - 1]),
        ...(maximum === undefined ? [] : [maximum + 1]),
      );
    }
    case "boolean":
      return bad("true", 1);
    case "array": {
      const members: readonly unknown[] = Array.isArray(good) ? good : [];
      return [
        ...bad(5, { a: 1 }, ...(schema.minItems ? [[]] : [])),
        ...(items === undefined
          ? []
          : members.flatMap((member, i) => spoil(follow, items, member, `${at}/${i}`))),
      ];
    }
    case "object": {
      const known = isObject(good) ? good : {};
      const more = schema.additionalProperties;
      const keys = Object.keys(properties).filter((key) => key in known);
      return [
        ...(at === "" ? [] : bad(5, "a")),
        // Two keys are refused at the object.
        ...(more === false
          ? [
              {
                at: `${at}/nope`,
                value: 1,
                places: [`${at}/nope`, ...(schema.minProperties ? [at] : [])],
              },
            ]
          : []),
        ...required.map((key) => ({
          at: `${at}/${key}`,
          value: MISSING,
          places: [`${at}/${key}`],
        })),
        ...keys.flatMap((key) => spoil(follow, properties[key] ?? {}, known[key], `${at}/${key}`)),
        ...(typeof more === "object"
          ? Object.keys(known).flatMap((key) => spoil(follow, more, known[key], `${at}/${key}`))
          : []),
      ];
    }
    default:
      return [];
  }
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  return typeof value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A copy with another value at a path, which is created if missing. */
function put(whole: unknown, [key = "", ...rest]: readonly string[], value: unknown): unknown {
  const isIndex = /^\d+$/.test(key);
  const inner = (whole as Record<string, unknown> | undefined)?.[key];
  const next = rest.length === 0 ? value : put(inner, rest, value);
  if (isIndex && (Array.isArray(whole) || !isObject(whole))) {
    return Object.assign([...((whole as unknown[]) ?? [])], { [key]: next });
  }
  const { [key]: _, ...others } = isObject(whole) ? whole : {};
  return next === MISSING ? others : { ...others, [key]: next };
}
