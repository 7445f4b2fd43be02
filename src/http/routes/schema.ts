import type { AnyBranch } from "../../engine/branch.js";
import { PUSHED_MIGRATIONS } from "../../history/branch-history.js";
import { checkOf } from "../../history/edits.js";
import { OPERATIONS, SCHEMA } from "../../history/shapes.js";
import {
  compareSchemas,
  describeTables,
  lastMigrationId,
  listMigrations,
  type Migration,
  pushMigrations,
  readEdits,
  readSchema,
  replay,
  type TableSchema,
  updateSchema,
} from "../../history.js";
import { partAt, refuseValue } from "../../shape/fields.js";
import * as s from "../../shape/schema.js";
import { type Address, branchHandle, findBranchPlace } from "../address.js";
import { pageMigrations } from "../migration-pages.js";
import { defineRoute, type Routes } from "../route.js";
import { completeMigration } from "../schema-version.js";
import {
  COMPARED,
  MIGRATION_ANSWER,
  MIGRATION_LOGS,
  MIGRATION_PAGE,
  SCHEMA_EDITS,
} from "../schemas/tables.js";

const SCHEMA_AT = "/db/{db_branch_name}/schema";

const COMPARISON = s.objectOf(
  { schema: SCHEMA },
  { schemaOperations: OPERATIONS, branchOperations: OPERATIONS },
);
const PENDING = s.objectOf(
  {},
  { sourceBranchOperations: OPERATIONS, targetBranchOperations: OPERATIONS },
);
const UPDATE = s.objectOf({ operations: OPERATIONS }, { parentID: s.TEXT });
const PUSH = s.objectOf({ migrations: PUSHED_MIGRATIONS });
const HISTORY = s.objectOf({}, { page: MIGRATION_PAGE, since: s.described(s.TEXT) });

export const SCHEMA_ROUTES: Routes<
  | "compareBranchWithUserSchema"
  | "compareBranchSchemas"
  | "applyBranchSchemaEdit"
  | "previewBranchSchemaEdit"
  | "updateBranchSchema"
  | "pushBranchMigrations"
  | "getBranchSchemaHistory"
> = {
  compareBranchWithUserSchema: defineRoute({
    at: `POST ${SCHEMA_AT}/compare`,
    summary: "The operations from the branch's schema to the given one.",
    reads: true,
    body: s.reading(COMPARISON, { what: "compare", rule: "X-4" }),
    answers: { 200: COMPARED },
    find: branchHandle,
    act: (branch, { engine, body: { schema, schemaOperations, branchOperations } }) => {
      const given = readSchema(schema, engine.profile, "/schema", checkOf(branch));
      const own = describeTables(branch);
      const source = withPending(branch, own, branchOperations, "/branchOperations");
      const target = withPending(branch, given, schemaOperations, "/schemaOperations");
      return describeComparison(branch, source, target);
    },
  }),
  compareBranchSchemas: defineRoute({
    at: `POST ${SCHEMA_AT}/compare/{branch_name}`,
    summary: "The operations from this branch's schema to another's.",
    reads: true,
    body: s.reading(PENDING, { what: "compare", rule: "K-1" }),
    answers: { 200: COMPARED },
    find: findTwoBranches,
    act: ({ branch, other }, { body: { sourceBranchOperations, targetBranchOperations } }) => {
      const [own, others] = [describeTables(branch), describeTables(other)];
      const source = withPending(branch, own, sourceBranchOperations, "/sourceBranchOperations");
      const target = withPending(other, others, targetBranchOperations, "/targetBranchOperations");
      return describeComparison(branch, source, target);
    },
  }),
  applyBranchSchemaEdit: defineRoute({
    at: `POST ${SCHEMA_AT}/apply`,
    summary: "Applies operations to the schema of a branch, all or none.",
    body: s.reading(s.objectOf({ edits: SCHEMA_EDITS }), { what: "apply", rule: "X-4" }),
    answers: { 200: MIGRATION_ANSWER },
    find: branchHandle,
    act: (branch, { body: { edits } }) =>
      completeMigration(branch, () => updateSchema(branch, edits, "/edits/operations")),
  }),
  previewBranchSchemaEdit: defineRoute({
    at: `POST ${SCHEMA_AT}/preview`,
    summary: "The schema of a branch before and after operations.",
    reads: true,
    body: s.reading(s.objectOf({}, { edits: SCHEMA_EDITS }), { what: "preview", rule: "X-4" }),
    answers: { 200: s.objectOf({ original: SCHEMA, updated: SCHEMA }) },
    find: branchHandle,
    act: (branch, { body: { edits } }) => {
      const original = describeTables(branch);
      const updated = withPending(branch, original, edits?.operations, "/edits/operations");
      return { original: { tables: original }, updated: { tables: updated } };
    },
  }),
  updateBranchSchema: defineRoute({
    at: `POST ${SCHEMA_AT}/update`,
    summary: "Applies operations to a branch's schema if its last migration is the given one.",
    body: s.reading(UPDATE, { what: "update", rule: "K-1" }),
    answers: { 200: MIGRATION_ANSWER },
    find: branchHandle,
    act: (branch, { body }) => completeMigration(branch, () => updateSchema(branch, body)),
  }),
  pushBranchMigrations: defineRoute({
    at: `POST ${SCHEMA_AT}/push`,
    summary: "Applies migrations made elsewhere, all or none; they keep their ids.",
    body: s.reading(PUSH, { what: "push", rule: "K-2" }),
    answers: { 200: MIGRATION_ANSWER },
    find: branchHandle,
    act: (branch, { body: { migrations } }) =>
      completeMigration(branch, () => pushMigrations(branch, migrations)),
  }),
  getBranchSchemaHistory: defineRoute({
    at: `POST ${SCHEMA_AT}/history`,
    summary: "Migrations of a branch, latest first.",
    reads: true,
    body: s.reading(HISTORY, { what: "history", rule: "K-1" }),
    answers: { 200: MIGRATION_LOGS },
    find: branchHandle,
    act: (branch, { body: { page, since } }) =>
      pageMigrations(afterMigration(listMigrations(branch), since), page),
  }),
};

function afterMigration(migrations: readonly Migration[], since: unknown): readonly Migration[] {
  if (since === undefined) return migrations;
  const index = migrations.findIndex(({ id }) => id === since);
  if (index >= 0) return migrations.slice(index + 1);
  return refuseValue(since, "the id of a migration", partAt("since", "K-1"));
}

/** Returns a schema after operations, without executing them. */
function withPending(
  branch: AnyBranch,
  tables: readonly TableSchema[],
  pending: unknown,
  at: string,
): readonly TableSchema[] {
  return pending === undefined
    ? tables
    : replay(branch, tables, readEdits(branch, pending, at), at);
}

function describeComparison(
  branch: AnyBranch,
  source: readonly TableSchema[],
  target: readonly TableSchema[],
): object {
  const operations = compareSchemas(source, target, checkOf(branch));
  return {
    source: { tables: source },
    target: { tables: target },
    edits: { sourceMigrationID: lastMigrationId(branch), operations },
  };
}

function findTwoBranches(address: Address): { branch: AnyBranch; other: AnyBranch } {
  const { database } = findBranchPlace(address);
  const branch = branchHandle(address);
  return { branch, other: database.branch(address.names.branch_name ?? "") };
}
