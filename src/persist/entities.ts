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
import { checkName, type NamedKind } from "../catalog/names.js";
import type {
  CatalogState,
  MigrationRequestState,
  MigrationState,
  Role,
} from "../catalog/state.js";
import type { SchemaEdit } from "../schema/compare-columns.js";
import {
  BOOLEAN,
  COUNT,
  type Codec,
  EMAIL,
  fields,
  INSTANT,
  listOf,
  OBJECT,
  oneOf,
  optional,
  plain,
  refusePart,
  requireFields,
  requireList,
  requireText,
  TEXT,
  text,
} from "./codec.js";

interface EntityCodec<T> {
  readonly codec: Codec<T>;
  readonly checkName?: (name: string) => void;
}

function nameOf(named: NamedKind): Codec<string> {
  return plain((name) => {
    checkName(named, name);
    return name;
  });
}

const COLOR_TEXT: Codec<string> = text(1, 32, "D-3");
const COLOR: Codec<string | undefined> = {
  encode: (color) => color ?? null,
  decode: (json, what) => (json === null ? undefined : COLOR_TEXT.decode(json, what)),
};
const ROLE: Codec<Role> = oneOf("owner", "maintainer");

const CODECS: { readonly [K in EntityKind]: EntityCodec<Entities[K]> } = {
  user: {
    codec: fields<Entities["user"]>({
      email: EMAIL,
      fullname: text(1, 255, "U-2"),
      image: text(0, 2048, "U-2"),
    }),
    checkName: (id) => /^usr_\d+$/.test(id) || refusePart("user", "the id of a user", id),
  },
  key: {
    codec: fields<Entities["key"]>({
      userId: TEXT,
      name: nameOf("key"),
      createdAt: INSTANT,
      openOnly: optional(BOOLEAN),
    }),
  },
  deletedKey: { codec: plain(() => true) },
  workspace: {
    codec: fields<Entities["workspace"]>({
      name: text(1, 255, "E-3"),
      slug: nameOf("workspace"),
      settings: OBJECT,
    }),
    checkName: (id) => checkName("workspace", id),
  },
  member: { codec: ROLE },
  invite: {
    codec: fields<Entities["invite"]>({ key: TEXT, email: EMAIL, role: ROLE, expires: INSTANT }),
  },
  database: {
    codec: fields<Entities["database"]>({
      region: text(1, 255, "D-1"),
      createdAt: INSTANT,
      color: COLOR,
      settings: OBJECT,
    }),
    checkName: (name) => checkName("database", name),
  },
  gitBranch: { codec: TEXT },
  branch: {
    codec: fields<Entities["branch"]>({
      createdAt: INSTANT,
      metadata: plain((value) => readBranchMetadata(value, "")),
    }),
    checkName: (name) => checkName("branch", name),
  },
  table: {
    codec: COUNT,
    checkName: (name) => checkName("table", name),
  },
};

const OPERATION: Codec<SchemaEdit> = plain((value) => {
  const [name = "", ...others] = Object.keys(requireFields(value, "operation"));
  if (!/^(?:add|remove|rename)(?:Table|Column)$/.test(name) || others.length > 0) {
    refusePart("operation", "one step of a schema", name);
  }
  return OBJECT.decode(value, "operation") as unknown as SchemaEdit; // validated when applied
});

export const MIGRATION: Codec<MigrationState> = fields<MigrationState>({
  createdAt: INSTANT,
  operations: listOf(OPERATION),
  given: optional(fields<{ id: string; checksum: string }>({ id: TEXT, checksum: TEXT })),
  title: optional(TEXT),
  message: optional(TEXT),
  merged: optional(listOf(TEXT)),
});

export const REQUEST: Codec<MigrationRequestState> = fields<MigrationRequestState>({
  source: TEXT,
  target: TEXT,
  title: TEXT,
  body: TEXT,
  status: oneOf("open", "closed", "merged"),
  createdAt: INSTANT,
  modifiedAt: INSTANT,
  closedAt: optional(INSTANT),
  mergedAt: optional(INSTANT),
  migration: optional(TEXT),
});

/** Reads a `set`, `delete` or `rename`. Requires what the entity is in. */
export function decodeEntityEvent(
  catalog: CatalogState,
  [tag, kind, address, third]: readonly unknown[],
): CatalogEvent {
  const isKnown = typeof kind === "string" && Object.hasOwn(CODECS, kind);
  const entity = isKnown ? (kind as EntityKind) : refusePart("line", "a kind of entity", kind); // a known key
  const at = readAddress(address, KINDS[entity].path.length);
  if (parentOf(catalog, entity, at) === undefined) refusePart("address", "existing names", at);
  if (tag === "set") {
    CODECS[entity].checkName?.(at.at(-1)!);
    return created(entity, at, decodeEntity(entity, at.at(-1)!, third));
  }
  if (entityAt(catalog, entity, at) === undefined) refusePart("address", "an existing name", at);
  if (tag === "delete") return deleted(entity, ...at);
  const to = requireText(third, "name");
  if (entityAt(catalog, entity, [...at.slice(0, -1), to]) !== undefined) {
    refusePart("rename", "an unused name", to);
  }
  return { kind: "renamed", entity, at, to };
}

export function decodeEntity<K extends EntityKind>(
  kind: K,
  name: string,
  json: unknown,
): Entities[K] {
  return CODECS[kind].codec.decode(json, name) as Entities[K]; // the codec of its kind
}

export function encodeEntity(kind: EntityKind, value: unknown): unknown {
  return (CODECS[kind].codec as Codec<unknown>).encode(value); // the value fits its kind
}

export function readAddress(value: unknown, depth: number): Names {
  const names = requireList(value, "address").map((name) => requireText(name, "address"));
  return names.length === depth ? names : refusePart("address", `${depth} names`, value);
}
