import type { AnyDatabase } from "../../engine/database.js";
import { describe, refuse } from "../../errors.js";
import { queryMigrationRequests } from "../../history/query-requests.js";
import {
  compareSchemas,
  createMigrationRequest,
  describeTables,
  getMigrationRequest,
  lastMigrationId,
  listRequestMigrations,
  type MigrationRequest,
  type MigrationRequestChanges,
  type MigrationRequestOptions,
  mergeMigrationRequest,
  updateMigrationRequest,
} from "../../history.js";
import { type Address, findDatabase } from "../address.js";
import { describeCommit, pageMigrations } from "../migration-pages.js";
import { defineRoute, type Route } from "../route.js";
import {
  ANY_OBJECT,
  arrayOf,
  byEngine,
  FLAG,
  NO_KEYS,
  named,
  objectOf,
  oneOf,
  reading,
  TEXT,
  TIME,
  textOf,
  WHOLE,
} from "../schema.js";
import { QUERY_REQUEST } from "../schemas/records.js";
import { MIGRATION_LOGS, MIGRATION_PAGE, SCHEMA, SCHEMA_EDITS } from "../schemas/tables.js";

const REQUESTS = "/dbs/{db_name}/migrations";
const REQUEST_AT = `${REQUESTS}/{mr_number}` as const;

const TITLE = textOf(1, 255);
const BODY = textOf(0, 65_536);
const OPTIONS = byEngine<MigrationRequestOptions>(
  objectOf({ source: TEXT, target: TEXT, title: TITLE }, { body: BODY }),
);
const CHANGES = byEngine<MigrationRequestChanges>(
  objectOf({}, { title: TITLE, body: BODY, status: oneOf(["open", "closed"]) }),
);
const REQUEST = named(
  "MigrationRequest",
  objectOf(
    {
      number: WHOLE,
      source: TEXT,
      target: TEXT,
      title: TEXT,
      body: TEXT,
      status: oneOf(["open", "closed", "merged"]),
      createdAt: TIME,
      modifiedAt: TIME,
    },
    { closedAt: TIME, mergedAt: TIME },
  ),
);
const REQUEST_PAGE = objectOf({
  migrationRequests: arrayOf(ANY_OBJECT),
  meta: objectOf({ page: objectOf({ cursor: TEXT, more: FLAG, size: WHOLE }) }),
});

/** Requests to bring the changes of one branch's schema into another (rule K-3). */
export const MIGRATION_REQUEST_ROUTES: readonly Route<
  | "createMigrationRequest"
  | "queryMigrationRequests"
  | "getMigrationRequest"
  | "updateMigrationRequest"
  | "listMigrationRequestsCommits"
  | "compareMigrationRequest"
  | "getMigrationRequestIsMerged"
  | "mergeMigrationRequest"
>[] = [
  defineRoute({
    at: `POST ${REQUESTS}`,
    operation: "createMigrationRequest",
    summary: "Asks for the changes of one branch to be brought into another.",
    body: OPTIONS,
    answers: { 201: objectOf({ number: WHOLE }) },
    find: findDatabase,
    act: (database, { body }) => ({ number: createMigrationRequest(database, body) }),
  }),
  defineRoute({
    at: `POST ${REQUESTS}/query`,
    operation: "queryMigrationRequests",
    summary: "One page of the migration requests that match a filter, in an order.",
    body: QUERY_REQUEST,
    answers: { 200: REQUEST_PAGE },
    find: findDatabase,
    act: (database, { engine, body }) => queryMigrationRequests(database, engine, body),
  }),
  defineRoute({
    at: `GET ${REQUEST_AT}`,
    operation: "getMigrationRequest",
    summary: "A migration request.",
    answers: { 200: REQUEST },
    find: findRequest,
    act: ({ request }) => request,
  }),
  defineRoute({
    at: `PATCH ${REQUEST_AT}`,
    operation: "updateMigrationRequest",
    summary: "Changes title, body or status of a migration request.",
    body: CHANGES,
    answers: { 204: null },
    find: findRequest,
    act: ({ database, request: { number } }, { body }) =>
      updateMigrationRequest(database, number, body),
  }),
  defineRoute({
    at: `POST ${REQUEST_AT}/commits`,
    operation: "listMigrationRequestsCommits",
    summary: "What merging a request brings to its target, the latest first.",
    body: reading(objectOf({}, { page: MIGRATION_PAGE }), { what: "commits", rule: "K-3" }),
    answers: { 200: MIGRATION_LOGS },
    find: findRequest,
    act: ({ database, request: { number } }, { body: { page } }) =>
      pageMigrations(listRequestMigrations(database, number), page),
  }),
  defineRoute({
    at: `POST ${REQUEST_AT}/compare`,
    operation: "compareMigrationRequest",
    summary: "The schemas of both branches, and the steps that make the source's of the target's.",
    body: reading(NO_KEYS, { what: "compare", rule: "K-3" }),
    answers: { 200: objectOf({ source: SCHEMA, target: SCHEMA, edits: SCHEMA_EDITS }) },
    find: findRequest,
    act: ({ database, request }) => {
      const [from, to] = [database.branch(request.source), database.branch(request.target)];
      const [source, target] = [describeTables(from), describeTables(to)];
      const edits = {
        sourceMigrationID: lastMigrationId(from),
        targetMigrationID: lastMigrationId(to),
        operations: compareSchemas(target, source),
      };
      return { source: { tables: source }, target: { tables: target }, edits };
    },
  }),
  defineRoute({
    at: `GET ${REQUEST_AT}/merge`,
    operation: "getMigrationRequestIsMerged",
    summary: "Whether a migration request was merged.",
    answers: { 200: objectOf({ merged: FLAG }) },
    find: findRequest,
    act: ({ request: { status } }) => ({ merged: status === "merged" }),
  }),
  defineRoute({
    at: `POST ${REQUEST_AT}/merge`,
    operation: "mergeMigrationRequest",
    summary: "Brings to the target what the source has and it lacks, all or none.",
    body: reading(NO_KEYS, { what: "merge", rule: "K-3" }),
    answers: { 200: ANY_OBJECT },
    find: findRequest,
    act: ({ database, request: { number, target, title } }) => {
      const migration = mergeMigrationRequest(database, number);
      const { createdAt, mergedAt = createdAt } = getMigrationRequest(database, number);
      const { id, parentID } = migration ?? { id: lastMigrationId(database.branch(target)) };
      return {
        id,
        ...(parentID !== undefined && { parentID }),
        title,
        status: "completed",
        createdAt: mergedAt,
        ...(migration !== undefined && { migration: describeCommit(migration) }),
      };
    },
  }),
];

function findRequest(address: Address): { database: AnyDatabase; request: MigrationRequest } {
  const database = findDatabase(address);
  const number = address.names.mr_number ?? "";
  if (!/^\d{1,9}$/.test(number)) {
    refuse("migration_request_not_found", `migration request ${describe(number)} not found`, {
      rule: "K-3",
    });
  }
  return { database, request: getMigrationRequest(database, Number(number)) };
}
