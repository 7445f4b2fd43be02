import { findBranch } from "../catalog/find.js";
import { type AnyBranch, Branch } from "../engine/branch.js";
import { pointer, refuse, TwinbaseError } from "../errors.js";
import type { SchemaEdit } from "../schema/compare-columns.js";
import { readFields, readString, refuseValue } from "../value/fields.js";
import { applyEdits, compareSchemas, describeTables, readEdits } from "./edits.js";
import { describeHistory, type Migration, type MigrationNote, migrate } from "./migrations.js";

/** How a schema is updated. */
export interface SchemaUpdate {
  /** The last migration of the branch, as the caller knows it; absent, whatever it is. */
  readonly parentID?: string | undefined;
  /** The steps from the schema before to the one after. */
  readonly operations: readonly SchemaEdit[];
}

/** A migration as it is pushed: one that was made elsewhere (rule K-2). */
export interface PushedMigration extends SchemaUpdate {
  /** No other migration of the branch has it. */
  readonly id: string;
  /** Of the operations, by whatever made them; it is kept as it is, and not looked at. */
  readonly checksum: string;
  /** A short name. */
  readonly title?: string | undefined;
  /** What it is for. */
  readonly message?: string | undefined;
}

/** Every change of a branch's schema, oldest first (rule K-1). */
export function listMigrations(branch: AnyBranch): Migration[] {
  const { context, address } = Branch.sourceOf(branch);
  return describeHistory(findBranch(context.state, address).history);
}

/** The id of the last change of a branch's schema; empty where there was none. */
export function lastMigrationId(branch: AnyBranch): string {
  return listMigrations(branch).at(-1)?.id ?? "";
}

/**
 * Does steps on the schema of a branch, all or none, as one migration (rule K-1).
 *
 * @param at JSON pointer to the steps, for errors
 * @throws TwinbaseError of the step that is refused, with status 400; `schema_conflict` where
 * `parentID` is not the last migration.
 */
export function updateSchema(branch: AnyBranch, update: SchemaUpdate, at = "/operations"): void {
  const { parentID, operations } = update;
  requireLast(branch, parentID ?? lastMigrationId(branch), "/parentID");
  const edits = readEdits(operations, at);
  change(branch, {}, edits, at);
}

/**
 * Does migrations that were made elsewhere, all or none; they keep their ids (rule K-2).
 *
 * @throws TwinbaseError `schema_conflict` where one does not follow the last or has the id of
 * another; `invalid_request`, or that of the step that is refused, with status 400.
 */
export function pushMigrations(branch: AnyBranch, migrations: readonly PushedMigration[]): void {
  if (!Array.isArray(migrations)) {
    refuseValue(migrations, "an array", { what: "migrations", path: "/migrations", rule: "K-2" });
  }
  Branch.sourceOf(branch).context.atomic(() => {
    for (const [index, given] of (migrations as readonly unknown[]).entries()) {
      const at = pointer("/migrations", index);
      const { id, checksum, parentID, title, message, operations } = readPushed(given, at);
      requireLast(branch, parentID, `${at}/parentID`);
      requireNew(branch, id, `${at}/id`);
      const edits = readEdits(operations, `${at}/operations`);
      change(branch, { given: { id, checksum }, ...title, ...message }, edits, `${at}/operations`);
    }
  });
}

/** The steps that make the schema of one branch of another's. */
export function compareBranches(source: AnyBranch, target: AnyBranch): SchemaEdit[] {
  return compareSchemas(describeTables(source), describeTables(target));
}

/** What one branch has of changes and another lacks, since their common ancestor; oldest first. */
export function missingMigrations(source: AnyBranch, target: AnyBranch): Migration[] {
  const known = new Set(listMigrations(target).flatMap(({ id, merged = [] }) => [id, ...merged]));
  return listMigrations(source).filter(({ id, merged }) => {
    // What came to the source from the target is there already.
    return !known.has(id) && !(merged?.every((other) => known.has(other)) ?? false);
  });
}

/** Brings to one branch what another has and it lacks, as one migration (rule K-3). */
export function mergeMigrations(
  source: AnyBranch,
  target: AnyBranch,
  note: Pick<MigrationNote, "title" | "message">,
): void {
  const missing = missingMigrations(source, target);
  if (missing.length === 0) return;
  const merged = missing.flatMap(({ id, merged: others = [] }) => [...others, id]);
  try {
    change(
      target,
      { ...note, merged },
      missing.flatMap(({ operations }) => operations),
      "",
    );
  } catch (error) {
    if (!(error instanceof TwinbaseError)) throw error;
    refuse("schema_conflict", `branch [${target.name}]: ${error.message}`, { rule: "K-3" });
  }
}

function change(
  branch: AnyBranch,
  note: MigrationNote,
  edits: readonly SchemaEdit[],
  at: string,
): void {
  const { context, address } = Branch.sourceOf(branch);
  migrate(context, address, note, () => applyEdits(branch, edits, at), edits);
}

function requireLast(branch: AnyBranch, parentID: string | undefined, path: string): void {
  const last = lastMigrationId(branch);
  if ((parentID ?? "") === last) return;
  const expected = last === "" ? "none, for there is no migration yet" : `the last, ${last}`;
  refuse("schema_conflict", `parentID: expected ${expected}`, { path, rule: "K-2" });
}

/** Requests and pages name migrations by their ids, so no two of a branch have the same. */
function requireNew(branch: AnyBranch, id: string, path: string): void {
  if (!listMigrations(branch).some((migration) => migration.id === id)) return;
  refuse("schema_conflict", `id: branch [${branch.name}] has a migration [${id}] already`, {
    path,
    rule: "K-2",
  });
}

function readPushed(given: unknown, at: string) {
  const part = { what: "migration", path: at, rule: "K-2" };
  const keys = ["id", "parentID", "checksum", "operations", "title", "message"] as const;
  const fields = readFields(given, keys, part);
  const text = (key: "id" | "checksum" | "parentID" | "title" | "message", max: number): string =>
    readString(fields[key], 0, max, { what: key, path: pointer(at, key), rule: "K-2" });
  if (fields.id === "") refuseValue("", "an id", { ...part, path: pointer(at, "id") });
  return {
    id: text("id", 255),
    checksum: text("checksum", 255),
    parentID: fields.parentID === undefined ? undefined : text("parentID", 255),
    operations: fields.operations,
    title: fields.title === undefined ? {} : { title: text("title", 255) },
    message: fields.message === undefined ? {} : { message: text("message", 65_536) },
  };
}
