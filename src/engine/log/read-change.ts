import { castDraft, current } from "immer";
import { readBranchMetadata } from "../../catalog/branches.js";
import { type CatalogDraft, produceCatalog } from "../../catalog/draft.js";
import { findBranch, findDatabase, findTable, findWorkspace } from "../../catalog/find.js";
import { checkName } from "../../catalog/names.js";
import type { CatalogState, MigrationState, TableKey } from "../../catalog/state.js";
import { refuse } from "../../errors.js";
import type { Profile } from "../../profile.js";
import type { Schema } from "../../schema/columns.js";
import { withSchema } from "../../storage/alter.js";
import { createTableVersion, TableVersion } from "../../storage/table.js";
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
import type { EngineContents } from "../setup.js";
import type { TablePlace } from "./layout.js";
import { RowsReader } from "./read-rows.js";

/** A catalog that is replayed, with the contents of its tables. */
export class ReplayedState {
  state: CatalogState;
  readonly tables: Map<TableKey, TableVersion>;
  #keysMade: number;

  constructor({
    state,
    tables,
    tableKeys,
  }: Pick<EngineContents, "state" | "tables" | "tableKeys">) {
    this.state = state;
    this.tables = new Map(tables);
    this.#keysMade = tableKeys;
  }

  change(recipe: (draft: CatalogDraft) => void): void {
    this.state = produceCatalog(this.state, recipe).state;
  }

  /** The table at a place of a state of it; throws `…_not_found`. */
  tableAt(place: TablePlace, state: CatalogState = this.state): TableVersion {
    return this.tables.get(keyAt(state, place))!; // the catalog has keys of these alone
  }

