import { checkOf, walkSchemas } from "../../history/edits.js";
import { describeDifference, executePlan, PLAN } from "../../history/plans.js";
import { SCHEMA } from "../../history/shapes.js";
import {
  compareSchemas,
  describeTables,
  lastMigrationId,
  listMigrations,
  readSchema,
  type TableSchema,
} from "../../history.js";
import * as s from "../../shape/schema.js";
import { branchHandle } from "../address.js";
import { refuseLong } from "../answer.js";
import { defineRoute, type Routes } from "../route.js";
import { completeMigration } from "../schema-version.js";
import { MIGRATION_ANSWER } from "../schemas/tables.js";

const MIGRATIONS = "/db/{db_branch_name}/migrations";
const VERSION = 1;
/** Maximum table names in an answer: each migration lists all (rule L-11). */
const MAX_NAMES = 10_000_000;

const EXECUTION = s.objectOf({ version: { const: VERSION }, migration: PLAN });

/** The schema history in the format of earlier clients: changes by table (rule K-1). */
export const MIGRATION_ROUTES: Routes<
  "getBranchMigrationHistory" | "getBranchMigrationPlan" | "executeBranchMigrationPlan"
> = {
  getBranchMigrationHistory: defineRoute({
    at: `GET ${MIGRATIONS}`,
    summary: "Migrations of a branch, latest first.",
    answers: { 200: s.objectOf({ migrations: s.arrayOf(s.ANY_OBJECT) }) },
    find: branchHandle,
    act: (branch) => {
      const migrations = listMigrations(branch);
      let namesLeft = MAX_NAMES;
      const described = Array.from(walkSchemas(branch, migrations), (step, index) => {
        const { before, edits, names } = step;
        namesLeft -= names.length;
        if (namesLeft < 0) refuseLong();
        return describeDifference(before, edits, names, migrations[index]);
      });
      return { migrations: described.reverse() };
    },
  }),
  getBranchMigrationPlan: defineRoute({
    at: `POST ${MIGRATIONS}/plan`,
    summary: "The plan from the branch's schema to the given one.",
    reads: true,
    body: SCHEMA,
    answers: { 200: s.objectOf({ version: s.INTEGER, migration: s.ANY_OBJECT }) },
    find: branchHandle,
    act: (branch, { engine, body }) => {
      const target = readSchema(body, engine.profile, "", checkOf(branch));
      const before = describeTables(branch);
      const edits = compareSchemas(before, target, checkOf(branch));
      const parentID = lastMigrationId(branch);
      const migration = describeDifference(before, edits, namesOf(target));
      return {
        version: VERSION,
        migration: { ...migration, ...(parentID !== "" && { parentID }) },
      };
    },
  }),
  executeBranchMigrationPlan: defineRoute({
    at: `POST ${MIGRATIONS}/execute`,
    summary: "Executes a plan, all or none.",
    body: s.reading(EXECUTION, { what: "plan", rule: "K-1" }),
    answers: { 200: MIGRATION_ANSWER },
    find: branchHandle,
    act: (branch, { body: { migration } }) =>
      completeMigration(branch, () => executePlan(branch, migration)),
  }),
};

function namesOf(tables: readonly TableSchema[]): string[] {
  return tables.map(({ name }) => name);
}
