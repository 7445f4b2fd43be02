import type { AnyDatabase } from "../../engine/database.js";
import { describe, refuse } from "../../errors.js";
import { checkOf } from "../../history/edits.js";
import { queryMigrationRequests } from "../../history/query-requests.js";
import { MERGE_OPTIONS, REQUEST_CHANGES, REQUEST_OPTIONS } from "../../history/requests.js";
import {
  compareSchemas,
  createMigrationRequest,
  describeTables,
  getMigrationRequest,
  lastMigrationId,
  listRequestMigrations,
  type MigrationRequest,
  mergeMigrationRequest,
  updateMigrationRequest,
} from "../../history.js";
import * as s from "../../shape/schema.js";
import { type Address, databaseHandle } from "../address.js";
import { describeCommit, pageMigrations } from "../migration-pages.js";
import { defineRoute, type Routes } from "../route.js";
import { QUERY_REQUEST } from "../schemas/records.js";
import { COMPARED, MIGRATION_LOGS, MIGRATION_PAGE } from "../schemas/tables.js";

const REQUESTS = "/dbs/{db_name}/migrations";
const REQUEST_AT = `${REQUESTS}/{mr_number}` as const;

const REQUEST = s.named(
  "MigrationRequest",
  s.objectOf(
    {
      number: s.INTEGER,
      source: s.TEXT,
      target: s.TEXT,
      title: s.TEXT,
      body: s.TEXT,
      status: s.oneOf(["open", "closed", "merged"]),
      createdAt: s.TIME,
      modifiedAt: s.TIME,
    },
    { closedAt: s.TIME, mergedAt: s.TIME },
  ),
);
const REQUEST_PAGE = s.objectOf({
  migrationRequests: s.arrayOf(s.ANY_OBJECT),
  meta: s.objectOf({ page: s.objectOf({ cursor: s.TEXT, more: s.FLAG, size: s.INTEGER }) }),
});

export const MIGRATION_REQUEST_ROUTES: Routes<
  | "createMigrationRequest"
  | "queryMigrationRequests"
  | "getMigrationRequest"
  | "updateMigrationRequest"
  | "listMigrationRequestsCommits"
  | "compareMigrationRequest"
  | "getMigrationRequestIsMerged"
  | "mergeMigrationRequest"
> = {
  createMigrationRequest: defineRoute({
    at: `POST ${REQUESTS}`,
    summary: "Creates a request to merge one branch into another.",
    body: REQUEST_OPTIONS,
    answers: { 201: s.objectOf({ number: s.INTEGER }) },
    find: databaseHandle,
    act: (database, { body }) => ({ number: createMigrationRequest(database, body) }),
  }),
  queryMigrationRequests: defineRoute({
    at: `POST ${REQUESTS}/query`,
    summary: "A page of migration requests.",
    reads: true,
    body: QUERY_REQUEST,
    answers: { 200: REQUEST_PAGE },
    find: databaseHandle,
    act: (database, { engine, body }) => queryMigrationRequests(database, engine, body),
  }),
  getMigrationRequest: defineRoute({
    at: `GET ${REQUEST_AT}`,
    summary: "A migration request.",
    answers: { 200: REQUEST },
    find: findRequest,
    act: ({ request }) => request,
  }),
  updateMigrationRequest: defineRoute({
    at: `PATCH ${REQUEST_AT}`,
    summary: "Changes title, body or status of a migration request.",
    body: REQUEST_CHANGES,
    answers: { 204: null },
    find: findRequest,
    act: ({ database, request: { number } }, { body }) =>
      updateMigrationRequest(database, number, body),
  }),
  listMigrationRequestsCommits: defineRoute({
    at: `POST ${REQUEST_AT}/commits`,
    summary: "The migrations that merging applies, latest first.",
    reads: true,
    body: s.reading(s.objectOf({}, { page: MIGRATION_PAGE }), { what: "commits", rule: "K-3" }),
    answers: { 200: MIGRATION_LOGS },
    find: findRequest,
    act: ({ database, request: { number } }, { body: { page } }) =>
      pageMigrations(listRequestMigrations(database, number), page),
  }),
  compareMigrationRequest: defineRoute({
    at: `POST ${REQUEST_AT}/compare`,
    summary: "The schemas of both branches, and the operations from the target's to the source's.",
    reads: true,
    body: s.reading(s.NO_KEYS, { what: "compare", rule: "K-3" }),
    answers: { 200: COMPARED },
    find: findRequest,
    act: ({ database, request }) => {
      const [from, to] = [database.branch(request.source), database.branch(request.target)];
      const [source, target] = [describeTables(from), describeTables(to)];
      const edits = {
        sourceMigrationID: lastMigrationId(from),
        targetMigrationID: lastMigrationId(to),
        operations: compareSchemas(target, source, checkOf(from)),
      };
      return { source: { tables: source }, target: { tables: target }, edits };
    },
  }),
  getMigrationRequestIsMerged: defineRoute({
    at: `GET ${REQUEST_AT}/merge`,
    summary: "Whether a migration request was merged.",
    answers: { 200: s.objectOf({ merged: s.FLAG }) },
    find: findRequest,
    act: ({ request: { status } }) => ({ merged: status === "merged" }),
  }),
  mergeMigrationRequest: defineRoute({
    at: `POST ${REQUEST_AT}/merge`,
    summary:
      "Merges a migration request, all or none; refuses to lose values without `dropValues`.",
    body: MERGE_OPTIONS,
    answers: { 200: s.ANY_OBJECT },
    find: findRequest,
    act: ({ database, request: { number, target, title } }, { body }) => {
      const migration = mergeMigrationRequest(database, number, body);
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
};

function findRequest(address: Address): { database: AnyDatabase; request: MigrationRequest } {
  const database = databaseHandle(address);
  const number = address.names.mr_number ?? "";
  if (!/^\d{1,9}$/.test(number)) {
    refuse("migration_request_not_found", `migration request ${describe(number)} not found`, {
      rule: "K-3",
    });
  }
  return { database, request: getMigrationRequest(database, Number(number)) };
}
