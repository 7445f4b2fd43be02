import * as s from "../../shape/schema.js";
import { databaseHandle } from "../address.js";
import { defineRoute, type Routes } from "../route.js";

const MAPPING_AT = "/dbs/{db_name}/gitBranches";

const MAPPING = s.named(
  "GitBranchMapping",
  s.described(
    s.byProfile(({ mappingTarget }) =>
      s.objectOf({ gitBranch: s.textOf(1, 1024), [mappingTarget]: s.TEXT }),
    ),
  ),
);
const MAPPINGS = s.named(
  "GitBranchMappings",
  s.byProfile(({ mappingsKey }) => s.objectOf({ [mappingsKey]: s.arrayOf(MAPPING) })),
);
const GIT_BRANCH: s.Schema<string> = { ...s.TEXT, description: "The git branch." };
const RESOLVED = s.named(
  "ResolvedBranch",
  s.objectOf({
    branch: s.TEXT,
    reason: s.objectOf({
      code: s.oneOf(["FOUND_IN_MAPPING", "BRANCH_EXISTS", "FALLBACK_BRANCH", "DEFAULT_BRANCH"]),
      message: s.TEXT,
    }),
  }),
);

export const GIT_BRANCH_ROUTES: Routes<
  "getGitBranchesMapping" | "addGitBranchesEntry" | "removeGitBranchesEntry" | "resolveBranch"
> = {
  getGitBranchesMapping: defineRoute({
    at: `GET ${MAPPING_AT}`,
    summary: "The mappings, in insertion order.",
    answers: { 200: MAPPINGS },
    find: databaseHandle,
    act: (database) => database.gitBranches.list(),
  }),
  addGitBranchesEntry: defineRoute({
    at: `POST ${MAPPING_AT}`,
    summary: "Maps a git branch; overwriting returns a warning.",
    body: MAPPING,
    answers: { 201: s.objectOf({ warning: s.TEXT }), 204: null },
    find: databaseHandle,
    reply: (database, { body }) => {
      const { warning } = database.gitBranches.add(body);
      return warning === undefined ? { status: 204 } : { status: 201, body: { warning } };
    },
  }),
  removeGitBranchesEntry: defineRoute({
    at: `DELETE ${MAPPING_AT}`,
    summary: "Removes a mapping of a git branch.",
    parameters: s.objectOf({ gitBranch: GIT_BRANCH }),
    answers: { 204: null },
    find: databaseHandle,
    act: (database, { parameters: { gitBranch } }) => {
      database.gitBranches.remove(gitBranch);
    },
  }),
  resolveBranch: defineRoute({
    at: "GET /dbs/{db_name}/resolveBranch",
    summary: "Resolves a git branch to a branch.",
    parameters: s.objectOf(
      {},
      {
        gitBranch: GIT_BRANCH,
        fallbackBranch: { ...s.TEXT, description: "The branch if nothing else matches." },
      },
    ),
    answers: { 200: RESOLVED },
    find: databaseHandle,
    act: (database, { parameters }) => database.gitBranches.resolve(parameters),
  }),
};
