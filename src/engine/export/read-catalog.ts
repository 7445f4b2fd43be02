import { readBranchMetadata } from "../../catalog/branches.js";
import { createCatalog } from "../../catalog/empty.js";
import { readRole } from "../../catalog/members.js";
import { checkName } from "../../catalog/names.js";
import type {
  BranchState,
  CatalogState,
  DatabaseState,
  InviteState,
  KeyState,
  MigrationRequestState,
  MigrationState,
  Role,
  TableCell,
  UserState,
  WorkspaceState,
} from "../../catalog/state.js";
import { BUILT_IN_USER_ID } from "../../catalog/users.js";
import { refuse } from "../../errors.js";
import type { ProfileName } from "../../profile.js";
import { readJsonObject, readString, readStrings } from "../../value/fields.js";
import { SharedMap } from "../../value/shared-map.js";
import { isEmail } from "../../value/text.js";
import { beginHistory, readMigration, readRequest } from "./read-history.js";
import {
  refusePart,
  requireCount,
  requireFields,
  requireInstant,
  requireList,
  requireText,
} from "./values.js";

/** A branch of which the tables are yet to come. */
interface PendingBranch extends Omit<BranchState, "tables" | "history"> {
  /** Absent in version 1. */
  readonly history: readonly MigrationState[] | undefined;
  readonly tables: ReadonlyMap<string, number>;
}

interface PendingDatabase extends Omit<DatabaseState, "branches" | "migrationRequests"> {
  readonly migrationRequests: MigrationRequestState[];
  readonly branches: Map<string, PendingBranch>;
}

interface PendingWorkspace extends Omit<WorkspaceState, "databases"> {
  readonly databases: Map<string, PendingDatabase>;
}

/** What of a catalog the header of an export holds. */
export type Counters = Pick<CatalogState, "usersMade" | "secretsMade" | "deletedKeys">;

/** Of keys in an export that does not say when they were made. */
const FIRST_TIME = "1970-01-01T00:00:00Z";

/** Puts a catalog together from the lines of an export, each checked as if it had been asked for. */
export class CatalogReader {
  readonly #users: Map<string, UserState> = new Map();
  readonly #keys: Map<string, KeyState> = new Map();
  readonly #workspaces: Map<string, PendingWorkspace> = new Map();
  #workspace: PendingWorkspace | undefined;
  #database: PendingDatabase | undefined;
  readonly #tables: string[] = [];
  readonly #migrations: MigrationState[] = [];

  /** The tables that the branches read so far have between them, each by its first name. */
  get tables(): readonly string[] {
    return this.#tables;
  }

