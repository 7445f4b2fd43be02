import { readBranchMetadata } from "../../catalog/branches.js";
import { withDatabase, withWorkspace } from "../../catalog/change.js";
import { findBranch, findTable } from "../../catalog/find.js";
import { checkName } from "../../catalog/names.js";
import {
  type CatalogState,
  type DatabaseState,
  type MigrationState,
  TableCell,
} from "../../catalog/state.js";
import { refuse } from "../../errors.js";
import type { Profile } from "../../profile.js";
import type { Schema } from "../../schema/columns.js";
import { withSchema } from "../../storage/alter.js";
import { createTableVersion, TableVersion } from "../../storage/table.js";
import { SharedMap } from "../../value/shared-map.js";
import { FilesReader } from "../export/read-files.js";
import { readMigration, readRequest } from "../export/read-history.js";
import { readDatabase, readKey, readUser, readWorkspace } from "../export/read-parts.js";
import { readSchema } from "../export/read-table.js";
import {
  refusePart,
  requireCount,
  requireFields,
  requireInstant,
  requireList,
  requireText,
} from "../export/values.js";
import { createFileKeeping } from "../files.js";
import type { TablePlace } from "./layout.js";
import { RowsReader } from "./read-rows.js";

const EMPTY_DATABASE: Pick<DatabaseState, "branches" | "migrationRequests"> = {
  branches: SharedMap.of(),
  migrationRequests: [],
};

/** Does one change of a catalog again, line by line. */
export class ChangeReader {
  readonly #before: CatalogState;
  readonly #profile: Profile;
  #state: CatalogState;
  readonly #cells: TableCell[] = [];
  readonly #migrations: MigrationState[] = [];
  readonly #files: FilesReader = new FilesReader(createFileKeeping());
  #rows: RowsReader | undefined;

  constructor(before: CatalogState, profile: Profile) {
    this.#before = before;
    this.#state = before;
    this.#profile = profile;
  }

  take(line: readonly unknown[]): void {
    const [tag, ...parts] = line;
    if (tag === "r" || tag === "d") {
      if (this.#rows === undefined) refuse("invalid_request", "a record without a table");
      this.#rows.take(line);
      return;
    }
    this.#endTable();
    if (tag === "table") this.#beginTable(parts);
    else if (tag === "migration") this.#readMigration(parts);
    else this.#state = this.#readCatalog(tag, parts);
  }

  /** The state after the change. */
  end(): CatalogState {
    this.#endTable();
    return this.#state;
  }

  #readCatalog(tag: unknown, parts: readonly unknown[]): CatalogState {
    const state = this.#state;
    const [first, second, third, fourth, fifth] = parts;
    switch (tag) {
      case "counts":
        return { ...state, ...readCounts(first) };
      case "user": {
        const id = requireText(first, "user");
        return { ...state, users: state.users.with(id, readUser(second)) };
      }
      case "key": {
        const owner = requireText(second, "key");
        const [key, known] = readKey(owner, [first, third, fourth, fifth], 0);
        return { ...state, keys: state.keys.with(key, known) };
      }
      case "workspace": {
        checkName("workspace", first);
        const databases = state.workspaces.get(first)?.databases ?? SharedMap.of();
        const workspace = { ...readWorkspace(first, second, state.users), databases };
        return { ...state, workspaces: state.workspaces.with(first, workspace) };
      }
      case "database":
        checkName("database", second);
        return withWorkspace(state, requireText(first, "workspace"), ({ databases }) => {
          const { branches, migrationRequests } = databases.get(second) ?? EMPTY_DATABASE;
          const database = { ...readDatabase(third), branches, migrationRequests };
          return { databases: databases.with(second, database) };
        });
      case "request":
      case "requests":
        return this.#readRequests(parts);
      case "branch":
        return this.#readBranch(parts.slice(0, 3), fourth);
      case "deleted":
      case "order":
        return this.#readNames(tag, parts);
      default:
        return refusePart("line", "a line of a change", tag);
    }
  }

