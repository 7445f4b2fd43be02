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
import { ConflictError } from "./failure.js";
import { HeldRows, type Outcome, type Program, settledValue } from "./held-rows.js";
import { sendWrite, sendWrites } from "./write.js";

/**
 * Runs a program over the records of a branch in one atomic transaction. It may run several times,
 * so its only effect should be on the branch that it gets. Throws the program's errors and
 * `unavailable`.
 */
export function transact<T>(
  backend: Backend,
  address: BranchAddress,
  program: (branch: AnyBranch) => T,
): Promise<T> {
  const { workspace, database, branch } = address;
  const transaction = new RecordTransaction<T>(backend, "write", (engine) =>
    program(engine.workspace(workspace).database(database).branch(branch)),
  );
  return withCatalog(backend, () => transaction.attempt(address));
}

/** A run of a program over the rows that are held. */
interface Run<T> {
  readonly branch: OpenBranch;
  readonly held: HeldRows;
  readonly outcome: Outcome<T>;
}

/**
 * A program that reads and writes records, for one request. Each attempt runs it in up to three
 * ways: dry, without rows, as invalid requests need no statement; unlocked, with the rows of one
 * statement, so that its writes are conditions on their versions; locked, with the rows of any number
 * of statements.
 */
export class RecordTransaction<T> {
  readonly #backend: Backend;
  readonly #isWrite: boolean;
  readonly #program: Program<T>;
  readonly #now: number;
  #attempts = 0;
  #nextId = 0;
  /** The maximum of all runs. */
  #idsTaken = 0;

  constructor(backend: Backend, kind: "write" | "snapshot", program: Program<T>) {
    this.#backend = backend;
    this.#isWrite = kind === "write";
    this.#program = program;
    this.#now = backend.catalog.context.clock.now();
  }

  /** Throws `ConflictError` and `StaleCatalogError`, after which it can be called again. */
  async attempt(address: BranchAddress): Promise<T> {
    const branch = openBranch(this.#backend, address);
    // Writes that met a conflict lock what they read, as others may change it again.
    const isUnlocked = this.#attempts++ === 0 || !this.#isWrite;
    const isOptimistic = isUnlocked && this.#isWrite;
    let run = await this.#reserveIds(branch, isOptimistic);
    if (isUnlocked) {
      const outcome = await this.#readUnlocked(run);
      if (outcome !== undefined) {
        const value = settledValue(outcome);
        if (!this.#isWrite || (await this.#writeUnlocked({ ...run, outcome }))) return value;
      }
      run = await this.#runDry(branch, isOptimistic);
    }
    return this.#runLocked(run);
  }

  async #runDry(branch: OpenBranch, isOptimistic: boolean): Promise<Run<T>> {
    const options = { now: this.#now, nextId: this.#nextId, isOptimistic, mayQuery: false };
    const held = new HeldRows(branch, options);
    return { branch, held, outcome: await held.run(this.#program) };
  }

  /** Runs dry, again if others have taken the ids that the first run generated. */
  async #reserveIds(branch: OpenBranch, isOptimistic: boolean): Promise<Run<T>> {
    const { ids } = this.#backend;
    this.#nextId = ids.next(this.#now);
    const run = await this.#runDry(branch, isOptimistic);
    if (!run.outcome.lacks) settledValue(run.outcome);
    this.#idsTaken = Math.max(this.#idsTaken, this.#idsOf(run));
    const reserved = ids.reserve(this.#nextId, this.#idsTaken);
    if (reserved === this.#nextId) return run;
    this.#nextId = reserved;
    return this.#runDry(branch, isOptimistic);
  }

  /** Reads with one statement and without locks; undefined if that is impossible. */
  async #readUnlocked({ branch, held, outcome: dry }: Run<T>): Promise<Outcome<T> | undefined> {
    if (!dry.lacks) return dry;
    if (!held.isReadAtOnce()) return undefined;
    const query = (statement: Statement): Promise<Row[]> =>
      queryAt(this.#backend.driver, branch.placement, statement);
    if (!(await held.read({ query }, false))) return dry;
    const outcome = await held.run(this.#program);
    return outcome.lacks ? undefined : outcome;
  }

  /** Returns false if the program only read some of the rows. */
  async #writeUnlocked(run: Run<T>): Promise<boolean> {
    this.#requireIds(run);
    const { driver } = this.#backend;
    const { placement } = run.branch;
    const writes = run.held.flush(run.outcome);
    const { value: first } = writes.next();
    if (first === undefined) return true;
    if (run.held.unchanged(run.outcome).next().done !== true) return false;
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

  #runLocked({ branch, held, outcome: dry }: Run<T>): Promise<T> {
    return this.#backend.driver.transact(this.#isWrite ? "write" : "snapshot", async (session) => {
      // Sent with the first read.
      const checked = requireVersion(session, branch.placement);
      session.defer(checked);
      const outcome = await held.complete(this.#program, session, this.#isWrite, dry);
      await checked;
      const value = settledValue(outcome);
      if (!this.#isWrite) return value;
      this.#requireIds({ branch, held, outcome });
      await sendWrites(session, held.flush(outcome));
      // Until the first write a cluster loses the locks when it moves a table.
      if (branch.rowForm === "values") await sendWrites(session, held.unchanged(outcome));
      return value;
    });
  }

  /** Throws `ConflictError` if a run generated more ids than are reserved, and others took them. */
  #requireIds(run: Run<T>): void {
    const taken = this.#idsOf(run);
    if (taken <= this.#idsTaken) return;
    const end = this.#nextId + this.#idsTaken;
    const isFree = this.#backend.ids.reserve(end, taken - this.#idsTaken) === end;
    this.#idsTaken = taken;
    if (!isFree) throw new ConflictError("others have taken the ids");
  }

  #idsOf({ outcome }: Run<T>): number {
    return outcome.context.nextId - this.#nextId;
  }
}
