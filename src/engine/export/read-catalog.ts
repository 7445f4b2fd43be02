import { readBranchMetadata } from "../../catalog/branches.js";
import { createCatalog } from "../../catalog/empty.js";
import { checkName } from "../../catalog/names.js";
import type {
  BranchState,
  CatalogState,
  DatabaseState,
  KeyState,
  MigrationRequestState,
  MigrationState,
  TableKey,
  UserState,
  WorkspaceState,
} from "../../catalog/state.js";
import { BUILT_IN_USER_ID } from "../../catalog/users.js";
import { refuse } from "../../errors.js";
import type { ProfileName } from "../../profile.js";
import type { TableVersion } from "../../storage/table.js";
import type { EngineContents } from "../setup.js";
import { beginHistory, readMigration, readRequest } from "./read-history.js";
import { readDatabase, readKey, readUser, readWorkspace } from "./read-parts.js";
import { refusePart, requireCount, requireFields, requireInstant, requireList } from "./values.js";

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
    this.#users.set(id, readUser(details));
    for (const [index, entry] of requireList(keys, "keys").entries()) {
      const [key, state] = readKey(id, entry, index);
      if (this.#keys.has(key)) refusePart("keys", "keys of one user only", key);
      this.#keys.set(key, state);
    }
  }

  readWorkspace(id: unknown, details: unknown): void {
    checkName("workspace", id);
    if (this.#workspaces.has(id)) refusePart("workspace", "a new id", id);
    this.#workspace = { ...readWorkspace(id, details, this.#users), databases: new Map() };
    this.#database = undefined;
    this.#workspaces.set(id, this.#workspace);
  }

  readDatabase(name: unknown, details: unknown): void {
    checkName("database", name);
    if (this.#workspace === undefined || this.#workspace.databases.has(name)) {
      refusePart("database", "a new name in a workspace", name);
    }
    // Where requests have no lines of their own, they are here.
    const { migrationRequests = [] } = requireFields(details, "database");
    this.#database = {
      ...readDatabase(details),
      migrationRequests: requireList(migrationRequests, "migrationRequests").map(readRequest),
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

  /** The catalog, of the tables by their numbers. */
  build(
    base: ProfileName,
    counters: Counters,
    versions: readonly TableVersion[],
  ): Pick<EngineContents, "state" | "tables" | "tableKeys"> {
    if (!this.#users.has(BUILT_IN_USER_ID)) refuse("invalid_request", "no built-in user");
    const tables = new Map<TableKey, TableVersion>();
    const workspaces = mapValues(this.#workspaces, (workspace) => ({
      ...workspace,
      databases: mapValues(workspace.databases, (database) =>
        buildDatabase(database, versions, tables),
      ),
    }));
    const [users, keys] = [this.#users, this.#keys];
    const state = { ...createCatalog(base), workspaces, users, keys, ...counters };
    return { state, tables, tableKeys: tables.size };
  }
}

function buildDatabase(
  database: PendingDatabase,
  versions: readonly TableVersion[],
  built: Map<TableKey, TableVersion>,
): DatabaseState {
  const { branches, branchesByGitBranch } = database;
  if (branches.size === 0) refuse("invalid_request", "a database without a branch");
  for (const branch of branchesByGitBranch.values()) {
    if (!branches.has(branch)) refusePart("gitBranches", "branches of the database", branch);
  }
  return {
    ...database,
    branches: mapValues(branches, ({ history, ...branch }) => {
      const own = mapValues(branch.tables, (number) => versions[number]!); // as many as were counted
      const tables = mapValues(own, (version) => {
        built.set(built.size + 1, version);
        return built.size;
      });
      return { ...branch, tables, history: history ?? beginHistory(branch.createdAt, own) };
    }),
  };
}

function mapValues<T, U>(
  map: ReadonlyMap<string, T>,
  change: (value: T) => U,
): ReadonlyMap<string, U> {
  return new Map(Array.from(map, ([key, value]) => [key, change(value)]));
}
