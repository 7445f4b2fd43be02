import { current } from "immer";
import { describe, refuse } from "../errors.js";
import { createTableVersion } from "../storage/table.js";
import { formatInstant, type Instant } from "../value/datetime.js";
import {
  type RequestPart,
  readFields,
  readString,
  readStrings,
  refuseValue,
} from "../value/fields.js";
import type { BranchAddress, DatabaseAddress } from "./address.js";
import { asDraft, type CatalogDraft, type ChangeContext, renameKey } from "./draft.js";
import { findBranch, findDatabase } from "./find.js";
import { checkName } from "./names.js";
import type {
  BranchMetadata,
  BranchState,
  CatalogState,
  MigrationState,
  TableKey,
} from "./state.js";

/** A branch in a list. */
export interface BranchSummary {
  name: string;
  /** RFC 3339, UTC. */
  createdAt: string;
}

/** Options of a new branch (rule B-1). */
export interface BranchOptions {
  /** A branch of the same database to copy tables from; default none. */
  readonly from?: string | undefined;
  /** Also copies the records of `from`; the default depends on the profile (`branchCopies`). */
  readonly data?: boolean | undefined;
  /** Repository, git branch, stage and labels. */
  readonly metadata?: BranchMetadata | undefined;
}

export function createBranchState(
  createdAt: Instant,
  metadata: BranchMetadata = {},
  tables: ReadonlyMap<string, TableKey> = new Map(),
  history: readonly MigrationState[] = [],
): BranchState {
  return { createdAt, metadata, history, tables };
}

/** Adds a branch, empty or with tables of another (rule B-1). */
export function addBranch(
  draft: CatalogDraft,
  address: BranchAddress,
  options: unknown,
  context: ChangeContext,
): void {
  checkName("branch", address.branch);
  const { branches } = findDatabase(draft, address);
  if (branches.has(address.branch)) refuseTaken(address, address.branch);
  const place = { what: "branch", rule: "B-1" };
  const fields = readFields(options, ["from", "data", "metadata"], place);
  const { data = context.profile.branchCopies === "records" } = fields;
  if (typeof data !== "boolean") refuseValue(data, "true or false", { ...place, path: "/data" });
  const source = fields.from === undefined ? undefined : findSource(current(branches), fields.from);
  const metadata = readBranchMetadata(fields.metadata, "/metadata");
  const tables = copyTables(source, data, context);
  const added = createBranchState(context.now(), metadata, tables, source?.history);
  branches.set(address.branch, asDraft(added));
}

/** Copies tables with their identities (rule G-13). */
function copyTables(
  source: BranchState | undefined,
  data: boolean,
  context: ChangeContext,
): ReadonlyMap<string, TableKey> {
  return new Map(
    Array.from(source?.tables ?? [], ([name, key]) => {
      const version = context.tableAt(key);
      if (data) return [name, context.addTable(version, key)];
      return [name, context.addTable(createTableVersion(version.identity, version.schema))];
    }),
  );
}

/** Renames a branch, and updates mappings and migration requests. */
export function renameBranch(
  draft: CatalogDraft,
  address: BranchAddress,
  name: unknown,
  context: ChangeContext,
): void {
  const { workspace, database: inDatabase, branch: from } = address;
  const database = findDatabase(draft, address);
  findBranch(draft, address);
  checkName("branch", name, "/name");
  if (database.branches.has(name)) refuseTaken(address, name, "/name");
  database.branches = renameKey(database.branches, from, name);
  const path = ["workspaces", workspace, "databases", inDatabase, "branches"];
  context.noteRename({ path, from, to: name });
  for (const [gitBranch, target] of current(database.branchesByGitBranch)) {
    if (target === from) database.branchesByGitBranch.set(gitBranch, name);
  }
  const nameAfter = (branch: string): string => (branch === from ? name : branch);
  for (const [index, request] of current(database.migrationRequests).entries()) {
    const [source, target] = [nameAfter(request.source), nameAfter(request.target)];
    if (source !== request.source || target !== request.target) {
      database.migrationRequests[index] = { ...request, source, target };
    }
  }
}

export function removeBranch(
  draft: CatalogDraft,
  address: BranchAddress,
  context: ChangeContext,
): void {
  const removed = findBranch(draft, address);
  const { branches, branchesByGitBranch } = findDatabase(draft, address);
  if (branches.size === 1) {
    refuse(
      "last_branch",
      `branch [${address.database}:${address.branch}] is the last of its database`,
      { rule: "B-1" },
    );
  }
  dropTables([current(removed)], context);
  branches.delete(address.branch);
  for (const [gitBranch, target] of current(branchesByGitBranch)) {
    if (target === address.branch) branchesByGitBranch.delete(gitBranch);
  }
}

export function dropTables(branches: Iterable<BranchState>, context: ChangeContext): void {
  for (const { tables } of branches) for (const key of tables.values()) context.dropTable(key);
}

export function listBranches(state: CatalogState, address: DatabaseAddress): BranchSummary[] {
  return Array.from(findDatabase(state, address).branches, ([name, { createdAt }]) => ({
    name,
    createdAt: formatInstant(createdAt.ms, createdAt.micros),
  }));
}

export function changeBranchMetadata(
  draft: CatalogDraft,
  address: BranchAddress,
  metadata: unknown,
): void {
  findBranch(draft, address).metadata = asDraft(readBranchMetadata(metadata, ""));
}

// A branch named in a body, not in the address, is a bad request: 400 (rule E-1).
function findSource(branches: ReadonlyMap<string, BranchState>, from: unknown): BranchState {
  const source = typeof from === "string" ? branches.get(from) : undefined;
  return (
    source ??
    refuse("branch_not_found", `branch to start from: ${describe(from)} not found`, {
      path: "/from",
      rule: "B-1",
      status: 400,
    })
  );
}

export function readBranchMetadata(metadata: unknown, path: string): BranchMetadata {
  const fields = readFields(metadata, ["repository", "branch", "stage", "labels"], {
    what: "metadata",
    path,
    rule: "X-5",
  });
  const place = (key: string): RequestPart => ({ what: key, path: `${path}/${key}`, rule: "X-5" });
  const text = (key: "repository" | "branch" | "stage") =>
    fields[key] !== undefined && { [key]: readString(fields[key], 0, 1024, place(key)) };
  return {
    ...text("repository"),
    ...text("branch"),
    ...text("stage"),
    ...(fields.labels !== undefined && { labels: readStrings(fields.labels, place("labels")) }),
  };
}

function refuseTaken(address: DatabaseAddress, name: string, path?: string): never {
  refuse("branch_exists", `branch [${address.database}:${name}] already exists`, {
    rule: "B-1",
    path,
  });
}
