import type { BranchAddress } from "../catalog/address.js";
import { assert } from "../errors.js";

/** The location of a database's rows: a schema, with one table per table of a branch. */
export interface Placement {
  readonly schema: string;
  /** The version of the database's document. */
  readonly version: number;
  /** The position in the order of creation. */
  readonly number: number;
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

export function tableIn(
  { schema, tables }: Placement,
  { branch }: Pick<BranchAddress, "branch">,
  identity: string,
): string {
  const name = tables.get(branch)?.get(identity);
  assert(name !== undefined, `the table ${identity} is stored`);
  return `${schema}.${name}`;
}

export function writeTables(tables: Placement["tables"]): string {
  return JSON.stringify(Array.from(tables, ([branch, names]) => [branch, [...names]]));
}

export function readTables(text: string): Placement["tables"] {
  const tables = JSON.parse(text) as [string, [string, string][]][]; // written by `writeTables`
  return new Map(tables.map(([branch, names]) => [branch, new Map(names)]));
}
