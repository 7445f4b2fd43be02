import { readBranchMetadata } from "../catalog/branches.js";
import {
  type CatalogEvent,
  created,
  deleted,
  type Entities,
  type EntityKind,
  entityAt,
  KINDS,
  type Names,
  parentOf,
} from "../catalog/events.js";
import { EMAIL, ROLE } from "../catalog/invites.js";
import { checkName, type NamedKind, nameOf } from "../catalog/names.js";
import type { CatalogState, MigrationRequestState, MigrationState } from "../catalog/state.js";
import type { SchemaEdit } from "../schema/compare-columns.js";
import { type JsonObject, readJsonObject, readStrings } from "../shape/fields.js";
import { readBySchema } from "../shape/read.js";
import * as s from "../shape/schema.js";
import { formatInstant, type Instant } from "../value/datetime.js";
import { refusePart, requireInstant } from "./require.js";

const INSTANT: s.Schema<Instant> = s.mapped(s.TEXT, (time) => requireInstant(time, "time"));
const OBJECT: s.Schema<JsonObject> = s.mapped(s.ANY_OBJECT, readJsonObject);

const SHAPES: { readonly [K in EntityKind]: s.Schema<Entities[K]> } = {
  user: s.objectOf({ email: EMAIL, fullname: s.textOf(1, 255), image: s.textOf(0, 2048) }),
  key: s.objectOf(
    { userId: s.TEXT, name: nameOf("key"), createdAt: INSTANT },
    { openOnly: s.FLAG },
  ),
  deletedKey: { const: true },
  workspace: s.objectOf({ name: s.textOf(1, 255), slug: nameOf("workspace"), settings: OBJECT }),
  member: ROLE,
  invite: s.objectOf({ key: s.TEXT, email: EMAIL, role: ROLE, expires: INSTANT }),
  database: s.objectOf(
    { region: s.textOf(1, 255), createdAt: INSTANT, settings: OBJECT },
    { color: s.textOf(1, 32) },
  ),
  gitBranch: s.TEXT,
  branch: s.objectOf(
    {
      createdAt: INSTANT,
      metadata: s.mapped(s.ANY_OBJECT, (metadata) => readBranchMetadata(metadata, "")),
    },
    { startedFrom: s.objectOf({ branch: s.TEXT, migrations: s.wholeOf(0) }) },
  ),
  table: s.wholeOf(0),
};

const OPERATION = s.mapped(OBJECT, (value) => {
  const [name = "", ...others] = Object.keys(value);
  if (!/^(?:(?:add|remove|rename)(?:Table|Column)|alterColumn)$/.test(name) || others.length > 0) {
    refusePart("operation", "one step of a schema", name);
  }
  return value as unknown as SchemaEdit; // validated when applied
});

export const MIGRATION: s.Schema<MigrationState> = s.objectOf(
  { createdAt: INSTANT, operations: s.arrayOf(OPERATION) },
  {
    given: s.objectOf({ id: s.TEXT, checksum: s.TEXT }),
    title: s.TEXT,
    message: s.TEXT,
    merged: s.arrayOf(s.TEXT),
  },
);

export const REQUEST: s.Schema<MigrationRequestState> = s.objectOf(
  {
    source: s.TEXT,
    target: s.TEXT,
    title: s.TEXT,
    body: s.TEXT,
    status: s.oneOf(["open", "closed", "merged"]),
    createdAt: INSTANT,
    modifiedAt: INSTANT,
  },
  { closedAt: INSTANT, mergedAt: INSTANT, migration: s.TEXT },
);

/** Encodes a value of a shape: only the properties of the shape, times as text. */
export function encode<T>({ properties }: s.Schema<T>, value: T): unknown {
  if (properties === undefined) return value;
  const members = Object.entries(properties).map(([key, shape]) => {
    const member = value[key as keyof T] as unknown;
    if (shape !== INSTANT || member === undefined) return [key, member];
    const { ms, micros } = member as Instant; // by its shape
    return [key, formatInstant(ms, micros)];
  });
  return Object.fromEntries(members);
}

/** Reads a `set`, `delete` or `rename`. Requires what the entity is in. */
export function decodeEntityEvent(
  catalog: CatalogState,
  [tag, kind, address, third]: readonly unknown[],
): CatalogEvent {
  const isKnown = typeof kind === "string" && Object.hasOwn(SHAPES, kind);
  const entity = isKnown ? (kind as EntityKind) : refusePart("line", "a kind of entity", kind); // a known key
  const at = readAddress(address, KINDS[entity].path.length);
  if (parentOf(catalog, entity, at) === undefined) refusePart("address", "existing names", at);
  if (tag === "set") {
    requireName(entity, at.at(-1)!);
    return created(entity, at, decodeEntity(entity, third));
  }
  if (entityAt(catalog, entity, at) === undefined) refusePart("address", "an existing name", at);
  if (tag === "delete") return deleted(entity, ...at);
  const to = typeof third === "string" ? third : refusePart("name", "a string", third);
  if (entityAt(catalog, entity, [...at.slice(0, -1), to]) !== undefined) {
    refusePart("rename", "an unused name", to);
  }
  return { kind: "renamed", entity, at, to };
}

function requireName(kind: EntityKind, name: string): void {
  if (kind === "user" && !/^usr_\d+$/.test(name)) refusePart("user", "the id of a user", name);
  if (NAMED.some((named) => named === kind)) checkName(kind as NamedKind, name);
}

const NAMED: readonly string[] = ["workspace", "database", "branch", "table"];

export function decodeEntity<K extends EntityKind>(kind: K, json: unknown): Entities[K] {
  const { color } = Object(json) as { readonly color?: unknown };
  // Earlier checkouts wrote null for a database without a color.
  const isColorless = kind === "database" && color === null;
  const fields = isColorless ? { ...(json as object), color: undefined } : json;
  return readBySchema<Entities[K]>(SHAPES[kind], fields);
}

export function encodeEntity(kind: EntityKind, value: unknown): unknown {
  return encode(SHAPES[kind] as s.Schema, value); // the value fits its kind
}

export function readAddress(value: unknown, depth: number): Names {
  const names = readStrings(value, { what: "address", rule: "E-3" });
  return names.length === depth ? names : refusePart("address", `${depth} names`, value);
}
