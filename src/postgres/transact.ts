import type { BranchAddress } from "../catalog/address.js";
import type { Row } from "../sql/project.js";
import type { Statement } from "../sql/statement.js";
import { sendWrite } from "./advisor.js";
import { type Backend, openBranch, queryAt, requireVersion, withCatalog } from "./backend.js";
import { HeldRows, type Program, settledValue } from "./held-rows.js";

/**
 * Runs a program over the records of a branch, in one transaction: all that it writes is there, or
 * nothing. It may be run several times, so it has no effect but on the engine that it is given.
 *
 * @throws TwinbaseError what the program throws; `unavailable`
 */
export async function transact<T>(
  backend: Backend,
  address: BranchAddress,
  program: Program<T>,
  kind: "write" | "snapshot" = "write",
): Promise<T> {
  const { catalog, driver, ids } = backend;
  const now = catalog.context.clock.now();
  let run = 0;
  return withCatalog(backend, async () => {
    const branch = openBranch(backend, address);
    const trustsOwnIds = run++ === 0 && kind === "write";
    const nextId = ids.take(now);
    const open = (): HeldRows =>
      new HeldRows(branch, { now, nextId, trustsOwnIds, mayQuery: false });
    let held = open();
    // Without any row first: what is wrong with a request as such needs no transaction.
    let first = await held.run(program);
    if (!first.lacks && "error" in first.result) throw first.result.error;
    if (kind === "snapshot" && held.isReadAtOnce()) {
      // What one statement reads is of one moment.
      const query = (statement: Statement): Promise<Row[]> =>
        queryAt(driver, branch.placement, statement);
      if (!(await held.read({ query }, false))) return settledValue(first);
      const outcome = await held.run(program);
      if (!outcome.lacks) return settledValue(outcome);
      held = open();
      first = await held.run(program);
    }
    const done = await driver.transact(kind, async (session) => {
      // What is read first is sent along, and counts where the catalog is as it is known.
      const checked = requireVersion(session, branch.placement);
      const locks = kind === "write";
      const reading = first.lacks ? held.read(session, locks) : undefined;
      const [found] = await Promise.all([reading, checked]);
      const outcome = found ? await held.complete(program, session, locks) : first;
      const value = settledValue(outcome);
      if (locks) {
        for (const statement of held.flush(outcome)) session.defer(sendWrite(session, statement));
      }
      return { value, nextId: outcome.context.nextId };
    });
    ids.commit(done.nextId);
    return done.value;
  });
}
