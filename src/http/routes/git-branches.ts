import type { GitBranchMapping } from "../../catalog/git-branches.js";
import { findDatabase } from "../address.js";
import { textParameter } from "../parameters.js";
import { defineRoute, type Route } from "../route.js";
import { arrayOf, byEngine, byProfile, named, objectOf, oneOf, TEXT, textOf } from "../schema.js";

const MAPPING_AT = "/dbs/{db_name}/gitBranches";

const MAPPING = named(
  "GitBranchMapping",
  byEngine<GitBranchMapping>(
    byProfile(({ mappingTarget }) =>
      objectOf({ gitBranch: textOf(1, 1024), [mappingTarget]: TEXT }),
    ),
  ),
);
const MAPPINGS = named(
  "GitBranchMappings",
  byProfile(({ base }) =>
    objectOf({ [base === "xata" ? "mapping" : "mappings"]: arrayOf(MAPPING) }),
  ),
);
const RESOLVED = named(
  "ResolvedBranch",
  objectOf({
    branch: TEXT,
    reason: objectOf({
      code: oneOf(["FOUND_IN_MAPPING", "BRANCH_EXISTS", "FALLBACK_BRANCH", "DEFAULT_BRANCH"]),
      message: TEXT,
    }),
  }),
);

/** The mapping of git branches to branches of a database (rules B-2 … B-5). */
export const GIT_BRANCH_ROUTES: readonly Route<
  "getGitBranchesMapping" | "addGitBranchesEntry" | "removeGitBranchesEntry" | "resolveBranch"
>[] = [
  defineRoute({
    at: `GET ${MAPPING_AT}`,
    operation: "getGitBranchesMapping",
    summary: "The mapping, in the order first added.",
    answers: { 200: MAPPINGS },
    find: findDatabase,
    act: (database) => database.gitBranches.list(),
  }),
  defineRoute({
    at: `POST ${MAPPING_AT}`,
    operation: "addGitBranchesEntry",
    summary: "Maps a git branch, with a warning if it was mapped already.",
    body: MAPPING,
    answers: { 201: objectOf({ warning: TEXT }), 204: null },
    find: findDatabase,
    reply: (database, { body }) => {
      const { warning } = database.gitBranches.add(body);
      return warning === undefined ? { status: 204 } : { status: 201, body: { warning } };
    },
  }),
  defineRoute({
    at: `DELETE ${MAPPING_AT}`,
    operation: "removeGitBranchesEntry",
    summary: "Takes a git branch out of the mapping.",
    parameters: { gitBranch: textParameter("The git branch.", true) },
    answers: { 204: null },
    find: findDatabase,
    act: (database, { parameters: { gitBranch } }) => {
      database.gitBranches.remove(gitBranch!); // required, so read
    },
  }),
  defineRoute({
    at: "GET /dbs/{db_name}/resolveBranch",
    operation: "resolveBranch",
    summary: "The branch that a git branch leads to, and why.",
    parameters: {
      gitBranch: textParameter("The git branch."),
      fallbackBranch: textParameter("The branch to take where it leads to none."),
    },
    answers: { 200: RESOLVED },
    find: findDatabase,
    act: (database, { parameters }) => database.gitBranches.resolve(parameters),
  }),
];
