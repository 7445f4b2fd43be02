import type { AnyDatabase } from "../../engine/database.js";
import { type AnyEngine, createEngine } from "../../engine.js";
import { describe, refuse } from "../../errors.js";
import {
  compareSchemas,
  createMigrationRequest,
  describeTables,
  getMigrationRequest,
  lastMigrationId,
  listMigrationRequests,
  listRequestMigrations,
  type MigrationRequest,
  mergeMigrationRequest,
  updateMigrationRequest,
} from "../../history.js";
import type { AnyTable } from "../../typed/table.js";
import type { QueryRequest } from "../../types.js";
import { readFields } from "../../value/fields.js";
import { type Address, findDatabase } from "../address.js";
import { unchecked } from "../fields.js";
import { describeCommit, pageMigrations } from "../migration-pages.js";
import {
  ANY_OBJECT,
  arrayOf,
  FLAG,
  NO_KEYS,
  objectOf,
  refer,
  TEXT,
  WHOLE,
} from "../openapi/schema.js";
import { defineRoute, type Route } from "../route.js";

const REQUESTS = "/dbs/{db_name}/migrations";
const REQUEST = `${REQUESTS}/{mr_number}`;

/** Requests to bring the changes of one branch's schema into another (rule K-3). */
export const MIGRATION_REQUEST_ROUTES: readonly Route[] = [
  defineRoute({
    method: "POST",
    path: REQUESTS,
    plane: "workspace",
    touches: "catalog",
    operation: "createMigrationRequest",
    summary: "Asks for the changes of one branch to be brought into another.",
    body: objectOf({ source: TEXT, target: TEXT, title: TEXT, body: TEXT }, [
      "source",
      "target",
      "title",
    ]),
    answers: { 201: objectOf({ number: WHOLE }) },
    find: findDatabase,
    handle: (database, { body }) => ({
      status: 201,
      body: { number: createMigrationRequest(database, unchecked(body)) },
    }),
  }),
  defineRoute({
    method: "POST",
    path: `${REQUESTS}/query`,
    plane: "workspace",
    touches: "catalog",
    operation: "queryMigrationRequests",
    summary: "One page of the migration requests that match a filter, in an order.",
    body: refer("QueryRequest"),
    answers: {
      200: objectOf({
        migrationRequests: arrayOf(ANY_OBJECT),
        meta: objectOf({ page: objectOf({ cursor: TEXT, more: FLAG, size: WHOLE }) }),
      }),
    },
    find: findDatabase,
    handle: (database, { engine, body }) => {
      const { records, meta } = openRequests(database, engine).query(unchecked<QueryRequest>(body));
      const { metadataColumn } = engine.profile;
      const migrationRequests = records.map(({ id: _, [metadataColumn]: __, ...rest }) => rest);
      return { status: 200, body: { migrationRequests, meta } };
    },
  }),
  defineRoute({
    method: "GET",
    path: REQUEST,
    plane: "workspace",
    touches: "catalog",
    operation: "getMigrationRequest",
    summary: "A migration request.",
    answers: { 200: refer("MigrationRequest") },
    find: findRequest,
    handle: ({ request }) => ({ status: 200, body: request }),
  }),
  defineRoute({
    method: "PATCH",
    path: REQUEST,
    plane: "workspace",
    touches: "catalog",
    operation: "updateMigrationRequest",
    summary: "Changes title, body or status of a migration request.",
    body: objectOf(
      { title: TEXT, body: TEXT, status: { type: "string", enum: ["open", "closed"] } },
      [],
    ),
    answers: { 204: null },
    find: findRequest,
    handle: ({ database, request: { number } }, { body }) => {
      updateMigrationRequest(database, number, unchecked(body));
      return { status: 204 };
    },
  }),
  defineRoute({
    method: "POST",
    path: `${REQUEST}/commits`,
    plane: "workspace",
    touches: "catalog",
    operation: "listMigrationRequestsCommits",
    summary: "What merging a request brings to its target, the latest first.",
    body: objectOf({ page: refer("MigrationPage") }, []),
    answers: { 200: refer("MigrationLogs") },
    find: findRequest,
    handle: ({ database, request: { number } }, { body }) => {
      const { page } = readFields(body, ["page"], { what: "commits", rule: "K-3" });
      return { status: 200, body: pageMigrations(listRequestMigrations(database, number), page) };
    },
  }),
  defineRoute({
    method: "POST",
    path: `${REQUEST}/compare`,
    plane: "workspace",
    touches: "catalog",
    operation: "compareMigrationRequest",
    summary: "The schemas of both branches, and the steps that make the source's of the target's.",
    body: NO_KEYS,
    answers: {
      200: objectOf({
        source: refer("Schema"),
        target: refer("Schema"),
        edits: refer("SchemaEdits"),
      }),
    },
    find: findRequest,
    handle: ({ database, request }, { body }) => {
      readFields(body, [], { what: "compare", rule: "K-3" });
      const [from, to] = [database.branch(request.source), database.branch(request.target)];
      const [source, target] = [describeTables(from), describeTables(to)];
      return {
        status: 200,
        body: {
          source: { tables: source },
          target: { tables: target },
          edits: {
            sourceMigrationID: lastMigrationId(from),
            targetMigrationID: lastMigrationId(to),
            operations: compareSchemas(target, source),
          },
        },
      };
    },
  }),
  defineRoute({
    method: "GET",
    path: `${REQUEST}/merge`,
    plane: "workspace",
    touches: "catalog",
    operation: "getMigrationRequestIsMerged",
    summary: "Whether a migration request was merged.",
    answers: { 200: objectOf({ merged: FLAG }) },
    find: findRequest,
    handle: ({ request: { status } }) => ({ status: 200, body: { merged: status === "merged" } }),
  }),
  defineRoute({
    method: "POST",
    path: `${REQUEST}/merge`,
    plane: "workspace",
    touches: "catalog",
    operation: "mergeMigrationRequest",
    summary: "Brings to the target what the source has and it lacks, all or none.",
    body: NO_KEYS,
    answers: { 200: ANY_OBJECT },
    find: findRequest,
    handle: ({ database, request: { number, target, title } }, { body }) => {
      readFields(body, [], { what: "merge", rule: "K-3" });
      const migration = mergeMigrationRequest(database, number);
      const { createdAt, mergedAt = createdAt } = getMigrationRequest(database, number);
      const { id, parentID } = migration ?? { id: lastMigrationId(database.branch(target)) };
      return {
        status: 200,
        body: {
          id,
          ...(parentID !== undefined && { parentID }),
          title,
          status: "completed",
          createdAt: mergedAt,
          ...(migration !== undefined && { migration: describeCommit(migration) }),
        },
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

/** The migration requests as a table, so that they are queried as records are. */
function openRequests(database: AnyDatabase, { profile, limits }: AnyEngine): AnyTable {
  const table: AnyTable = createEngine({ profile, limits, now: 0, seed: 0 })
    .createWorkspace("w")
    .createDatabase("d")
    .branch("main")
    .createTable("requests", [
      { name: "number", type: "int" },
      { name: "source", type: "string" },
      { name: "target", type: "string" },
      { name: "title", type: "string" },
      { name: "body", type: "text" },
      { name: "status", type: "string" },
      { name: "createdAt", type: "datetime" },
      { name: "modifiedAt", type: "datetime" },
      { name: "closedAt", type: "datetime" },
      { name: "mergedAt", type: "datetime" },
    ]);
  const records = listMigrationRequests(database).map((request) => ({
    id: String(request.number).padStart(9, "0"),
    ...request,
  }));
  table.load(records);
  return table;
}
