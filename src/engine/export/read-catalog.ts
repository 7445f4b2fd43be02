import { readBranchMetadata } from "../../catalog/branches.js";
import { createCatalog } from "../../catalog/empty.js";
import { checkName } from "../../catalog/names.js";
import type {
  BranchState,
  CatalogState,
  DatabaseState,
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
import { refusePart, requireCount, requireFields, requireInstant, requireList } from "./values.js";

/** A branch of which the tables are yet to come. */
interface PendingBranch extends Omit<BranchState, "tables"> {
  readonly tables: ReadonlyMap<string, number>;
}

interface PendingDatabase extends Omit<DatabaseState, "branches"> {
  readonly branches: Map<string, PendingBranch>;
}

interface PendingWorkspace extends Omit<WorkspaceState, "databases"> {
  readonly databases: Map<string, PendingDatabase>;
}

/** Puts a catalog together from the lines of an export, each checked as if it had been asked for. */
export class CatalogReader {
  readonly #users: Map<string, UserState> = new Map();
  readonly #userIdsByKey: Map<string, string> = new Map();
  readonly #workspaces: Map<string, PendingWorkspace> = new Map();
  #workspace: PendingWorkspace | undefined;
  #database: PendingDatabase | undefined;
  readonly #tables: string[] = [];

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
    for (const key of readStrings(keys, { what: "keys", rule: "U-1" })) {
      if (this.#userIdsByKey.has(key)) refusePart("keys", "keys of one user only", key);
      this.#userIdsByKey.set(key, id);
    }
  }

  readWorkspace(id: unknown, details: unknown): void {
    checkName("workspace", id);
    if (this.#workspaces.has(id)) refusePart("workspace", "a new id", id);
    const { name, members, settings } = requireFields(details, "workspace");
    const place = { what: "settings", rule: "X-5" };
    this.#workspace = {
      name: readString(name, 1, 255, { what: "workspace name", rule: "E-3" }),
      members: new Set(readStrings(members, { what: "members", rule: "U-1" })),
      settings: readJsonObject(settings, place),
      databases: new Map(),
    };
    for (const member of this.#workspace.members) {
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
    const { region, createdAt, color, gitBranches, settings } = requireFields(details, "database");
    const mappings = requireList(gitBranches, "gitBranches").map((mapping) => {
      const [gitBranch, branch] = readStrings(mapping, { what: "gitBranches", rule: "B-2" });
      return [gitBranch ?? "", branch ?? ""] as const;
    });
    this.#database = {
      region: readString(region, 1, 255, { what: "region", rule: "D-1" }),
      createdAt: requireInstant(createdAt, "createdAt"),
      color: color === null ? undefined : readString(color, 1, 32, { what: "color", rule: "D-3" }),
      branchesByGitBranch: new Map(mappings),
      settings: readJsonObject(settings, { what: "settings", rule: "X-5" }),
      branches: new Map(),
    };
    this.#workspace.databases.set(name, this.#database);
  }

  readBranch(name: unknown, details: unknown): void {
    checkName("branch", name);
    if (this.#database === undefined || this.#database.branches.has(name)) {
      refusePart("branch", "a new name in a database", name);
    }
    const { createdAt, metadata, tables } = requireFields(details, "branch");
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
      tables: numbers,
    });
  }

  /** The catalog, with the tables by their numbers. */
  build(base: ProfileName, usersMade: number, cells: readonly TableCell[]): CatalogState {
    if (!this.#users.has(BUILT_IN_USER_ID)) refuse("invalid_request", "no built-in user");
    const workspaces = mapValues(this.#workspaces, (workspace) => ({
      ...workspace,
      databases: mapValues(workspace.databases, (database) => buildDatabase(database, cells)),
    }));
    return {
      ...createCatalog(base),
      workspaces,
      users: this.#users,
      userIdsByKey: this.#userIdsByKey,
      usersMade,
    };
  }
}

function buildDatabase(database: PendingDatabase, cells: readonly TableCell[]): DatabaseState {
  const { branches, branchesByGitBranch } = database;
  if (branches.size === 0) refuse("invalid_request", "a database without a branch");
  for (const branch of branchesByGitBranch.values()) {
    if (!branches.has(branch)) refusePart("gitBranches", "branches of the database", branch);
  }
  return {
    ...database,
    branches: SharedMap.of(
      mapValues(branches, (branch) => ({
        ...branch,
        tables: mapValues(branch.tables, (number) => cells[number]!), // as many as were counted
      })),
    ),
  };
}

function mapValues<T, U>(map: ReadonlyMap<string, T>, change: (value: T) => U): Map<string, U> {
  return new Map(Array.from(map, ([key, value]) => [key, change(value)]));
}
