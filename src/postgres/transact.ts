import type { BranchAddress } from "../catalog/address.js";
import type { AnyBranch } from "../engine/branch.js";
import type { Row } from "../sql/project.js";
import type { Statement } from "../sql/statement.js";
import {
  type Backend,
  guardOf,
  type OpenBranch,
  openBranch,
  queryAt,
  requireVersion,
  withCatalog,
} from "./backend.js";
import type { Driver } from "./driver.js";
import { ConflictError } from "./failure.js";
import { HeldRows, type Outcome, type Program, settledValue } from "./held-rows.js";
import { sendWrite, sendWrites } from "./write.js";

/**
 * Runs a program over the records of a branch in one atomic transaction. It may run several times,
 * so its only effect should be on the branch that it gets.
 *
 * The first run reads without locks and writes on the condition of unchanged versions, with one
 * statement if possible. Reruns, and programs that read with several statements, lock rows. Throws
 * the program's errors and `unavailable`.
 */
export function transact<T>(
  backend: Backend,
  address: BranchAddress,
  program: (branch: AnyBranch) => T,
): Promise<T> {
  const attempt = prepareTransaction<T>(backend, "write");
  const { workspace, database, branch } = address;
  const run: Program<T> = (engine) =>
    program(engine.workspace(workspace).database(database).branch(branch));
  return withCatalog(backend, () => attempt(address, run));
}

/** As {@link transact}; `withCatalog` may call the result several times for one request. */
export function prepareTransaction<T>(
  backend: Backend,
  kind: "write" | "snapshot",
): (address: BranchAddress, program: Program<T>) => Promise<T> {
  const { catalog, driver, ids } = backend;
  const now = catalog.context.clock.now();
  const isWrite = kind === "write";
  let run = 0;
  /** The maximum of all runs. */
  let idsTaken = 0;
  return async (address, program) => {
    const branch = openBranch(backend, address);
    const isFirst = run++ === 0;
    let nextId = ids.next(now);
    let held: HeldRows;
    /** Runs without rows: invalid requests need no transaction. */
    const dry = (): Promise<Outcome<T>> => {
      const isOptimistic = isFirst && isWrite;
      held = new HeldRows(branch, { now, nextId, isOptimistic, mayQuery: false });
      return held.run(program);
    };
    /** Reads with one statement and without locks; undefined if that is impossible. */
    const optimistic = async (first: Outcome<T>): Promise<Outcome<T> | undefined> => {
      if (!first.lacks) return first;
      if (!held.isReadAtOnce()) return undefined;
      const query = (statement: Statement): Promise<Row[]> =>
        queryAt(driver, branch.placement, statement);
      if (!(await held.read({ query }, false))) return first;
      const outcome = await held.run(program);
      return outcome.lacks ? undefined : outcome;
    };
    const locked = (first: Outcome<T>): Promise<T> =>
      driver.transact(kind, async (session) => {
        // Sent with the first read.
        const checked = requireVersion(session, branch.placement);
        session.defer(checked);
        const outcome = await held.complete(program, session, isWrite, first);
        await checked;
        const value = settledValue(outcome);
        if (!isWrite) return value;
        requireIds(outcome);
        await sendWrites(session, held.flush(outcome));
        // Until the first write a cluster loses the locks when it moves a table.
        if (branch.rowForm === "values") await sendWrites(session, held.unchanged(outcome));
        return value;
      });
    const requireIds = ({ context }: Outcome<T>): void => {
      const [end, taken] = [nextId + idsTaken, context.nextId - nextId];
      if (taken <= idsTaken) return;
      const isFree = ids.reserve(end, taken - idsTaken) === end;
      idsTaken = taken;
      if (!isFree) throw new ConflictError("others have taken the ids");
    };
    let first = await dry();
    if (!first.lacks && "error" in first.result) throw first.result.error;
    idsTaken = Math.max(idsTaken, first.context.nextId - nextId);
    const reserved = ids.reserve(nextId, idsTaken);
    if (reserved !== nextId) {
      nextId = reserved;
      first = await dry();
    }
    // Reruns lock what they read, as others may change it again.
    if (isFirst || !isWrite) {
      const outcome = await optimistic(first);
      if (outcome !== undefined) {
        const value = settledValue(outcome);
        if (!isWrite) return value;
        requireIds(outcome);
        if (await writeUnlocked(driver, branch, held!, outcome)) return value; // set by `dry`
      }
      first = await dry();
    }
    return locked(first);
  };
}

/**
 * Writes the result of an unlocked run. Returns false if the program only read some of the rows.
 */
async function writeUnlocked(
  driver: Driver,
  { placement }: OpenBranch,
  held: HeldRows,
  outcome: Outcome<unknown>,
): Promise<boolean> {
  const writes = held.flush(outcome);
  const { value: first } = writes.next();
  if (first === undefined) return true;
  if (held.unchanged(outcome).next().done !== true) return false;
  // If one surely follows, it is encoded while the server runs the first.
  const { value: second } = first.hasNext ? {} : writes.next();
  const isOnly = !first.hasNext && second === undefined;
  if (isOnly && (first.rows ?? 1) === 1) {
    const guard = guardOf(placement);
    await sendWrite({ query: (statement) => driver.write(statement, guard) }, first);
    return true;
  }
  await driver.transact("write", async (session) => {
    session.defer(requireVersion(session, placement));
    await sendWrites(session, second === undefined ? [first] : [first, second]);
    await sendWrites(session, writes);
  });
  return true;
}
