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
import type { Session } from "./driver.js";
import { ConflictError } from "./failure.js";
import { followsLinks } from "./held-rows.js";
import { tableIn } from "./placement.js";
import { compilingFor } from "./query-table.js";
import { transact } from "./transact.js";
import { writeChanges } from "./update-record.js";
import { sendWrite, type Write } from "./write.js";

/**
 * Updates or deletes all matching records, with one statement if nothing but the filter depends on
 * records, otherwise in a transaction. Returns their number.
 *
 * @param changes undefined deletes
 */
export async function writeWhere(
  backend: Backend,
  address: TableAddress,
  filter: Filter,
  changes?: AnyInput,
): Promise<number> {
  const count = await withCatalog(backend, async () => {
    const write = compileWhere(backend, address, filter, changes);
    if (write === undefined) return undefined;
    const guard = guardOf(openBranch(backend, address).placement);
    try {
      const query: Session["query"] = (statement) => backend.driver.write(statement, guard);
      const [row] = await sendWrite({ query }, write);
      return Number(row?.[0]);
    } catch (error) {
      if (error instanceof ConflictError) return undefined;
      throw error;
    }
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
): Write | undefined {
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
      : `update ${table} ${BASE} set ${writeChanges(writer, branch, address, { changes })}`;
    const condition = writePredicate({ writer, dialect: compiling.dialect, from }, query.predicate);
    backend.advisor.note(demandsOf({ identity, ...query }, compiling), compiling.tableOf);
    const text = `with w as (${act} where ${condition} returning 1) select count(*) from w`;
    return { table, statement: writer.finish(text) };
  } catch (error) {
    // Without a matching record, invalid changes are none.
    if (error instanceof TwinbaseError) return undefined;
    throw error;
  }
}
