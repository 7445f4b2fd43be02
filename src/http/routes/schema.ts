import { readFields, refuseValue } from "../../value/fields.js";
import { findBranch } from "../address.js";
import { arrayOf, objectOf, refer } from "../openapi/schema.js";
import { defineRoute, type Route } from "../route.js";
import { applyEdits, compareSchemas, readSchema } from "../schema-edits.js";
import { completeMigration, describeTables, schemaVersion } from "../schema-version.js";

const SCHEMA = "/db/{db_branch_name}/schema";

/** The schema of a branch as a whole (rule X-4). */
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
    answers: {
      200: objectOf({
        source: refer("Schema"),
        target: refer("Schema"),
        edits: refer("SchemaEdits"),
      }),
    },
    find: findBranch,
    handle: (branch, { engine, body }) => {
      const place = { what: "compare", rule: "X-4" };
      const known = ["schema", "schemaOperations", "branchOperations"] as const;
      const { schema, ...pending } = readFields(body, known, place);
      for (const [key, operations] of Object.entries(pending)) {
        if (!Array.isArray(operations) || operations.length > 0) {
          refuseValue(operations, "an empty array", { what: key, path: `/${key}`, rule: "X-4" });
        }
      }
      if (schema === undefined) {
        refuseValue(schema, "an object", { what: "schema", path: "/schema", rule: "X-4" });
      }
      const source = describeTables(branch);
      const target = readSchema(schema, engine.profile, "/schema");
      const operations = compareSchemas(source, target);
      const edits = { sourceMigrationID: schemaVersion(branch), operations };
      return {
        status: 200,
        body: { source: { tables: source }, target: { tables: target }, edits },
      };
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
    handle: (branch, { engine, body }) => {
      const { edits } = readFields(body, ["edits"], { what: "apply", rule: "X-4" });
      if (edits === undefined) {
        refuseValue(edits, "an object", { what: "edits", path: "/edits", rule: "X-4" });
      }
      const known = ["operations", "sourceMigrationID", "targetMigrationID"] as const;
      const place = { what: "edits", path: "/edits", rule: "X-4" };
      const { operations } = readFields(edits, known, place);
      return {
        status: 200,
        body: completeMigration(branch, () =>
          applyEdits(engine, branch, operations, "/edits/operations"),
        ),
      };
    },
  }),
];
