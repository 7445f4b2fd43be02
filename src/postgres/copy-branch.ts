import { type BranchAddress, tableAt } from "../catalog/address.js";
import { statementOf } from "../sql/statement.js";
import { type Backend, openBranch, requireRevision } from "./backend.js";
import { HeldRows, type Program, settledValue } from "./held-rows.js";
import { tableIn } from "./placement.js";
import { selectStored } from "./rows.js";
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
  const held = new HeldRows(branch, { now, isOptimistic: false, mayQuery: true }, [destination]);
  await driver.transact("revision", async (session) => {
    await requireRevision(session, branch.placement);
    for (const [name, key] of branch.context.readBranch(source).tables) {
      const { identity, schema } = branch.context.tableAt(key);
      const relation = tableIn(branch.placement, source, identity);
      const statement = statementOf((bind) => {
        const most = limit === undefined ? "" : ` limit ${bind(String(limit), "bigint")}`;
        return `${selectStored(schema, relation)} order by id${most}`;
      });
      held.hold(tableAt(source, name), await session.query(statement));
    }
    const outcome = await held.complete(program, session, true);
    settledValue(outcome);
    await sendWrites(session, held.flush(outcome, destination));
  });
}
