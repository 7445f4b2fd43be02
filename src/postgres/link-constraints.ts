import type { BranchState, TableKey } from "../catalog/state.js";
import { refuseLink } from "../engine/link-checks.js";
import type { DanglingLink } from "../engine/notice.js";
import { ROOT } from "../errors.js";
import type { LinkColumn } from "../schema/columns.js";
import type { IndexShape } from "../sql/demand.js";
import { indexDefinition, indexName } from "../sql/index-text.js";
import { columnName, type Dialect, type Statement } from "../sql/statement.js";
import { readText } from "../sql/text.js";
import type { TableVersion } from "../storage/table.js";
import { plain, type Session } from "./driver.js";
import { type Placement, tableIn } from "./placement.js";

/** The foreign key of a checked link whose target exists (rule T-18). */
export interface LinkConstraint {
  readonly branch: string;
  readonly name: string;
  readonly identity: string;
  readonly column: LinkColumn;
  /** Both as `schema.table`. */
  readonly table: string;
  readonly target: string;
}

interface Tables {
  readonly branches: ReadonlyMap<string, BranchState>;
  readonly versions: ReadonlyMap<TableKey, TableVersion>;
  readonly placement: Placement;
}

/** Returns the foreign keys of a database by table, column and target. */
export function linkConstraints({
  branches,
  versions,
  placement,
}: Tables): Map<string, LinkConstraint> {
  const found = new Map<string, LinkConstraint>();
  for (const [branch, { tables }] of branches) {
    for (const [name, key] of tables) {
      const { identity, schema } = versions.get(key)!; // the catalog only has keys of these
      const table = tableIn(placement, { branch }, identity);
      for (const column of schema.constraints.links) {
        const targetKey = tables.get(column.target);
        if (targetKey === undefined) continue;
        const target = tableIn(placement, { branch }, versions.get(targetKey)!.identity); // the same
        const constraint = { branch, name, identity, column, table, target };
        found.set(`${table} ${column.slot} ${target}`, constraint);
      }
    }
  }
  return found;
}

export function dropConstraint({ table, column }: LinkConstraint): Statement {
  return plain(`alter table ${table} drop constraint if exists ${nameOf(table, column)}`);
}

/**
 * Adds a foreign key, and an index for deletions. Existing links may name no record (T-17). The commit
 * checks the key; a refused transaction runs again, and the engine sets links to null or rejects them.
 */
export function addConstraint(
  { table, column, target }: LinkConstraint,
  dialect: Dialect,
): Statement[] {
  const shape: IndexShape = { kind: "order", keys: [{ slot: column.slot, descending: false }] };
  const [, plainName = ""] = table.split(".");
  return [
    plain(
      `create index if not exists ${indexName(plainName, shape)} on ${indexDefinition(table, shape, dialect)}`,
    ),
    plain(
      `alter table ${table} add constraint ${nameOf(table, column)} foreign key (${columnName(column.slot)}) references ${target} deferrable initially deferred not valid`,
    ),
  ];
}

/** Looks for the first record whose link names no record. */
export async function findDangling(
  session: Session,
  { table, column, target }: LinkConstraint,
): Promise<DanglingLink | undefined> {
  const link = columnName(column.slot);
  const [row] = await session.query(
    plain(
      `select ${link}, id from ${table} l where ${link} is not null and not exists (select from ${target} t where t.id = l.${link}) order by id limit 1`,
    ),
  );
  if (row === undefined) return undefined;
  const [to = "", record = ""] = row.map((text) => readText(text ?? ""));
  return { link: to, record };
}

/** @throws TwinbaseError `invalid_record` for a link to no record */
export async function requireLinks(session: Session, constraint: LinkConstraint): Promise<void> {
  const found = await findDangling(session, constraint);
  if (found === undefined) return;
  const { branch, name: table, column } = constraint;
  refuseLink({
    address: { workspace: "", database: "", branch, table },
    column,
    ...found,
    at: ROOT,
  });
}

function nameOf(table: string, { slot }: LinkColumn): string {
  return `${table.split(".")[1]}_r${slot}`;
}