  readUser(id: unknown, details: unknown, keys: unknown): void {
    if (typeof id !== "string" || !/^usr_\d+$/.test(id) || this.#users.has(id)) {
      refusePart("user", "a new id", id);
    }
    const { email, fullname, image } = requireFields(details, "user");
    if (typeof email !== "string" || !isEmail(email)) refusePart("email", "an address", email);
    this.#users.set(id, {
      email,
      fullname: readString(fullname, 1, 255, { what: "fullname", rule: "U-2" }),
      image: readString(image, 0, 2048, { what: "image", rule: "U-2" }),
    });
    for (const [index, entry] of requireList(keys, "keys").entries())
      this.#readKey(id, entry, index);
  }

  /** A key with its name, or as version 1 has it: alone, named as one given at the start is. */
  #readKey(userId: string, entry: unknown, index: number): void {
    const number = index === 0 ? "" : `-${index + 1}`;
    const given = typeof entry === "string" ? [entry, `default${number}`, FIRST_TIME] : entry;
    const [key, name, createdAt] = requireList(given, "keys");
    checkName("key", name);
    if (typeof key !== "string" || this.#keys.has(key)) {
      refusePart("keys", "keys of one user only", key);
    }
    this.#keys.set(key, { userId, name, createdAt: requireInstant(createdAt, "keys") });
  }

  readWorkspace(id: unknown, details: unknown): void {
    checkName("workspace", id);
    if (this.#workspaces.has(id)) refusePart("workspace", "a new id", id);
    const {
      name,
      slug = id,
      members,
      invites = [],
      settings,
    } = requireFields(details, "workspace");
    checkName("workspace", slug);
    const place = { what: "settings", rule: "X-5" };
    this.#workspace = {
      name: readString(name, 1, 255, { what: "workspace name", rule: "E-3" }),
      slug,
      members: SharedMap.of(requireList(members, "members").map(readMember)),
      invites: SharedMap.of(requireList(invites, "invites").map(readInvite)),
      settings: readJsonObject(settings, place),
      databases: new Map(),
    };
    for (const member of this.#workspace.members.keys()) {
      if (!this.#users.has(member)) refusePart("members", "ids of users", member);
    }
    this.#database = undefined;
    this.#workspaces.set(id, this.#workspace);
  }

  readDatabase(name: unknown, details: unknown): void {
    checkName("database", name);
    if (this.#workspace === undefined || this.#workspace.databases.has(name)) {
      refusePart("database", "a new name in a workspace", name);
    }
    const fields = requireFields(details, "database");
    // Where requests have no lines of their own, they are here.
    const { region, createdAt, color, gitBranches, migrationRequests = [], settings } = fields;
    const mappings = requireList(gitBranches, "gitBranches").map((mapping) => {
      const [gitBranch, branch] = readStrings(mapping, { what: "gitBranches", rule: "B-2" });
      return [gitBranch ?? "", branch ?? ""] as const;
    });
    this.#database = {
      region: readString(region, 1, 255, { what: "region", rule: "D-1" }),
      createdAt: requireInstant(createdAt, "createdAt"),
      color: color === null ? undefined : readString(color, 1, 32, { what: "color", rule: "D-3" }),
      branchesByGitBranch: SharedMap.of(mappings),
      migrationRequests: requireList(migrationRequests, "migrationRequests").map(readRequest),
      settings: readJsonObject(settings, { what: "settings", rule: "X-5" }),
      branches: new Map(),
    };
    this.#workspace.databases.set(name, this.#database);
  }

  readRequest(details: unknown): void {
    if (this.#database === undefined) refuse("invalid_request", "a request without a database");
    this.#database.migrationRequests.push(readRequest(details));
  }

  readMigration(number: unknown, details: unknown): void {
    if (number !== this.#migrations.length) {
      refusePart("migration", `number ${this.#migrations.length}`, number);
    }
    this.#migrations.push(readMigration(details));
  }

  readBranch(name: unknown, details: unknown): void {
    checkName("branch", name);
    if (this.#database === undefined || this.#database.branches.has(name)) {
      refusePart("branch", "a new name in a database", name);
    }
    const { createdAt, metadata, history, tables } = requireFields(details, "branch");
    const numbers = new Map<string, number>();
    for (const entry of requireList(tables, "tables")) {
      const [table, given] = requireList(entry, "tables");
      checkName("table", table);
      const number = requireCount(given, "tables");
      if (numbers.has(table) || number > this.#tables.length) {
        refusePart("tables", "tables of different names, numbered as they come", entry);
      }
      numbers.set(table, number);
      this.#tables[number] ??= table;
    }
    this.#database.branches.set(name, {
      createdAt: requireInstant(createdAt, "createdAt"),
      metadata: readBranchMetadata(metadata, ""),
      history: history === undefined ? undefined : this.#readHistory(history),
      tables: numbers,
    });
  }

  #readHistory(numbers: unknown): readonly MigrationState[] {
    return requireList(numbers, "history").map((number) => {
      const migration = this.#migrations[requireCount(number, "history")];
      return migration ?? refusePart("history", "numbers of migrations before it", number);
    });
  }

  /** The catalog, with the tables by their numbers. */
  build(base: ProfileName, counters: Counters, cells: readonly TableCell[]): CatalogState {
    if (!this.#users.has(BUILT_IN_USER_ID)) refuse("invalid_request", "no built-in user");
    const workspaces = mapValues(this.#workspaces, (workspace) => ({
      ...workspace,
      databases: mapValues(workspace.databases, (database) => buildDatabase(database, cells)),
    }));
    return {
      ...createCatalog(base),
      workspaces,
      users: SharedMap.of(this.#users),
      keys: SharedMap.of(this.#keys),
      ...counters,
    };
  }
}

function readMember(entry: unknown): [string, Role] {
  const [userId, role] = requireList(
    typeof entry === "string" ? [entry, "owner"] : entry,
    "members",
  );
  return [requireText(userId, "members"), readRole(role, "")];
}

function readInvite(entry: unknown): [string, InviteState] {
  const [id, key, email, role, expires] = requireList(entry, "invites");
  if (typeof email !== "string" || !isEmail(email)) refusePart("email", "an address", email);
  return [
    requireText(id, "invites"),
    {
      key: requireText(key, "invites"),
      email,
      role: readRole(role, ""),
      expires: requireInstant(expires, "invites"),
    },
  ];
}

function buildDatabase(database: PendingDatabase, cells: readonly TableCell[]): DatabaseState {
  const { branches, branchesByGitBranch } = database;
  if (branches.size === 0) refuse("invalid_request", "a database without a branch");
  for (const branch of branchesByGitBranch.values()) {
    if (!branches.has(branch)) refusePart("gitBranches", "branches of the database", branch);
  }
  return {
    ...database,
    branches: mapValues(branches, ({ history, ...branch }) => {
      const tables = mapValues(branch.tables, (number) => cells[number]!); // as many as were counted
      return { ...branch, tables, history: history ?? beginHistory(branch.createdAt, tables) };
    }),
  };
}

function mapValues<T, U>(map: ReadonlyMap<string, T>, change: (value: T) => U): SharedMap<U> {
  return SharedMap.of(Array.from(map, ([key, value]) => [key, change(value)]));
}
