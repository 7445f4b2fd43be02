import type { AnyBranch } from "../../engine/branch.js";
import { pointer } from "../../errors.js";
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
import { readFields, refuseValue } from "../../value/fields.js";
import { type Address, findBranch, findBranchPlace } from "../address.js";
import { unchecked } from "../fields.js";
import { pageMigrations } from "../migration-pages.js";
import { arrayOf, objectOf, refer, TEXT } from "../openapi/schema.js";
import { defineRoute, type Route } from "../route.js";
import { completeMigration } from "../schema-version.js";

const SCHEMA = "/db/{db_branch_name}/schema";

const COMPARED = objectOf({
  source: refer("Schema"),
  target: refer("Schema"),
  edits: refer("SchemaEdits"),
});

/** The schema of a branch as a whole (rule X-4), and how it came to be (K-1, K-2). */
export const SCHEMA_ROUTES: readonly Route[] = [
  defineRoute({
    method: "POST",
    path: `${SCHEMA}/compare`,
    plane: "workspace",
    touches: "catalog",
    operation: "compareBranchWithUserSchema",
    summary: "The steps that make the schema given of the branch's own.",
    body: objectOf(
      {
        schema: refer("Schema"),
        schemaOperations: arrayOf(refer("SchemaEdit")),
        branchOperations: arrayOf(refer("SchemaEdit")),
      },
      ["schema"],
    ),
    answers: { 200: COMPARED },
    find: findBranch,
    handle: (branch, { engine, body }) => {
      const place = { what: "compare", rule: "X-4" };
      const known = ["schema", "schemaOperations", "branchOperations"] as const;
      const { schema, ...pending } = readFields(body, known, place);
      if (schema === undefined) {
        refuseValue(schema, "an object", { what: "schema", path: "/schema", rule: "X-4" });
      }
      const given = readSchema(schema, engine.profile, "/schema");
      const source = withPending(branch, describeTables(branch), pending, "branchOperations");
      const target = withPending(branch, given, pending, "schemaOperations");
      return { status: 200, body: describeComparison(source, target, lastMigrationId(branch)) };
    },
  }),
  defineRoute({
    method: "POST",
    path: `${SCHEMA}/compare/{branch_name}`,
    plane: "workspace",
    touches: "catalog",
    operation: "compareBranchSchemas",
    summary: "The steps that make the schema of another branch of this one's.",
    body: objectOf(
      {
        sourceBranchOperations: arrayOf(refer("SchemaEdit")),
        targetBranchOperations: arrayOf(refer("SchemaEdit")),
      },
      [],
    ),
    answers: { 200: COMPARED },
    find: findTwoBranches,
    handle: ({ branch, other }, { body }) => {
      const known = ["sourceBranchOperations", "targetBranchOperations"] as const;
      const pending = readFields(body, known, { what: "compare", rule: "K-1" });
      const source = withPending(branch, describeTables(branch), pending, known[0]);
      const target = withPending(other, describeTables(other), pending, known[1]);
      return { status: 200, body: describeComparison(source, target, lastMigrationId(branch)) };
    },
  }),
  defineRoute({
    method: "POST",
    path: `${SCHEMA}/apply`,
    plane: "workspace",
    touches: "catalog",
    operation: "applyBranchSchemaEdit",
    summary: "Applies steps to the schema of a branch, all or none.",
    body: objectOf({ edits: refer("SchemaEdits") }),
    answers: { 200: refer("Migration") },
    find: findBranch,
    handle: (branch, { body }) => {
      const operations = readScript(body, "apply");
      return {
        status: 200,
        body: completeMigration(branch, () =>
          updateSchema(branch, { operations: unchecked(operations) }, "/edits/operations"),
        ),
      };
    },
  }),
  defineRoute({
    method: "POST",
    path: `${SCHEMA}/preview`,
    plane: "workspace",
    touches: "catalog",
    operation: "previewBranchSchemaEdit",
    summary: "The schema of a branch as it is, and as steps would make it.",
    body: objectOf({ edits: refer("SchemaEdits") }, []),
    answers: { 200: objectOf({ original: refer("Schema"), updated: refer("Schema") }) },
    find: findBranch,
    handle: (branch, { body }) => {
      const at = "/edits/operations";
      const edits = body.edits === undefined ? [] : readEdits(readScript(body, "preview"), at);
      const original = describeTables(branch);
      const updated = replay(branch, original, edits, at);
      return {
        status: 200,
        body: { original: { tables: original }, updated: { tables: updated } },
      };
    },
  }),
  defineRoute({
    method: "POST",
    path: `${SCHEMA}/update`,
    plane: "workspace",
    touches: "catalog",
    operation: "updateBranchSchema",
    summary: "Does steps on the schema of a branch, if its last migration is the one given.",
    body: objectOf({ parentID: TEXT, operations: arrayOf(refer("SchemaEdit")) }, ["operations"]),
    answers: { 200: refer("Migration") },
    find: findBranch,
    handle: (branch, { body }) => {
      const part = { what: "update", rule: "K-1" };
      const { parentID, operations } = readFields(body, ["parentID", "operations"], part);
      if (parentID !== undefined && typeof parentID !== "string") {
        refuseValue(parentID, "a string", { what: "parentID", path: "/parentID", rule: "K-1" });
      }
      return {
        status: 200,
        body: completeMigration(branch, () =>
          updateSchema(branch, { parentID, operations: unchecked(operations) }),
        ),
      };
    },
  }),
  defineRoute({
    method: "POST",
    path: `${SCHEMA}/push`,
    plane: "workspace",
    touches: "catalog",
    operation: "pushBranchMigrations",
    summary: "Does migrations that were made elsewhere, all or none; they keep their ids.",
    body: objectOf({ migrations: arrayOf(refer("PushedMigration")) }),
    answers: { 200: refer("Migration") },
    find: findBranch,
    handle: (branch, { body }) => {
      const { migrations } = readFields(body, ["migrations"], { what: "push", rule: "K-2" });
      return {
        status: 200,
        body: completeMigration(branch, () => pushMigrations(branch, unchecked(migrations))),
      };
    },
  }),
  defineRoute({
    method: "POST",
    path: `${SCHEMA}/history`,
    plane: "workspace",
    touches: "catalog",
    operation: "getBranchSchemaHistory",
    summary: "Every change of a branch's schema, the latest first.",
    body: objectOf({ page: refer("MigrationPage"), since: TEXT }, []),
    answers: { 200: refer("MigrationLogs") },
    find: findBranch,
    handle: (branch, { body }) => {
      const { page, since } = readFields(body, ["page", "since"], { what: "history", rule: "K-1" });
      const migrations = listMigrations(branch);
      return { status: 200, body: pageMigrations(afterMigration(migrations, since), page) };
    },
  }),
];

