import type { Draft } from "immer";
import { readBranchMetadata } from "../catalog/branches.js";
import type { CatalogDraft } from "../catalog/draft.js";
import { checkName, type NamedKind } from "../catalog/names.js";
import type {
  BranchState,
  DatabaseState,
  InviteState,
  KeyState,
  MigrationRequestState,
  MigrationState,
  Role,
  UserState,
  WorkspaceState,
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

export type Address = readonly string[];

export type KindName =
  | "user"
  | "key"
  | "deletedKey"
  | "workspace"
  | "member"
  | "invite"
  | "database"
  | "gitBranch"
  | "branch"
  | "table";

interface Kind {
  /** The path of map properties from the catalog down: one per name of an address. */
  readonly path: readonly string[];
  readonly codec: Codec<unknown>;
  readonly below?: readonly KindName[];
  /** Array properties; each member has its own line. */
  readonly lists?: readonly ("history" | "migrationRequests")[];
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

export const KINDS: Readonly<Record<KindName, Kind>> = {
  user: {
    path: ["users"],
    codec: fields<UserState>({
      email: EMAIL,
      fullname: text(1, 255, "U-2"),
      image: text(0, 2048, "U-2"),
    }),
    checkName: (id) => /^usr_\d+$/.test(id) || refusePart("user", "the id of a user", id),
  },
  key: {
    path: ["keys"],
    codec: fields<KeyState>({
      userId: TEXT,
      name: nameOf("key"),
      createdAt: INSTANT,
      openOnly: optional(BOOLEAN),
    }),
  },
  deletedKey: { path: ["deletedKeys"], codec: plain(() => true) },
  workspace: {
    path: ["workspaces"],
    codec: fields<Pick<WorkspaceState, "name" | "slug" | "settings">>({
      name: text(1, 255, "E-3"),
      slug: nameOf("workspace"),
      settings: OBJECT,
    }),
    below: ["member", "invite", "database"],
    checkName: (id) => checkName("workspace", id),
  },
  member: { path: ["workspaces", "members"], codec: ROLE },
  invite: {
    path: ["workspaces", "invites"],
    codec: fields<InviteState>({ key: TEXT, email: EMAIL, role: ROLE, expires: INSTANT }),
  },
  database: {
    path: ["workspaces", "databases"],
    codec: fields<Pick<DatabaseState, "region" | "createdAt" | "color" | "settings">>({
      region: text(1, 255, "D-1"),
      createdAt: INSTANT,
      color: COLOR,
      settings: OBJECT,
    }),
    below: ["branch", "gitBranch"],
    lists: ["migrationRequests"],
    checkName: (name) => checkName("database", name),
  },
  gitBranch: { path: ["workspaces", "databases", "branchesByGitBranch"], codec: TEXT },
  branch: {
    path: ["workspaces", "databases", "branches"],
    codec: fields<Pick<BranchState, "createdAt" | "metadata">>({
      createdAt: INSTANT,
      metadata: plain((value) => readBranchMetadata(value, "")),
    }),
    below: ["table"],
    lists: ["history"],
    checkName: (name) => checkName("branch", name),
  },
  table: {
    path: ["workspaces", "databases", "branches", "tables"],
    codec: COUNT,
    checkName: (name) => checkName("table", name),
  },
};

interface NamedEntity {
  readonly kind: Kind;
  readonly entries: Map<string, unknown>;
  readonly name: string;
}

export function findEntity(catalog: CatalogDraft, name: unknown, given: unknown): NamedEntity {
  const isKnown = typeof name === "string" && Object.hasOwn(KINDS, name);
  if (!isKnown) refusePart("line", "a kind of entity", name);
  const kind = KINDS[name as KindName]; // a known key
  const address = readAddress(given, kind.path.length);
  return { kind, entries: entriesAt(catalog, kind, address), name: address.at(-1)! };
}

export function readAddress(value: unknown, depth: number): Address {
  const names = requireList(value, "address").map((name) => requireText(name, "address"));
  return names.length === depth ? names : refusePart("address", `${depth} names`, value);
}

type Node = Readonly<Record<string, Map<string, unknown>>>;

function entriesAt(catalog: CatalogDraft, { path }: Kind, address: Address): Map<string, unknown> {
  let node = catalog as unknown as Node; // only map properties are read
  for (const [index, property] of path.slice(0, -1).entries()) {
    const name = address[index]!; // addresses have one name per property
    node = (node[property]!.get(name) ??
      refusePart("address", `one of its ${property}`, name)) as Node;
  }
  return node[path.at(-1)!]!;
}

export function entityAt(catalog: CatalogDraft, kind: KindName, address: Address): unknown {
  return entriesAt(catalog, KINDS[kind], address).get(address.at(-1)!);
}

/** Adds an entity, or updates its own fields. */
export function setEntity({ kind, entries, name }: NamedEntity, value: unknown): void {
  const { codec, below = [], lists = [] } = kind;
  kind.checkName?.(name);
  const own = codec.decode(value, name);
  const known = entries.get(name);
  if (below.length === 0) entries.set(name, own);
  else if (known !== undefined)
    Object.assign(known as object, own); // entities of a kind with fields are objects
  else {
    const maps = below.map((child) => [propertyOf(child), new Map()]);
    const arrays = lists.map((property) => [property, []]);
    entries.set(name, Object.assign(Object.fromEntries([...maps, ...arrays]), own));
  }
}

/** Returns the property of the parent that contains entities of a kind. */
export function propertyOf(kind: KindName): string {
  return KINDS[kind].path.at(-1)!;
}

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

export function databaseAt(catalog: CatalogDraft, address: Address): Draft<DatabaseState> {
  const found =
    entityAt(catalog, "database", address) ?? refusePart("address", "a database", address);
  return found as Draft<DatabaseState>; // the kind determines the type
}

export function branchAt(catalog: CatalogDraft, address: Address): Draft<BranchState> {
  const found = entityAt(catalog, "branch", address) ?? refusePart("address", "a branch", address);
  return found as Draft<BranchState>; // the kind determines the type
}
