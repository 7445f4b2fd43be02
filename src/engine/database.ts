import { branchAt, type DatabaseAddress } from "../catalog/address.js";
import {
  addBranch,
  type BranchOptions,
  type BranchSummary,
  listBranches,
  removeBranch,
  renameBranch,
} from "../catalog/branches.js";
import {
  changeDatabase,
  changeDatabaseSettings,
  type DatabaseChanges,
  type DatabaseMetadata,
  describeDatabase,
} from "../catalog/databases.js";
import { findDatabase } from "../catalog/find.js";
import type { JsonObject } from "../shape/fields.js";
import type { DocumentedProfile, ProfileShape } from "../typed/shape.js";
import { type AnyBranch, Branch } from "./branch.js";
import type { EngineContext } from "./context.js";
import { GitBranches } from "./git-branches.js";

/** A handle of a database: each call looks it up by name (M-4). */
export class Database<P extends ProfileShape = DocumentedProfile> {
  readonly name: string;
  /** The id of its workspace. */
  readonly workspace: string;
  /** The mappings of git branches. */
  readonly gitBranches: GitBranches;
  readonly #context: EngineContext;
  readonly #address: DatabaseAddress;

  constructor(context: EngineContext, address: DatabaseAddress) {
    this.#context = context;
    this.#address = address;
    this.name = address.database;
    this.workspace = address.workspace;
    this.gitBranches = new GitBranches(context, address);
  }

  /** Internal: for the package's other entries. */
  static sourceOf(database: AnyDatabase): { context: EngineContext; address: DatabaseAddress } {
    const own = database as Database; // the only implementation; private names reject others
    return { context: own.#context, address: own.#address };
  }

  /** Returns name, region, creation time and, if set, colour (rule D-2). */
  metadata(): DatabaseMetadata {
    return describeDatabase(this.name, findDatabase(this.#context.state, this.#address));
  }

  /** Sets the colour, 1–32 characters (rule D-3); throws `invalid_request`. */
  update(changes: DatabaseChanges): DatabaseMetadata {
    this.#context.change((state) => changeDatabase(state, this.#address, changes));
    return this.metadata();
  }

  /**
   * Creates a branch in O(1): empty, or with the tables of another one, and its records if `data`
   * or the profile's `branchCopies` requests them (B-1). Throws `invalid_name`, `branch_exists`,
   * `branch_not_found` (400), `invalid_request`.
   */
  createBranch(name: string, options?: BranchOptions): Branch<P> {
    const address = branchAt(this.#address, name);
    const context = this.#context;
    context.change((state) => addBranch(state, address, options, context));
    return new Branch(this.#context, address);
  }

  /** Returns a branch's handle; throws `branch_not_found` (rule M-4). */
  branch(name: string): Branch<P> {
    const address = branchAt(this.#address, name);
    this.#context.readBranch(address);
    return new Branch(this.#context, address);
  }

  /** Lists the branches, oldest first. */
  branches(): BranchSummary[] {
    return listBranches(this.#context.state, this.#address);
  }

  /** Renames a branch; throws `branch_exists`. */
  renameBranch(name: string, newName: string): void {
    const address = branchAt(this.#address, name);
    this.#context.change((state) => renameBranch(state, address, newName));
  }

  /** Deletes a branch and mappings to it (rule B-6); throws `last_branch` (B-1). */
  deleteBranch(name: string): void {
    const address = branchAt(this.#address, name);
    this.#context.change((state) => removeBranch(state, address));
  }

  /** Returns the settings (rule X-5). */
  settings(): JsonObject {
    return structuredClone(findDatabase(this.#context.state, this.#address).settings);
  }

  /** Merges settings (rule X-5). */
  updateSettings(changes: JsonObject): JsonObject {
    this.#context.change((state) => changeDatabaseSettings(state, this.#address, changes));
    return this.settings();
  }
}

/** A database of any profile. */
export interface AnyDatabase extends Omit<Database, "createBranch" | "branch"> {
  createBranch(name: string, options?: BranchOptions): AnyBranch;
  branch(name: string): AnyBranch;
}
