import type { DatabaseAddress } from "../catalog/address.js";
import {
  addGitBranch,
  type GitBranchMapping,
  type GitBranchMappings,
  listGitBranches,
  type ResolvedBranch,
  type ResolveRequest,
  removeGitBranch,
  resolveGitBranch,
} from "../catalog/git-branches.js";
import type { EngineContext } from "./context.js";

/** Mappings of git branches of one database (rules B-2 … B-6). */
export class GitBranches {
  readonly #context: EngineContext;
  readonly #address: DatabaseAddress;

  constructor(context: EngineContext, address: DatabaseAddress) {
    this.#context = context;
    this.#address = address;
  }

  /** Lists the mappings in insertion order, in the profile's form (rule B-2). */
  list(): GitBranchMappings {
    return listGitBranches(this.#context.state, this.#address, this.#context.profile);
  }

  /** Maps a git branch (rule B-3); throws `branch_not_found` (400), `invalid_request`. */
  add(mapping: GitBranchMapping): { warning?: string } {
    const context = this.#context;
    let warning: string | undefined;
    context.change((state) => {
      const added = addGitBranch(state, this.#address, mapping, context.profile);
      warning = added.warning;
      return [added.event];
    });
    return warning === undefined ? {} : { warning };
  }

  /** Removes a mapping; throws `git_branch_not_found` (rule B-4). */
  remove(gitBranch: string): void {
    this.#context.change((state) => removeGitBranch(state, this.#address, gitBranch));
  }

  /** Returns the branch for a git branch, and the reason (rule B-5). */
  resolve(request?: ResolveRequest): ResolvedBranch {
    return resolveGitBranch(this.#context.state, this.#address, request);
  }
}
