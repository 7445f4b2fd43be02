import { tableAt } from "../catalog/address.js";
import { findBranch } from "../catalog/find.js";
import { type AnyBranch, Branch } from "../engine/branch.js";
import { alterContext } from "../engine/tables.js";
import { isRefusal, pointer, refuse } from "../errors.js";
import { findColumn, leavesOf } from "../schema/columns.js";
import type { SchemaEdit } from "../schema/compare-columns.js";
import { refuseValue, requireObject } from "../shape/fields.js";
import { readBySchema } from "../shape/read.js";
import * as s from "../shape/schema.js";
import { requireValuesKept } from "../storage/row-checks.js";
import type { DropOptions } from "../typed/options.js";
import type { ColumnDefinition } from "../types.js";
import { parseInstant } from "../value/datetime.js";
import { applyEdits, checkOf, compareSchemas, describeTables, readEdits } from "./edits.js";
import { describeHistory, type Migration, type MigrationNote, migrate } from "./migrations.js";
import { ABOUT_COLUMN, type ColumnChanges, OPERATIONS } from "./shapes.js";

/** A schema change. */
export interface SchemaUpdate {
  /** The expected last migration of the branch; default any. */
  readonly parentID?: string | undefined;
  /** The steps of the change. */
  readonly operations: readonly SchemaEdit[];
}

/** A migration created elsewhere, to push (K-2). */
export interface PushedMigration extends SchemaUpdate {
  /** Unique in the branch. */
  readonly id: string;
  /** A checksum of the operations by their creator; stored, not verified. */
  readonly checksum: string;
  /** A short name. */
  readonly title?: string | undefined;
  /** A description. */
  readonly message?: string | undefined;
  /** RFC 3339; default now. */
  readonly createdAt?: string | undefined;
  /** The migrations of another branch that it merged; oldest first. */
  readonly merged?: readonly string[] | undefined;
}

const NAME = s.textOf(0, 255);
const TIME = s.parsed<string>(s.TIME, "an RFC 3339 date-time", (text) =>
  parseInstant(text) === undefined ? undefined : String(text),
);
const PUSHED = s.reading(
  s.arrayOf(
    s.named(
      "PushedMigration",
      s.objectOf(
        { id: s.textOf(1, 255), checksum: NAME, operations: OPERATIONS },
        {
          parentID: NAME,
          title: NAME,
          message: s.textOf(0, 65_536),
          createdAt: TIME,
          merged: s.arrayOf(NAME),
        },
      ),
    ),
  ),
  { what: "migrations", rule: "K-2" },
);
export const PUSHED_MIGRATIONS: s.Schema<readonly PushedMigration[]> = PUSHED;

/** Returns all schema migrations of a branch, oldest first (K-1). */
export function listMigrations(branch: AnyBranch): Migration[] {
  const { context, address } = Branch.sourceOf(branch);
  return describeHistory(findBranch(context.state, address).history, context.time.check);
}

/** Returns the id of a branch's last migration; empty if there is none. */
export function lastMigrationId(branch: AnyBranch): string {
  return listMigrations(branch).at(-1)?.id ?? "";
}

/**
 * Applies steps to the schema of a branch, atomically, as one migration (K-1).
 *
 * @param at JSON Pointer to the steps, for errors
 * @throws TwinbaseError the error of a step, with status 400; `schema_conflict` if `parentID` is
 * not the last migration.
 */
export function updateSchema(branch: AnyBranch, update: SchemaUpdate, at = "/operations"): void {
  requireObject(update, { what: "update", rule: "K-2" });
  const { parentID, operations } = update;
  Branch.sourceOf(branch).context.call(() => {
    const last = lastMigrationId(branch);
    requireLast(last, parentID ?? last, "/parentID");
    const edits = readEdits(branch, operations, at);
    change(branch, {}, edits, at);
  });
}

/**
 * Renames and alters a column as one migration (K-5). Throws `invalid_request`, and as `alterColumn`
 * and `renameColumn` of a table.
 */
export function changeColumn(
  branch: AnyBranch,
  table: string,
  column: ColumnDefinition,
  changes: ColumnChanges,
): void {
  const { name, ...options } = changes;
  const isAltered = Object.values(options).some((option) => option !== undefined);
  if (name === undefined && !isAltered) {
    refuseValue(name, "a name or options", { ...ABOUT_COLUMN, path: "/name" });
  }
  const { context, address } = Branch.sourceOf(branch);
  const handle = branch.table(table);
  migrate(context, address, {}, () => {
    if (isAltered) handle.alterColumn({ ...column, ...options });
    if (name !== undefined) handle.renameColumn(column.name, name);
  });
}

