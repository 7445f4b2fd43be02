import { describe, refuse } from "../errors.js";
import type { Profile } from "../profile.js";
import { createTableVersion, type TableVersion } from "../storage/table.js";
import { formatInstant, type Instant } from "../value/datetime.js";
import {
  type RequestPart,
  readFields,
  readString,
  readStrings,
  refuseValue,
} from "../value/fields.js";
import { SharedMap } from "../value/shared-map.js";
import type { BranchAddress, DatabaseAddress } from "./address.js";
import { withBranch, withDatabase } from "./change.js";
import { findBranch, findDatabase } from "./find.js";
import { checkName } from "./names.js";
import type {
  BranchMetadata,
  BranchState,
  CatalogState,
  MigrationState,
  TableCell,
} from "./state.js";

/** A branch, as lists of them give it. */
export interface BranchSummary {
  /** Its name in its database. */
  name: string;
  /** RFC 3339, UTC. */
  createdAt: string;
}

/** How a branch is made (rule B-1). */
export interface BranchOptions {
  /** A branch of the same database to start from; without it the branch is empty. */
  readonly from?: string | undefined;
  /**
   * Takes the records of `from` too, which the branches share until one of them is written; default
   * what the profile says (`branchCopies`).
   */
  readonly data?: boolean | undefined;
  /** What the branch is told of: repository, git branch, stage, labels. */
  readonly metadata?: BranchMetadata | undefined;
}

/** A branch without tables, unless it is given those of another. */
export function createBranchState(
  createdAt: Instant,
  metadata: BranchMetadata = {},
  tables: SharedMap<TableCell> = SharedMap.of(),
  history: readonly MigrationState[] = [],
): BranchState {
  return { createdAt, metadata, history, tables };
}

/** What making a branch takes from the engine. */
interface BranchContext {
  readonly profile: Profile;
  now(): Instant;
  createCell(value: TableVersion): TableCell;
}

/**
 * Adds a branch. Started from another with its records it holds the very same cells, so the caller
 * takes a new generation before either is written (rule B-1).
 */
export function addBranch(
  state: CatalogState,
  address: BranchAddress,
  options: unknown,
  context: BranchContext,
): CatalogState {
  checkName("branch", address.branch);
  const { branches } = findDatabase(state, address);
  if (branches.has(address.branch)) refuseTaken(address, address.branch);
  const place = { what: "branch", rule: "B-1" };
  const fields = readFields(options, ["from", "data", "metadata"], place);
  const { data = context.profile.branchCopies === "records" } = fields;
  if (typeof data !== "boolean") refuseValue(data, "true or false", { ...place, path: "/data" });
  const source = fields.from === undefined ? undefined : findSource(branches, fields.from);
  const metadata = readBranchMetadata(fields.metadata, "/metadata");
  const tables = data ? source?.tables : emptyTables(source, context);
  const added = createBranchState(context.now(), metadata, tables, source?.history);
  return withDatabase(state, address, () => ({ branches: branches.with(address.branch, added) }));
}

/** The tables of a branch without their records; they are the same tables (rule G-13). */
function emptyTables(
  source: BranchState | undefined,
  context: BranchContext,
): SharedMap<TableCell> {
  return SharedMap.of(
    Array.from(source?.tables ?? [], ([name, { value }]) => [
      name,
      context.createCell(createTableVersion(value.identity, value.schema)),
    ]),
  );
}

/** Gives a branch another name; mappings and migration requests that name it follow. */
export function renameBranch(
  state: CatalogState,
  address: BranchAddress,
  name: unknown,
): CatalogState {
  const { branches, branchesByGitBranch, migrationRequests } = findDatabase(state, address);
  const renamed = findBranch(state, address);
  checkName("branch", name, "/name");
  if (branches.has(name)) refuseTaken(address, name, "/name");
  const nameAfter = (branch: string): string => (branch === address.branch ? name : branch);
  let mapping = branchesByGitBranch;
  for (const [gitBranch, target] of mapping) {
    if (target === address.branch) mapping = mapping.with(gitBranch, name);
  }
  return withDatabase(state, address, () => ({
    branches: branches.rename(address.branch, name, renamed),
    branchesByGitBranch: mapping,
    migrationRequests: migrationRequests.map((request) => ({
      ...request,
      source: nameAfter(request.source),
      target: nameAfter(request.target),
    })),
  }));
}

/** Removes a branch, with the mappings that point to it (rule B-6), unless it is the last (B-1). */
export function removeBranch(state: CatalogState, address: BranchAddress): CatalogState {
  findBranch(state, address);
  const { branches, branchesByGitBranch } = findDatabase(state, address);
  if (branches.size === 1) {
    refuse(
      "last_branch",
      `branch [${address.database}:${address.branch}] is the last of its database`,
      { rule: "B-1" },
    );
  }
  return withDatabase(state, address, () => ({
    branches: branches.without(address.branch),
    branchesByGitBranch: branchesByGitBranch.filter((target) => target !== address.branch),
  }));
}

/** Every branch of a database, oldest first. */
export function listBranches(state: CatalogState, address: DatabaseAddress): BranchSummary[] {
  return Array.from(findDatabase(state, address).branches, ([name, { createdAt }]) => ({
    name,
    createdAt: formatInstant(createdAt.ms, createdAt.micros),
  }));
}

/** Replaces the metadata of a branch (rule X-5). */
export function changeBranchMetadata(
  state: CatalogState,
  address: BranchAddress,
  metadata: unknown,
): CatalogState {
  return withBranch(state, address, () => ({ metadata: readBranchMetadata(metadata, "") }));
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

/** Reads what is noted of a branch (rule X-5); throws `invalid_request`. */
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