/** The migrations that came after the one of an id. */
function afterMigration(migrations: readonly Migration[], since: unknown): readonly Migration[] {
  if (since === undefined) return migrations;
  const index = migrations.findIndex(({ id }) => id === since);
  if (index >= 0) return migrations.slice(index + 1);
  return refuseValue(since, "the id of a migration", {
    what: "since",
    path: "/since",
    rule: "K-1",
  });
}

function withPending<K extends string>(
  branch: AnyBranch,
  tables: readonly TableSchema[],
  pending: { readonly [key in K]?: unknown },
  key: K,
): readonly TableSchema[] {
  if (pending[key] === undefined) return tables;
  const at = pointer("", key);
  return replay(branch, tables, readEdits(pending[key], at), at);
}

function describeComparison(
  source: readonly TableSchema[],
  target: readonly TableSchema[],
  sourceMigrationID: string,
): object {
  return {
    source: { tables: source },
    target: { tables: target },
    edits: { sourceMigrationID, operations: compareSchemas(source, target) },
  };
}

function readScript(body: object, what: string): unknown {
  const { edits } = readFields(body, ["edits"], { what, rule: "X-4" });
  if (edits === undefined) {
    refuseValue(edits, "an object", { what: "edits", path: "/edits", rule: "X-4" });
  }
  const known = ["operations", "sourceMigrationID", "targetMigrationID"] as const;
  return readFields(edits, known, { what: "edits", path: "/edits", rule: "X-4" }).operations;
}

function findTwoBranches(address: Address): { branch: AnyBranch; other: AnyBranch } {
  const { database } = findBranchPlace(address);
  const branch = findBranch(address);
  return { branch, other: database.branch(address.names.branch_name ?? "") };
}
