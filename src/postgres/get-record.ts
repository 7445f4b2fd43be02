import type { TableAddress } from "../catalog/address.js";
import { openRun } from "../engine/query-run.js";
import { tableScope } from "../query/bind/scope.js";
import { bindColumns } from "../query/bind/selection.js";
import type { Selection } from "../query/bound/query.js";
import { type CompiledRecord, compileRecord } from "../sql/select.js";
import { writeText } from "../sql/text.js";
import type { TableVersion } from "../storage/table.js";
import type { AnyRecord } from "../types.js";
import { type Backend, type OpenBranch, openBranch, queryAt } from "./backend.js";
import { compilingFor } from "./query.js";

const compiled = new WeakMap<TableVersion, Map<string, CompiledRecord>>();
const MAX_COMPILED = 64;

/** Reads a record, if one statement suffices; else undefined. Throws as section P says. */
export async function getRecord(
  backend: Backend,
  address: TableAddress,
  id: string,
  columns: readonly string[] | undefined,
): Promise<AnyRecord | undefined> {
  const branch = openBranch(backend, address);
  const found = compileFor(backend, branch, address.table, columns);
  if (found === undefined) return undefined;
  const statement = { ...found.statement, values: [writeText(id)] };
  const [row] = await queryAt(backend.driver, branch.placement, statement);
  return row && found.read(row, []);
}

/** Compiles a record of a table; undefined if its columns need more than a statement. */
export function compileFor(
  backend: Backend,
  branch: OpenBranch,
  name: string,
  columns: unknown,
): CompiledRecord | undefined {
  const address = { ...branch.address, table: name };
  if (!branch.context.readBranch(address).tables.has(name)) return undefined;
  const table = branch.context.readTable(address);
  const kept = compiled.get(table) ?? new Map<string, CompiledRecord>();
  compiled.set(table, kept);
  const key = JSON.stringify([columns]);
  let found = kept.get(key);
  if (found === undefined) {
    const scope = tableScope(openRun(branch.context, address));
    const { selection, reverse } = bindColumns(scope, columns, "/columns");
    // Depends on the user, or needs more statements.
    if (reverse.length > 0 || hasFiles(selection)) return undefined;
    found = compileRecord(compilingFor(backend, branch), table.identity, selection, "");
    if (kept.size === MAX_COMPILED) kept.clear();
    kept.set(key, found);
  }
  return found;
}

function hasFiles({ columns }: Pick<Selection, "columns">): boolean {
  return [...columns.values()].some((choice) => {
    if (choice.kind === "object") return hasFiles(choice);
    if (choice.kind === "link")
      return choice.linked !== undefined && hasFiles(choice.linked.selection);
    return choice.kind === "files";
  });
}
