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
import type { JsonObject } from "../shape/fields.js";
import type { DocumentedProfile, ProfileShape } from "../typed/shape.js";
import type { EngineContext } from "./context.js";
import { type AnyDatabase, Database } from "./database.js";

/** A handle of a workspace: each call looks it up by name (D-5). */
export class Workspace<P extends ProfileShape = DocumentedProfile> {
  readonly id: string;
  readonly #context: EngineContext;

  constructor(context: EngineContext, id: string) {
    this.#context = context;
    this.id = id;
  }

  /** Adds a database with one empty branch (B-1, D-1); throws `invalid_name`, `database_exists`. */
  createDatabase(name: string, options?: DatabaseOptions): Database<P> {
    const address = { workspace: this.id, database: name };
    const now = this.#context.now();
    this.#context.change((state) => addDatabase(state, address, options, now));
    return new Database(this.#context, address);
  }

  /** Returns a database's handle; throws `database_not_found` (rule M-4). */
  database(name: string): Database<P> {
    const address = { workspace: this.id, database: name };
    findDatabase(this.#context.state, address);
    return new Database(this.#context, address);
  }

  /** Lists the databases, in creation order. */
  databases(): DatabaseMetadata[] {
    return listDatabases(this.#context.state, this.id);
  }

  /** Renames a database; throws `database_exists`. */
  renameDatabase(name: string, newName: string): void {
    const address = { workspace: this.id, database: name };
    this.#context.change((state) => renameDatabase(state, address, newName));
  }

  /** Deletes a database and its contents (rule D-4). */
  deleteDatabase(name: string): void {
    const address = { workspace: this.id, database: name };
    this.#context.change((state) => removeDatabase(state, address));
  }

  /** Internal: for the package's other entries. */
  static contextOf(workspace: AnyWorkspace): EngineContext {
    return (workspace as Workspace).#context; // the only implementation
  }

  /** Returns name and slug (rule A-2). */
  metadata(): WorkspaceMetadata {
    const { name, slug } = findWorkspace(this.#context.state, this.id);
    return { id: this.id, name, slug };
  }

  /** Changes the name and, if given, the slug; the id doesn't change (rule A-2). */
  update(changes: WorkspaceChanges): WorkspaceMetadata {
    this.#context.change((state) => changeWorkspace(state, this.id, changes));
    return this.metadata();
  }

  /** Returns the settings (rule X-5). */
  settings(): JsonObject {
    return structuredClone(findWorkspace(this.#context.state, this.id).settings);
  }

  /** Merges settings (rule X-5). */
  updateSettings(changes: JsonObject): JsonObject {
    this.#context.change((state) => changeWorkspaceSettings(state, this.id, changes));
    return this.settings();
  }
}

/** A workspace of any profile. */
export interface AnyWorkspace extends Omit<Workspace, "createDatabase" | "database"> {
  createDatabase(name: string, options?: DatabaseOptions): AnyDatabase;
  database(name: string): AnyDatabase;
}
