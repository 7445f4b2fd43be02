import { findDatabase } from "../address.js";
import { unchecked } from "../fields.js";
import { objectOf, refer, TEXT } from "../openapi/schema.js";
import { textParameter } from "../parameters.js";
import { defineRoute, type Route } from "../route.js";

const MAPPING = "/dbs/{db_name}/gitBranches";

/** The mapping of git branches to branches of a database (rules B-2 … B-5). */
export const GIT_BRANCH_ROUTES: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: MAPPING,
    plane: "workspace",
    touches: "catalog",
    operation: "getGitBranchesMapping",
    summary: "The mapping, in the order first added.",
    answers: { 200: refer("GitBranchMappings") },
    find: findDatabase,
    handle: (database) => ({ status: 200, body: database.gitBranches.list() }),
  }),
  defineRoute({
    method: "POST",
    path: MAPPING,
    plane: "workspace",
    touches: "catalog",
    operation: "addGitBranchesEntry",
    summary: "Maps a git branch, with a warning if it was mapped already.",
    body: refer("GitBranchMapping"),
    answers: { 201: objectOf({ warning: TEXT }), 204: null },
    find: findDatabase,
    handle: (database, { body }) => {
      const { warning } = database.gitBranches.add(unchecked(body));
      return warning === undefined ? { status: 204 } : { status: 201, body: { warning } };
    },
  }),
  defineRoute({
    method: "DELETE",
    path: MAPPING,
    plane: "workspace",
    touches: "catalog",
    operation: "removeGitBranchesEntry",
    summary: "Takes a git branch out of the mapping.",
    parameters: { gitBranch: textParameter("The git branch.", true) },
    answers: { 204: null },
    find: findDatabase,
    handle: (database, { parameters: { gitBranch } }) => {
      database.gitBranches.remove(gitBranch!); // required, so read
      return { status: 204 };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/dbs/{db_name}/resolveBranch",
    plane: "workspace",
    touches: "catalog",
    operation: "resolveBranch",
    summary: "The branch that a git branch leads to, and why.",
    parameters: {
      gitBranch: textParameter("The git branch."),
      fallbackBranch: textParameter("The branch to take where it leads to none."),
    },
    answers: { 200: refer("ResolvedBranch") },
    find: findDatabase,
    handle: (database, { parameters }) => ({
      status: 200,
      body: database.gitBranches.resolve(parameters),
    }),
  }),
];