  add(version: TableVersion): TableKey {
    this.tables.set(++this.#keysMade, version);
    return this.#keysMade;
  }

  end(): Pick<EngineContents, "state" | "tables" | "tableKeys"> {
    const used = new Map<TableKey, TableVersion>();
    for (const { databases } of this.state.workspaces.values()) {
      for (const { branches } of databases.values()) {
        for (const { tables } of branches.values()) {
          for (const key of tables.values()) used.set(key, this.tables.get(key)!);
        }
      }
    }
    return { state: this.state, tables: used, tableKeys: this.#keysMade };
  }
}

/** Does one change of a catalog again, line by line. */
export class ChangeReader {
  readonly #before: CatalogState;
  readonly #profile: Profile;
  readonly #replayed: ReplayedState;
  readonly #versions: TableVersion[] = [];
  readonly #migrations: MigrationState[] = [];
  readonly #files: FilesReader = new FilesReader(createFileKeeping());
  #rows: RowsReader | undefined;

  constructor(replayed: ReplayedState, profile: Profile) {
    this.#before = replayed.state;
    this.#replayed = replayed;
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
    else this.#replayed.change((draft) => this.#readCatalog(draft, tag, parts));
  }

  end(): void {
    this.#endTable();
  }

  #readCatalog(draft: CatalogDraft, tag: unknown, parts: readonly unknown[]): void {
    const [first, second, third, fourth, fifth] = parts;
    switch (tag) {
      case "counts":
        Object.assign(draft, readCounts(first));
        break;
      case "user": {
        const id = requireText(first, "user");
        draft.users.set(id, readUser(second));
        break;
      }
      case "key": {
        const owner = requireText(second, "key");
        const [key, known] = readKey(owner, [first, third, fourth, fifth], 0);
        draft.keys.set(key, known);
        break;
      }
      case "workspace": {
        checkName("workspace", first);
        const read = castDraft(readWorkspace(first, second, draft.users));
        const known = draft.workspaces.get(first);
        if (known !== undefined) Object.assign(known, read);
        else draft.workspaces.set(first, { ...read, databases: new Map() });
        break;
      }
      case "database": {
        checkName("database", second);
        const { databases } = findWorkspace(draft, requireText(first, "workspace"));
        const read = castDraft(readDatabase(third));
        const known = databases.get(second);
        if (known !== undefined) Object.assign(known, read);
        else databases.set(second, { ...read, branches: new Map(), migrationRequests: [] });
        break;
      }
      case "request":
      case "requests":
        readRequests(draft, parts);
        break;
      case "branch":
        this.#readBranch(draft, parts.slice(0, 3), fourth);
        break;
      case "deleted":
      case "order":
        readNames(draft, tag, parts);
        break;
      default:
        refusePart("line", "a line of a change", tag);
    }
  }

  #readBranch(draft: CatalogDraft, names: readonly unknown[], details: unknown): void {
    const [workspace = "", database = "", branch] = names.map((name) =>
      requireText(name, "branch"),
    );
    checkName("branch", branch);
    const { createdAt, metadata, history, tables } = requireFields(details, "branch");
    const entries = requireList(tables, "tables").map((entry) => {
      const [name, source] = requireList(entry, "tables");
      checkName("table", name);
      return [name, this.#replayed.add(this.#findTable(source))] as const;
    });
    const state = {
      createdAt: requireInstant(createdAt, "createdAt"),
      metadata: readBranchMetadata(metadata, ""),
      history: requireList(history, "history").flatMap((run) => this.#findHistory(run)),
      tables: new Map(entries),
    };
    findDatabase(draft, { workspace, database }).branches.set(branch, castDraft(state));
  }

  #findTable(source: unknown): TableVersion {
    if (Array.isArray(source)) return this.#replayed.tableAt(readPlace(source), this.#before);
    return (
      this.#versions[requireCount(source, "tables")] ?? refusePart("tables", "a source", source)
    );
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
    if (number !== this.#versions.length) refusePart("table", "the next number", number);
    const place = source === null ? undefined : readPlace(requireList(source, "source"));
    const base = place && this.#replayed.tableAt(place, this.#before);
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
    this.#versions.push(this.#rows.end());
    this.#rows = undefined;
  }
}

/** A migration request at its place, or how many there are still. */
function readRequests(
  draft: CatalogDraft,
  [workspace, database, place, details]: readonly unknown[],
): void {
  const index = requireCount(place, "request");
  const at = {
    workspace: requireText(workspace, "workspace"),
    database: requireText(database, "database"),
  };
  const { migrationRequests: known } = findDatabase(draft, at);
  if (index > known.length) refusePart("request", "the place of a request", index);
  if (details === undefined) known.length = index;
  else known[index] = castDraft(readRequest(details));
}

/** What is deleted, or the order of names, of one map of the catalog. */
function readNames(draft: CatalogDraft, tag: "deleted" | "order", parts: readonly unknown[]): void {
  const isDeleted = tag === "deleted";
  const path = isDeleted ? parts.slice(0, -1) : requireList(parts[0], "order");
  const names = isDeleted ? parts.slice(-1) : requireList(parts[1], "order");
  const [map, workspace = "", database = ""] = path.map((name) => requireText(name, "path"));
  const change = <V>(given: Map<string, V>): Map<string, V> => {
    if (!isDeleted) return ordered(current<Map<string, unknown>>(given) as Map<string, V>, names); // as they are
    given.delete(requireText(names[0], tag));
    return given;
  };
  switch (map) {
    case "users":
      draft.users = change(draft.users);
      break;
    case "keys":
      draft.keys = change(draft.keys);
      break;
    case "workspaces":
      draft.workspaces = change(draft.workspaces);
      break;
    case "databases": {
      const at = findWorkspace(draft, workspace);
      at.databases = change(at.databases);
      break;
    }
    case "branches": {
      const at = findDatabase(draft, { workspace, database });
      at.branches = change(at.branches);
      break;
    }
    default:
      refusePart("path", "the name of a map", map);
  }
}

function ordered<V>(map: ReadonlyMap<string, V>, names: readonly unknown[]): Map<string, V> {
  const entries = names.map((name) => {
    const key = requireText(name, "order");
    const value = map.get(key);
    return value === undefined
      ? refusePart("order", "names that there are", key)
      : ([key, value] as const);
  });
  return entries.length === map.size ? new Map(entries) : refusePart("order", "all names", names);
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

function keyAt(state: CatalogState, [workspace, database, branch, table]: TablePlace): TableKey {
  return findTable(state, { workspace, database, branch, table });
}
