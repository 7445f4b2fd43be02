import { type BranchAddress, tableAt } from "../catalog/address.js";
import { openRun } from "../engine/query-run.js";
import { bindFilter } from "../query/bind/filter.js";
import { tableScope } from "../query/bind/scope.js";
import type { Statement } from "../sql/statement.js";
import { type Backend, type OpenBranch, openBranch, readFor, requireVersion } from "./backend.js";
import type { Session } from "./driver.js";
import { HeldRows, type Program, settledValue } from "./held-rows.js";
import { matchesOf } from "./wanted-rows.js";

interface FilteredTables {
  /** Filters by table; without one all records are read. */
  readonly filters: ReadonlyMap<string, unknown>;
  readonly request: { readonly consistency?: unknown };
}

/** Runs a program in the engine on all matching records, so that sums are exact. */
export async function runOnMatches<T>(
  backend: Backend,
  address: BranchAddress,
  { filters, request }: FilteredTables,
  program: Program<T>,
): Promise<T> {
  const now = backend.catalog.context.clock.now();
  const branch = openBranch(backend, address);
  const held = new HeldRows(backend, branch, { now, isOptimistic: false, mayQuery: true });
  const first = await held.run(program);
  if ("error" in first.result) throw first.result.error;
  const read = async (session: Session): Promise<T> => {
    held.forget();
    await requireVersion(session, branch.placement);
    for (const [table, filter] of filters) {
      held.hold(
        tableAt(address, table),
        await session.query(scanOf(backend, branch, table, filter)),
      );
    }
    const outcome = await held.complete(program, session, false);
    return settledValue(outcome);
  };
  return readFor(backend, request, (access) => access.transact("snapshot", read));
}

function scanOf(backend: Backend, branch: OpenBranch, name: string, filter: unknown): Statement {
  const table = tableAt(branch.address, name);
  const predicate = bindFilter(tableScope(openRun(branch.context, table)), filter, "/filter");
  return matchesOf(backend, branch, table, { predicate });
}
