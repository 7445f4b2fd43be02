import type { BranchAddress } from "../catalog/address.js";
import { type Column, findColumn, leavesOf, type Schema } from "../schema/columns.js";
import type { Row } from "../sql/project.js";
import { columnName } from "../sql/statement.js";
import type { TableVersion } from "../storage/table.js";
import { plain, type Session } from "./driver.js";
import { databaseKey } from "./layout.js";
import { type Placement, tableIn } from "./placement.js";
import { holdRows, selectStored } from "./rows.js";
import { type CatalogContents, databasesOf, tablesOf } from "./schema-change.js";

/** A table with enough rows to validate a change of its columns. */
export interface SampledTable {
  readonly address: BranchAddress;
  readonly name: string;
  readonly table: TableVersion;
}

/**
 * Reads a sample of the rows that a changed schema could refuse (T-16): two rows of the table, up to
 * two with null in each column that becomes `notNull`, and two with the same value in each column that
 * becomes unique. The change fails on the sample if it fails on all rows.
 */
export async function readSamples(
  session: Session,
  { before, after }: { readonly before: CatalogContents; readonly after: CatalogContents },
  placements: ReadonlyMap<string, Placement>,
): Promise<SampledTable[]> {
  const samples: SampledTable[] = [];
  const were = databasesOf(before.state);
  for (const [workspace, { databases }] of after.state.workspaces) {
    for (const [database, { branches }] of databases) {
      const key = databaseKey(workspace, database);
      const earlier = were.get(key);
      const placement = placements.get(key);
      if (earlier === undefined || placement === undefined) continue;
      for (const [branch, content] of branches) {
        const had = earlier.branches.get(branch);
        if (had === undefined || had === content) continue;
        const address = { workspace, database, branch };
        const known = tablesOf(had, before.tables);
        for (const value of tablesOf(content, after.tables).values()) {
          const was = known.get(value.identity);
          if (was === undefined || was.schema === value.schema) continue;
          const table = tableIn(placement, address, value.identity);
          const rows = await readRows(session, table, was.schema, value.schema);
          const name = [...had.tables].find(([, key]) => before.tables.get(key) === was)?.[0];
          if (rows.length === 0 || name === undefined) continue;
          samples.push({ address, name, table: holdRows(was, rows) });
        }
      }
    }
  }
  return samples;
}

async function readRows(
  session: Session,
  table: string,
  before: Schema,
  after: Schema,
): Promise<Row[]> {
  const select = selectStored(before, table);
  const rows = new Map<string, Row>();
  for (const condition of conditionsOf(table, before, after)) {
    const text = `${select} where ${condition} limit 2`;
    for (const row of await session.query(plain(text))) rows.set(row[0] ?? "", row);
  }
  return [...rows.values()];
}

function conditionsOf(table: string, before: Schema, after: Schema): string[] {
  const slots = new Set(before.leaves.map(({ slot }) => slot));
  const isOld = (column: Column): boolean => leavesOf(column).every(({ slot }) => slots.has(slot));
  const wasNotNull = (column: Column): boolean => findColumn(before, column.path)?.notNull === true;
  const nulls = after.constraints.notNulls.filter((column) => isOld(column) && !wasNotNull(column));
  const wereUnique = new Set(before.constraints.uniques.map(({ slot }) => slot));
  const uniques = after.constraints.uniques.filter(
    (column) => isOld(column) && !wereUnique.has(column.slot),
  );
  return [
    "true",
    ...nulls.map((column) =>
      leavesOf(column)
        .map(({ slot }) => `${columnName(slot)} is null`)
        .join(" and "),
    ),
    ...uniques.map(({ slot, type }) => {
      // JSON has no equality operator.
      const value = `${columnName(slot)}${type === "json" ? "::jsonb" : ""}`;
      return `${value} = (select ${value} from ${table} where ${columnName(slot)} is not null group by 1 having count(*) > 1 limit 1)`;
    }),
  ];
}
