import { refuse } from "../../errors.js";
import type { AnyBranch, AnyDatabase, AnyTable, AnyWorkspace, JsonObject } from "../../index.js";

/** What a request comes to: a status and a body, as the endpoint of the same address answers. */
export interface Outcome {
  readonly status: number;
  readonly body?: unknown;
}

/** A request taken apart. */
export interface Call {
  readonly workspace: AnyWorkspace;
  readonly method: string;
  /** The decoded parts of the address, in the places where a route has a star. */
  readonly names: readonly string[];
  readonly query: { readonly [name: string]: string };
  readonly body: JsonObject;
}

/** Refuses a method that no call stands for. */
export function unsupported({ method }: Call): never {
  refuse("method_not_allowed", `no call stands for ${method} here`);
}

/** The database that a call names. */
export function openDatabase(call: Call): AnyDatabase {
  return call.workspace.database(call.names[0] ?? "");
}

/** The database that a call names, and the name of the branch (rule N-2). */
export function splitBranch(call: Call): [AnyDatabase, string] {
  const parts = (call.names[0] ?? "").split(":");
  const [database, branch] = parts;
  if (database === undefined || branch === undefined || parts.length !== 2) {
    refuse("invalid_name", `expected database:branch, found ${call.names[0]}`);
  }
  return [call.workspace.database(database), branch];
}

/** The branch that a call names. */
export function openBranch(call: Call): AnyBranch {
  const [database, branch] = splitBranch(call);
  return database.branch(branch);
}

/** The table that a call names. */
export function openTable(call: Call): AnyTable {
  return openBranch(call).table(call.names[1] ?? "");
}

/** without `columns` a write gives id and metadata. */
export function selectedColumns({ query }: Call): string[] {
  return query.columns === undefined ? [] : query.columns.split(",");
}
