import { type BranchAddress, tableAt } from "../catalog/address.js";
import { queryEnvironment } from "../engine/query-environment.js";
import { bindFilter } from "../query/bind/filter.js";
import { tableScope } from "../query/bind/scope.js";
import { TRUE } from "../query/bound/condition.js";
import { compileScan } from "../sql/select.js";
import type { Statement } from "../sql/statement.js";
import {
  type Backend,
  type OpenBranch,
  openBranch,
  requireVersion,
  withCatalog,
} from "./backend.js";
import { HeldRows, type Program, settledValue } from "./held-rows.js";
import { compilingFor } from "./query.js";
import { storedColumns } from "./rows.js";

/**
 * Runs a program that looks at all records of some tables, such as `summarize`: they are read, and
 * the engine runs on them, so that sums are exact (rule X-6).
 *
 * @param filters of each table the filter that its records match; absent, all are read
 */
export function runOnMatches<T>(
  backend: Backend,
  address: BranchAddress,
  filters: ReadonlyMap<string, unknown>,
  program: Program<T>,
): Promise<T> {
  const { catalog, driver } = backend;
  const now = catalog.context.clock.now();
  return withCatalog(backend, async () => {
    const branch = openBranch(backend, address);
    const held = new HeldRows(branch, { now, nextId: 0, trustsOwnIds: false });
    const first = await held.run(program);
    if ("error" in first.result) throw first.result.error;
    return driver.transact("snapshot", async (session) => {
      await requireVersion(session, branch.placement);
      for (const [table, filter] of filters) {
        held.hold(table, await session.query(scanOf(backend, branch, table, filter)));
      }
      let outcome = await held.run(program);
      while (outcome.lacks) {
        await held.read(session, false);
        outcome = await held.run(program);
      }
      return settledValue(outcome);
    });
  });
}

function scanOf(backend: Backend, branch: OpenBranch, name: string, filter: unknown): Statement {
  const { context, address } = branch;
  const table = context.readTable(tableAt(address, name));
  const scope = tableScope(queryEnvironment(context, address), table);
  const predicate = filter === undefined ? TRUE : bindFilter(scope, filter, () => "/filter");
  const columns = storedColumns(table.schema).map((column) => column.name);
  return compileScan(compilingFor(backend, branch), table.identity, predicate, columns);
}
