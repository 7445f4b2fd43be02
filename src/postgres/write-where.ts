import type { TableAddress } from "../catalog/address.js";
import { openRun } from "../engine/query-run.js";
import { TwinbaseError } from "../errors.js";
import { bindMatches } from "../query/run.js";
import { demandsOf } from "../sql/demand.js";
import { writePredicate } from "../sql/predicate.js";
import { BASE } from "../sql/select.js";
import { FromClause, StatementWriter } from "../sql/statement.js";
import type { AnyInput } from "../typed/write.js";
import type { Filter } from "../types.js";
import { type Backend, guardOf, openBranch, withCatalog } from "./backend.js";
import { followsLinks } from "./held-rows.js";
import { tableIn } from "./placement.js";
import { compilingFor } from "./query-table.js";
import { transact } from "./transact.js";
import { type OnlyWrite, sendOnly, writeAssignments } from "./update-record.js";

/**
 * Updates or deletes all matching records, with one statement if nothing but the filter depends on
 * records, otherwise in a transaction. Returns their number.
 *
 * @param changes undefined deletes
 */
export async function writeMatching(
  backend: Backend,
  address: TableAddress,
  filter: Filter,
  changes?: AnyInput,
): Promise<number> {
  const count = await withCatalog(backend, async () => {
    const write = compileWhere(backend, address, filter, changes);
    const row = write && (await sendOnly(backend, write));
    return row && Number(row[0]);
  });
  return (
    count ??
    transact(backend, address, (branch) => {
      const table = branch.table(address.table);
      return changes === undefined ? table.deleteWhere(filter) : table.updateWhere(filter, changes);
    })
  );
}

function compileWhere(
  backend: Backend,
  address: TableAddress,
  filter: unknown,
  changes: unknown,
): OnlyWrite | undefined {
  const branch = openBranch(backend, address);
  const { context, placement, rowForm } = branch;
  // A cluster has no writes in `with`.
  if (rowForm === "values") return undefined;
  try {
    const { identity } = context.readTable(address);
    const query = bindMatches(openRun(context, address), filter ?? null);
    // A linked record may change between the statement's snapshot and its writes.
    if (followsLinks(query.predicate)) return undefined;
    const isDeletion = changes === undefined;
    if (isDeletion && context.linksTo(address).next().done !== true) return undefined;
    const compiling = compilingFor(backend, branch);
    const table = tableIn(placement, address, identity);
    const writer = new StatementWriter();
    const from = new FromClause(compiling, identity, BASE);
    const act = isDeletion
      ? `delete from ${table} ${BASE}`
      : `update ${table} ${BASE} set ${writeAssignments(writer, branch, address, { changes })}`;
    const condition = writePredicate({ writer, dialect: compiling.dialect, from }, query.predicate);
    backend.advisor.note(demandsOf({ identity, ...query }, compiling), compiling.tableOf);
    const text = `with w as (${act} where ${condition} returning 1) select count(*) from w`;
    return { table, statement: writer.finish(text), guard: guardOf(placement) };
  } catch (error) {
    // Without a matching record, invalid changes are none.
    if (error instanceof TwinbaseError) return undefined;
    throw error;
  }
}
