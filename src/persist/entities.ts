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

/** Names from the workspace down. */
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

type Entries = Pick<Map<string, unknown>, "get" | "set" | "delete">;

interface Kind {
  /** Length of an address. */
  readonly depth: number;
  /** Excludes the entities below. */
  readonly codec: Codec<unknown>;
  /** Keyed by the last name of an address. */
  readonly entriesAt: (catalog: CatalogDraft, address: Address) => Entries;
  /** Empty containers of a new entity. */
  readonly below?: () => object;
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
    depth: 1,
    codec: fields<UserState>({
      email: EMAIL,
      fullname: text(1, 255, "U-2"),
      image: text(0, 2048, "U-2"),
    }),
    entriesAt: ({ users }) => users,
    checkName: (id) => /^usr_\d+$/.test(id) || refusePart("user", "the id of a user", id),
  },
  key: {
    depth: 1,
    codec: fields<KeyState>({
      userId: TEXT,
      name: nameOf("key"),
      createdAt: INSTANT,
      openOnly: optional(BOOLEAN),
    }),
    entriesAt: ({ keys }) => keys,
  },
  deletedKey: {
    depth: 1,
    codec: plain(() => true),
    entriesAt: ({ deletedKeys }) => ({
      get: (key) => deletedKeys.has(key) || undefined,
      set: (key) => deletedKeys.add(key) as never, // what it returns is not used
      delete: (key) => deletedKeys.delete(key),
    }),
  },
  workspace: {
    depth: 1,
    codec: fields<Pick<WorkspaceState, "name" | "slug" | "settings">>({
      name: text(1, 255, "E-3"),
      slug: nameOf("workspace"),
      settings: OBJECT,
    }),
    entriesAt: ({ workspaces }) => workspaces,
    below: () => ({ databases: new Map(), members: new Map(), invites: new Map() }),
    checkName: (id) => checkName("workspace", id),
  },
  member: {
    depth: 2,
    codec: ROLE,
    entriesAt: (catalog, address) => workspaceAt(catalog, address).members,
  },
  invite: {
    depth: 2,
    codec: fields<InviteState>({ key: TEXT, email: EMAIL, role: ROLE, expires: INSTANT }),
    entriesAt: (catalog, address) => workspaceAt(catalog, address).invites,
  },
  database: {
    depth: 2,
    codec: fields<Pick<DatabaseState, "region" | "createdAt" | "color" | "settings">>({
      region: text(1, 255, "D-1"),
      createdAt: INSTANT,
      color: COLOR,
      settings: OBJECT,
    }),
    entriesAt: (catalog, address) => workspaceAt(catalog, address).databases,
    below: () => ({
      branches: new Map(),
      branchesByGitBranch: new Map(),
      migrationRequests: [],
    }),
    checkName: (name) => checkName("database", name),
  },
  gitBranch: {
    depth: 3,
    codec: TEXT,
    entriesAt: (catalog, address) => databaseAt(catalog, address).branchesByGitBranch,
  },
  branch: {
    depth: 3,
    codec: fields<Pick<BranchState, "createdAt" | "metadata">>({
      createdAt: INSTANT,
      metadata: plain((value) => readBranchMetadata(value, "")),
    }),
    entriesAt: (catalog, address) => databaseAt(catalog, address).branches,
    below: () => ({ history: [], tables: new Map() }),
    checkName: (name) => checkName("branch", name),
  },
  table: {
    depth: 4,
    codec: COUNT,
    entriesAt: (catalog, address) => branchAt(catalog, address).tables,
    checkName: (name) => checkName("table", name),
  },
};

interface NamedEntity {
  readonly kind: Kind;
  readonly entries: Entries;
  readonly name: string;
}

export function findEntity(catalog: CatalogDraft, name: unknown, given: unknown): NamedEntity {
  const isKnown = typeof name === "string" && Object.hasOwn(KINDS, name);
  if (!isKnown) refusePart("line", "a kind of entity", name);
  const kind = KINDS[name as KindName]; // as one of its keys
  const address = readAddress(given, kind.depth);
  return { kind, entries: kind.entriesAt(catalog, address), name: address.at(-1)! };
}

export function readAddress(value: unknown, depth: number): Address {
  const names = requireList(value, "address").map((name) => requireText(name, "address"));
  return names.length === depth ? names : refusePart("address", `${depth} names`, value);
}

/** Adds an entity, or updates its own fields. */
export function setEntity({ kind, entries, name }: NamedEntity, value: unknown): void {
  kind.checkName?.(name);
  const own = kind.codec.decode(value, name);
  const known = entries.get(name);
  if (kind.below === undefined) entries.set(name, own);
  else if (known === undefined) entries.set(name, Object.assign(kind.below(), own));
  else Object.assign(known as object, own); // what has others below it is one
}

const OPERATION: Codec<SchemaEdit> = plain((value) => {
  const [name = "", ...others] = Object.keys(requireFields(value, "operation"));
  if (!/^(?:add|remove|rename)(?:Table|Column)$/.test(name) || others.length > 0) {
    refusePart("operation", "one step of a schema", name);
  }
  return OBJECT.decode(value, "operation") as unknown as SchemaEdit; // applied again, it is checked
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

function workspaceAt({ workspaces }: CatalogDraft, [name = ""]: Address): Draft<WorkspaceState> {
  return workspaces.get(name) ?? refusePart("address", "a workspace", name);
}

export function databaseAt(catalog: CatalogDraft, address: Address): Draft<DatabaseState> {
  const [, name = ""] = address;
  const { databases } = workspaceAt(catalog, address);
  return databases.get(name) ?? refusePart("address", "a database", name);
}

export function branchAt(catalog: CatalogDraft, address: Address): Draft<BranchState> {
  const [, , name = ""] = address;
  const { branches } = databaseAt(catalog, address);
  return branches.get(name) ?? refusePart("address", "a branch", name);
}
