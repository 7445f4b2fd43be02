import type { BranchAddress } from "../catalog/address.js";
import { assert } from "../errors.js";

/** Where the rows of a database are: a schema of its own, with a table for each one of a branch. */
export interface Placement {
  readonly schema: string;
  /** The version of the database's document. */
  readonly version: number;
  /** Orders the databases as they were made. */
  readonly place: number;
  /** The names of tables by their identity, by branch. */
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** The name of the table that holds the rows of one of a branch. */
export function tableIn(
  { schema, tables }: Placement,
  { branch }: Pick<BranchAddress, "branch">,
  identity: string,
): string {
  const name = tables.get(branch)?.get(identity);
  assert(name !== undefined, `the table ${identity} has a place`);
  return `${schema}.${name}`;
}

/** The names of tables as a document holds them. */
export function writePlaces(tables: Placement["tables"]): string {
  return JSON.stringify(Array.from(tables, ([branch, names]) => [branch, [...names]]));
}

export function readPlaces(text: string): Placement["tables"] {
  const places = JSON.parse(text) as [string, [string, string][]][]; // as `writePlaces` wrote it
  return new Map(places.map(([branch, names]) => [branch, new Map(names)]));
}
