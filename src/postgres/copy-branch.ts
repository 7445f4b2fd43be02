import { type BranchAddress, tableAt } from "../catalog/address.js";
import { TRUE } from "../query/bound/bound-query.js";
import { type Backend, openBranch, requireRevision } from "./backend.js";
import { HeldRows, type Program, settledValue } from "./held-rows.js";
import { matchesOf } from "./wanted-rows.js";
import { sendWrites } from "./write.js";

export interface BranchCopy {
  readonly source: BranchAddress;
  readonly destination: string;
  readonly limit: number | undefined;
}

/** Runs a program on all records of a snapshot of the source and those it replaces, in one transaction. */
export async function copyBranch(
  backend: Backend,
  { source, destination, limit }: BranchCopy,
  program: Program<unknown>,
): Promise<void> {
  const { catalog, driver } = backend;
  const now = catalog.context.clock.now();
  const branch = openBranch(backend, source);
  await backend.ids.lease(now);
  const held = new HeldRows(backend, branch, { now, isOptimistic: false, mayQuery: true }, [
    destination,
  ]);
  await driver.transact("revision", async (session) => {
    await requireRevision(session, branch.placement);
    for (const name of branch.context.readBranch(source).tables.keys()) {
      const table = tableAt(source, name);
      const all = { predicate: TRUE, limit: limit ?? Infinity };
      held.hold(table, await session.query(matchesOf(backend, branch, table, all)));
    }
    const outcome = await held.complete(program, session, true);
    settledValue(outcome);
    await sendWrites(session, held.flush(outcome, destination));
  });
}