  #readBranch(names: readonly unknown[], details: unknown): CatalogState {
    const [workspace = "", database = "", branch] = names.map((name) =>
      requireText(name, "branch"),
    );
    checkName("branch", branch);
    const { createdAt, metadata, history, tables } = requireFields(details, "branch");
    const cells = requireList(tables, "tables").map((entry) => {
      const [name, source] = requireList(entry, "tables");
      checkName("table", name);
      return [name, this.#findCell(source)] as const;
    });
    const state = {
      createdAt: requireInstant(createdAt, "createdAt"),
      metadata: readBranchMetadata(metadata, ""),
      history: requireList(history, "history").flatMap((run) => this.#findHistory(run)),
      tables: SharedMap.of(cells),
    };
    return withDatabase(this.#state, { workspace, database }, ({ branches }) => ({
      branches: branches.with(branch, state),
    }));
  }

  /** A migration request at its place, or how many there are still. */
  #readRequests([workspace, database, place, details]: readonly unknown[]): CatalogState {
    const index = requireCount(place, "request");
    const at = {
      workspace: requireText(workspace, "workspace"),
      database: requireText(database, "database"),
    };
    return withDatabase(this.#state, at, ({ migrationRequests: known }) => {
      if (index > known.length) refusePart("request", "the place of a request", index);
      if (details === undefined) return { migrationRequests: known.slice(0, index) };
      const request = readRequest(details);
      const isNew = index === known.length;
      return { migrationRequests: isNew ? [...known, request] : known.with(index, request) };
    });
  }

  #findCell(source: unknown): TableCell {
    if (Array.isArray(source)) return cellAt(this.#before, readPlace(source));
    return this.#cells[requireCount(source, "tables")] ?? refusePart("tables", "a source", source);
  }

  #findHistory(run: unknown): readonly MigrationState[] {
    if (!Array.isArray(run)) {
      const migration = this.#migrations[requireCount(run, "history")];
      return [migration ?? refusePart("history", "the number of a migration", run)];
    }
    const place = run.slice(0, 3).map((name) => requireText(name, "history"));
    const [workspace = "", database = "", branch = ""] = place;
    const { history } = findBranch(this.#before, { workspace, database, branch });
    const from = requireCount(run[3], "history");
    const found = history.slice(from, from + requireCount(run[4], "history"));
    return found.length === run[4] ? found : refusePart("history", "a run of migrations", run);
  }

  #readMigration([number, details]: readonly unknown[]): void {
    if (number !== this.#migrations.length) refusePart("migration", "the next number", number);
    this.#migrations.push(readMigration(details));
  }

  #beginTable([number, details, source]: readonly unknown[]): void {
    if (number !== this.#cells.length) refusePart("table", "the next number", number);
    const place = source === null ? undefined : readPlace(requireList(source, "source"));
    const base = place && cellAt(this.#before, place).value;
    this.#rows = new RowsReader(place?.[3] ?? "", this.#createTable(base, details), this.#files);
  }

  #createTable(base: TableVersion | undefined, details: unknown): TableVersion {
    if (details === null) return base ?? refusePart("table", "its columns", details);
    const { identity, columns, slots, slotCount } = requireFields(details, "table");
    const schema: Schema = readSchema(columns, slots, slotCount, this.#profile);
    const name = requireText(identity, "identity");
    if (base === undefined) return createTableVersion(name, schema);
    const context = {
      table: "",
      profile: this.#profile,
      now: { ms: 0, micros: 0 },
      checkTime: () => {},
    }; // of a refusal
    return new TableVersion({ ...withSchema(base, schema, context), identity: name });
  }

  #endTable(): void {
    if (this.#rows === undefined) return;
    this.#cells.push(new TableCell(this.#rows.end(), Symbol("replayed")));
    this.#rows = undefined;
  }

  /** What is deleted, or the order of names, of one map of the catalog. */
  #readNames(tag: "deleted" | "order", parts: readonly unknown[]): CatalogState {
    const isDeleted = tag === "deleted";
    const path = isDeleted ? parts.slice(0, -1) : requireList(parts[0], "order");
    const names = isDeleted ? parts.slice(-1) : requireList(parts[1], "order");
    const [map, workspace = "", database = ""] = path.map((name) => requireText(name, "path"));
    const state = this.#state;
    const change = <V>(given: SharedMap<V>): SharedMap<V> =>
      isDeleted ? given.without(requireText(names[0], tag)) : ordered(given, names);
    switch (map) {
      case "users":
        return { ...state, users: change(state.users) };
      case "keys":
        return { ...state, keys: change(state.keys) };
      case "workspaces":
        return { ...state, workspaces: change(state.workspaces) };
      case "databases":
        return withWorkspace(state, workspace, ({ databases }) => ({
          databases: change(databases),
        }));
      case "branches":
        return withDatabase(state, { workspace, database }, ({ branches }) => ({
          branches: change(branches),
        }));
      default:
        return refusePart("path", "the name of a map", map);
    }
  }
}

function ordered<V>(map: SharedMap<V>, names: readonly unknown[]): SharedMap<V> {
  const entries = names.map((name) => {
    const key = requireText(name, "order");
    const value = map.get(key);
    return value === undefined
      ? refusePart("order", "names that there are", key)
      : ([key, value] as const);
  });
  return entries.length === map.size
    ? SharedMap.of(entries)
    : refusePart("order", "all names", names);
}

function readCounts(
  details: unknown,
): Pick<CatalogState, "usersMade" | "secretsMade" | "deletedKeys"> {
  const { usersMade, secretsMade, deletedKeys } = requireFields(details, "counts");
  return {
    usersMade: requireCount(usersMade, "usersMade"),
    secretsMade: requireCount(secretsMade, "secretsMade"),
    deletedKeys: new Set(
      requireList(deletedKeys, "deletedKeys").map((key) => requireText(key, "deletedKeys")),
    ),
  };
}

export function readPlace(parts: readonly unknown[]): TablePlace {
  const [workspace, database, branch, table] = parts;
  const text = (name: unknown): string => requireText(name, "place");
  return [text(workspace), text(database), text(branch), text(table)];
}

/** The cell of a table; throws `…_not_found`. */
export function cellAt(
  state: CatalogState,
  [workspace, database, branch, table]: TablePlace,
): TableCell {
  return findTable(state, { workspace, database, branch, table });
}