/**
 * Applies migrations created elsewhere, atomically; they keep their ids (K-2). Throws
 * `schema_conflict` if one does not follow the last or has a known id; `invalid_request`, or the
 * error of a step, with status 400.
 */
export function pushMigrations(branch: AnyBranch, migrations: readonly PushedMigration[]): void {
  const pushed = readBySchema(PUSHED, migrations ?? null, "/migrations");
  Branch.sourceOf(branch).context.call(() => {
    const ids = new Set(listMigrations(branch).map((migration) => migration.id));
    let last = lastMigrationId(branch);
    for (const [index, migration] of pushed.entries()) {
      const at = pointer("/migrations", index);
      const { id, checksum, parentID, operations, createdAt, ...note } = migration;
      requireLast(last, parentID, `${at}/parentID`);
      if (ids.has(id)) {
        // Migration requests refer to migrations by id, so ids are unique in a branch.
        const message = `id: branch [${branch.name}] already has a migration [${id}]`;
        refuse("schema_conflict", message, { path: `${at}/id`, rule: "K-2" });
      }
      const edits = readEdits(branch, operations, `${at}/operations`);
      const time = createdAt === undefined ? {} : { createdAt: parseInstant(createdAt)! }; // read
      change(branch, { given: { id, checksum }, ...time, ...note }, edits, `${at}/operations`);
      ids.add(id);
      last = id;
    }
  });
}

/** Returns the steps from one branch's schema to another's. */
export function compareBranches(source: AnyBranch, target: AnyBranch): SchemaEdit[] {
  return compareSchemas(describeTables(source), describeTables(target), checkOf(source));
}

/** Returns the migrations of `source` that `target` lacks. */
export function missingMigrations(source: AnyBranch, target: AnyBranch): Migration[] {
  const present = new Set(listMigrations(target).flatMap(({ id, merged = [] }) => [id, ...merged]));
  return listMigrations(source).filter(({ id, merged }) => {
    // Skip what the source merged from the target.
    return !present.has(id) && !(merged?.every((other) => present.has(other)) ?? false);
  });
}

export function mergeMigrations(
  source: AnyBranch,
  target: AnyBranch,
  note: Pick<MigrationNote, "title" | "message">,
  { dropValues = false }: DropOptions,
): void {
  const missing = missingMigrations(source, target);
  if (missing.length === 0) return;
  const merged = missing.flatMap(({ id, merged: others = [] }) => [...others, id]);
  const edits = missing.flatMap(({ operations }) => operations);
  try {
    change(target, { ...note, merged }, edits, "", dropValues ? undefined : keepValues(target));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const rule = error.code === "schema_conflict" ? error.rule : "K-3";
    refuse("schema_conflict", `branch [${target.name}]: ${error.message}`, { rule });
  }
}

/** Returns a function that rejects steps which would lose values that the branch has now (K-5). */
function keepValues(branch: AnyBranch): (edit: SchemaEdit) => void {
  const { context, address } = Branch.sourceOf(branch);
  const before = new Map<string, ReadonlySet<number>>();
  for (const key of context.readBranch(address).tables.values()) {
    const { identity, schema } = context.tableAt(key);
    before.set(identity, new Set(schema.leaves.map(({ slot }) => slot)));
  }
  return (edit) => {
    context.time.check();
    const isTable = "removeTable" in edit;
    if (!isTable && !("removeColumn" in edit)) return;
    const { table } = isTable ? edit.removeTable : edit.removeColumn;
    const at = tableAt(address, table);
    const key = context.readBranch(address).tables.get(table);
    if (key === undefined) return;
    const version = context.tableAt(key);
    const { schema } = version;
    const column = isTable ? undefined : findColumn(schema, edit.removeColumn.column);
    const removed = isTable ? schema.leaves : column === undefined ? [] : leavesOf(column);
    const had = before.get(version.identity);
    const leaves = schema.leaves.filter((leaf) => !removed.includes(leaf) || !had?.has(leaf.slot));
    requireValuesKept(version, { leaves }, alterContext(context, at));
  };
}

function change(
  branch: AnyBranch,
  note: MigrationNote,
  edits: readonly SchemaEdit[],
  at: string,
  allow?: (edit: SchemaEdit) => void,
): void {
  const { context, address } = Branch.sourceOf(branch);
  migrate(context, address, note, () => applyEdits(branch, edits, at, allow), edits);
}

function requireLast(last: string, parentID: string | undefined, path: string): void {
  if ((parentID ?? "") === last) return;
  const expected = last === "" ? "none: there are no migrations yet" : `the last, ${last}`;
  refuse("schema_conflict", `parentID: expected ${expected}`, { path, rule: "K-2" });
}
