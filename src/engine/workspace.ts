import {
  addDatabase,
  type DatabaseMetadata,
  type DatabaseOptions,
  listDatabases,
  removeDatabase,
  renameDatabase,
} from "../catalog/databases.js";
import { findDatabase, findWorkspace } from "../catalog/find.js";
import {
  changeWorkspace,
  changeWorkspaceSettings,
  type WorkspaceChanges,
  type WorkspaceMetadata,
} from "../catalog/workspaces.js";
import type { DocumentedProfile, ProfileShape } from "../typed/shape.js";
import type { JsonObject } from "../value/fields.js";
import type { EngineContext } from "./context.js";
import { type AnyDatabase, Database } from "./database.js";

/** The address of a workspace: every call finds anew what is there, or fails (rule D-5). */
export class Workspace<P extends ProfileShape = DocumentedProfile> {
  /** Names it in calls. */
  readonly id: string;
  readonly #context: EngineContext;

  constructor(context: EngineContext, id: string) {
    this.#context = context;
    this.id = id;
  }

  /**
   * Makes a database with one empty branch (rules B-1, D-1).
   *
   * @throws TwinbaseError `invalid_name`, `database_exists`, `invalid_request`.
   */
  createDatabase(name: string, options?: DatabaseOptions): Database<P> {
    const address = { workspace: this.id, database: name };
    const now = this.#context.now();
    this.#context.changeCatalog((draft) => addDatabase(draft, address, options, now));
    return new Database(this.#context, address);
  }

  /** The database of that name; throws `database_not_found` (rule M-4). */
  database(name: string): Database<P> {
    const address = { workspace: this.id, database: name };
    findDatabase(this.#context.state, address);
    return new Database(this.#context, address);
  }

  /** Every database, in the order they were made. */
  databases(): DatabaseMetadata[] {
    return listDatabases(this.#context.state, this.id);
  }

  /** Gives a database another name; throws `database_exists` where it is taken. */
  renameDatabase(name: string, newName: string): void {
    const address = { workspace: this.id, database: name };
    this.#context.changeCatalog((draft) => renameDatabase(draft, address, newName, this.#context));
  }

  /** Removes a database with all its branches, tables and mappings (rule D-4). */
  deleteDatabase(name: string): void {
    const address = { workspace: this.id, database: name };
    this.#context.changeCatalog((draft) => removeDatabase(draft, address, this.#context));
  }

  /** The context of a workspace, for an entry that does more with it. */
  static contextOf(workspace: AnyWorkspace): EngineContext {
    return (workspace as Workspace).#context; // the one class there is
  }

  /** What people call it, and its slug (rule A-2). */
  metadata(): WorkspaceMetadata {
    const { name, slug } = findWorkspace(this.#context.state, this.id);
    return { id: this.id, name, slug };
  }

  /** Gives it another name and, where it is given, another slug; its id stays (rule A-2). */
  update(changes: WorkspaceChanges): WorkspaceMetadata {
    this.#context.changeCatalog((draft) => changeWorkspace(draft, this.id, changes));
    return this.metadata();
  }

  /** The settings stored so far (rule X-5). */
  settings(): JsonObject {
    return structuredClone(findWorkspace(this.#context.state, this.id).settings);
  }

  /** Stores settings; those not given stay (rule X-5). */
  updateSettings(changes: JsonObject): JsonObject {
    this.#context.changeCatalog((draft) => changeWorkspaceSettings(draft, this.id, changes));
    return this.settings();
  }
}

/** A workspace of whatever profile. */
export interface AnyWorkspace extends Omit<Workspace, "createDatabase" | "database"> {
  /** Makes a database with the branch `main`. */
  createDatabase(name: string, options?: DatabaseOptions): AnyDatabase;
  /** The handle of a database. */
  database(name: string): AnyDatabase;
}
