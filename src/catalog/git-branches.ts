import { describe, refuse } from "../errors.js";
import type { Profile } from "../profile.js";
import { partAt, readFields, readString, refuseValue } from "../shape/fields.js";
import type { DatabaseAddress } from "./address.js";
import { type CatalogEvent, created, deleted } from "./events.js";
import { findDatabase } from "./find.js";
import type { CatalogState, DatabaseState } from "./state.js";

/** `gitBranch`, and the branch under the profile's key (rule B-2). */
export interface GitBranchMapping {
  /** The full name: `main`, `feature/x`. */
  readonly gitBranch: string;
  readonly [mappingTarget: string]: string;
}

/** Mappings in the order first added (rule B-2). */
export interface GitBranchMappings {
  /** The key under the base `documented`. */
  mappings?: GitBranchMapping[];
  /** The key under the base `xata`. */
  mapping?: GitBranchMapping[];
}

/** A git branch to resolve. */
export interface ResolveRequest {
  readonly gitBranch?: string | undefined;
  /** The branch to use if the git branch resolves to none. */
  readonly fallbackBranch?: string | undefined;
}

/** The reason of a resolution (rule B-5). */
export type ResolveReason =
  | "FOUND_IN_MAPPING"
  | "BRANCH_EXISTS"
  | "FALLBACK_BRANCH"
  | "DEFAULT_BRANCH";

/** Resolves a git branch to a branch, with the reason (rule B-5). */
export interface ResolvedBranch {
  branch: string;
  reason: { code: ResolveReason; message: string };
}

const MAX_GIT_BRANCH = 1024;

/** Adds an entry, or overwrites one with a warning (rule B-3). */
export function addGitBranch(
  state: CatalogState,
  address: DatabaseAddress,
  mapping: unknown,
  { mappingTarget }: Profile,
): { readonly event: CatalogEvent; readonly warning: string | undefined } {
  const { branches, branchesByGitBranch } = findDatabase(state, address);
  const part = { what: "git branch mapping", rule: "B-3" };
  const fields = readFields(mapping, ["gitBranch", mappingTarget], part);
  const gitBranch = readGitBranch(fields.gitBranch, "B-3");
  const branch = fields[mappingTarget];
  const path = `/${mappingTarget}`;
  if (typeof branch !== "string") refuseValue(branch, mappingTarget, { ...part, path });
  if (!branches.has(branch)) {
    refuse("branch_not_found", `${mappingTarget}: branch ${describe(branch)} not found`, {
      path,
      rule: "B-3",
      status: 400,
    });
  }
  const from = branchesByGitBranch.get(gitBranch);
  const warning =
    from === undefined
      ? undefined
      : `The git branch ${gitBranch} was mapped to ${from} before; it is now mapped to ${branch}.`;
  const { workspace, database } = address;
  return { event: created("gitBranch", [workspace, database, gitBranch], branch), warning };
}

export function removeGitBranch(
  state: CatalogState,
  address: DatabaseAddress,
  gitBranch: unknown,
): CatalogEvent[] {
  const { branchesByGitBranch } = findDatabase(state, address);
  const name = readGitBranch(gitBranch, "B-4");
  if (!branchesByGitBranch.has(name)) {
    refuse("git_branch_not_found", `git branch ${describe(name)} not found in the mapping`, {
      rule: "B-4",
    });
  }
  return [deleted("gitBranch", address.workspace, address.database, name)];
}

export function listGitBranches(
  state: CatalogState,
  address: DatabaseAddress,
  { mappingsKey, mappingTarget }: Profile,
): GitBranchMappings {
  const { branchesByGitBranch } = findDatabase(state, address);
  const entries = Array.from(branchesByGitBranch, ([gitBranch, branch]) => ({
    gitBranch,
    [mappingTarget]: branch,
  }));
  return { [mappingsKey]: entries };
}

/** The first of the four reasons that holds (rule B-5). */
export function resolveGitBranch(
  state: CatalogState,
  address: DatabaseAddress,
  request: unknown,
): ResolvedBranch {
  const database = findDatabase(state, address);
  const fields = readFields(request, ["gitBranch", "fallbackBranch"], {
    what: "resolve",
    rule: "B-5",
  });
  const read = (key: "gitBranch" | "fallbackBranch") =>
    fields[key] === undefined
      ? undefined
      : readString(fields[key], 0, MAX_GIT_BRANCH, partAt(key, "B-5"));
  return resolve(database, read("gitBranch"), read("fallbackBranch"));
}

function resolve(
  { branches, branchesByGitBranch }: DatabaseState,
  gitBranch: string | undefined,
  fallback: string | undefined,
): ResolvedBranch {
  const mapped = gitBranch === undefined ? undefined : branchesByGitBranch.get(gitBranch);
  if (mapped !== undefined) {
    return reason(mapped, "FOUND_IN_MAPPING", `git branch ${gitBranch} is mapped to ${mapped}`);
  }
  if (gitBranch !== undefined && branches.has(gitBranch)) {
    return reason(gitBranch, "BRANCH_EXISTS", `a branch is called ${gitBranch}`);
  }
  if (fallback !== undefined && branches.has(fallback)) {
    return reason(fallback, "FALLBACK_BRANCH", `the fallback branch ${fallback} exists`);
  }
  const [oldest] = branches.keys();
  const branch = branches.has("main") ? "main" : oldest!; // a database has a branch: B-1
  return reason(branch, "DEFAULT_BRANCH", `${branch} is the default branch`);
}

function reason(branch: string, code: ResolveReason, message: string): ResolvedBranch {
  return { branch, reason: { code, message } };
}

function readGitBranch(gitBranch: unknown, rule: string): string {
  return readString(gitBranch, 1, MAX_GIT_BRANCH, partAt("gitBranch", rule));
}
