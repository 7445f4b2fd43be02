import { describe, refuse } from "../errors.js";
import { readFields, readFlag, readString, readStrings } from "../shape/fields.js";
import { createTableVersion } from "../storage/table.js";
import { formatInstant } from "../value/datetime.js";
import { type BranchAddress, branchNames, type DatabaseAddress } from "./address.js";
import {
  type CatalogEvent,
  type CommandContext,
  changed,
  created,
  deleted,
  type Names,
  ownOf,
} from "./events.js";
import { findBranch, findDatabase } from "./find.js";
import { checkName } from "./names.js";
import type { BranchMetadata, BranchState, CatalogState } from "./state.js";

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

/** Adds a branch, empty or with tables of another (rule B-1). */
export function addBranch(
  state: CatalogState,
  address: BranchAddress,
  options: unknown,
  context: CommandContext,
): CatalogEvent[] {
  checkName("branch", address.branch);
  const { branches } = findDatabase(state, address);
  if (branches.has(address.branch)) refuseTaken(address, address.branch);
  const part = { what: "branch", rule: "B-1" };
  const fields = readFields(options, ["from", "data", "metadata"], part);
  const copiesRecords = context.profile.branchCopies === "records";
  const data = readFlag(fields.data, { ...part, path: "/data" }) ?? copiesRecords;
  const source = fields.from === undefined ? undefined : findSource(branches, fields.from);
  const metadata = readBranchMetadata(fields.metadata, "/metadata");
  const at = branchNames(address);
  const value = { createdAt: context.now(), metadata };
  if (source === undefined) return [created("branch", at, value)];
  const { tables, history: migrations } = source;
  const branch = fields.from as string; // the name of the source
  const from = data && tables.size > 0 ? branch : undefined;
  const startedFrom = { branch, migrations: migrations.length };
  return [
    { kind: "created", entity: "branch", at, value: { ...value, startedFrom }, from },
    ...copyTables(tables, at, data, context),
    { kind: "history", at, index: 0, migrations },
  ];
}

/** Copies tables with their identities (rule G-13). */
function copyTables(
  tables: BranchState["tables"],
  at: Names,
  data: boolean,
  context: CommandContext,
): CatalogEvent[] {
  return Array.from(tables, ([name, rowsOf]): CatalogEvent => {
    const version = context.tableAt(rowsOf);
    const added = { kind: "table_created", at: [...at, name], key: context.createKey() } as const;
    if (data) return { ...added, version, rowsOf };
    return { ...added, version: createTableVersion(version.identity, version.schema) };
  });
}

/** Renames a branch, and updates mappings and migration requests. */
export function renameBranch(
  state: CatalogState,
  address: BranchAddress,
  name: unknown,
): CatalogEvent[] {
  const { workspace, database: inDatabase, branch: from } = address;
  const database = findDatabase(state, address);
  findBranch(state, address);
  checkName("branch", name, "/name");
  if (database.branches.has(name)) refuseTaken(address, name, "/name");
  const at = [workspace, inDatabase];
  const events: CatalogEvent[] = [
    { kind: "renamed", entity: "branch", at: [...at, from], to: name },
  ];
  for (const [gitBranch, target] of database.branchesByGitBranch) {
    if (target === from) events.push(changed("gitBranch", [...at, gitBranch], name));
  }
  const nameAfter = (branch: string): string => (branch === from ? name : branch);
  for (const [index, request] of database.migrationRequests.entries()) {
    const [source, target] = [nameAfter(request.source), nameAfter(request.target)];
    if (source === request.source && target === request.target) continue;
    events.push({ kind: "request", at, index, request: { ...request, source, target } });
  }
  return events;
}

export function removeBranch(state: CatalogState, address: BranchAddress): CatalogEvent[] {
  const { workspace, database, branch } = address;
  findBranch(state, address);
  const { branches, branchesByGitBranch } = findDatabase(state, address);
  if (branches.size === 1) {
    refuse("last_branch", `branch [${database}:${branch}] is the last of its database`, {
      rule: "B-1",
    });
  }
  const mapped = [...branchesByGitBranch].filter(([, target]) => target === branch);
  return [
    deleted("branch", ...branchNames(address)),
    ...mapped.map(([gitBranch]) => deleted("gitBranch", workspace, database, gitBranch)),
  ];
}

export function listBranches(state: CatalogState, address: DatabaseAddress): BranchSummary[] {
  return Array.from(findDatabase(state, address).branches, ([name, { createdAt }]) => ({
    name,
    createdAt: formatInstant(createdAt.ms, createdAt.micros),
  }));
}

export function changeBranchMetadata(
  state: CatalogState,
  address: BranchAddress,
  metadata: unknown,
): CatalogEvent[] {
  const current = ownOf("branch", findBranch(state, address));
  const value = { ...current, metadata: readBranchMetadata(metadata, "") };
  return [changed("branch", branchNames(address), value)];
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
  const part = { what: "metadata", path, rule: "X-5" };
  const fields = readFields(metadata, ["repository", "branch", "stage", "labels"], part);
  const read = Object.entries(fields).map(([key, value]) => {
    const at = { ...part, what: key, path: `${path}/${key}` };
    return [key, key === "labels" ? readStrings(value, at) : readString(value, 0, 1024, at)];
  });
  return Object.fromEntries(read) as BranchMetadata; // each member was read
}

function refuseTaken(address: DatabaseAddress, name: string, path?: string): never {
  refuse("branch_exists", `branch [${address.database}:${name}] already exists`, {
    rule: "B-1",
    path,
  });
}
