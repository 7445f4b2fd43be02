import type { BranchAddress } from "../catalog/address.js";
import type { AnyBranch } from "../engine/branch.js";
import { Engine } from "../engine.js";
import { refuse } from "../errors.js";
import type { Row } from "../sql/project.js";
import type { Statement } from "../sql/statement.js";
import {
  type Backend,
  guardOf,
  openBranch,
  queryAt,
  requireVersion,
  withCatalog,
} from "./backend.js";
import { HeldRows, type Outcome, type Program, settledValue } from "./held-rows.js";
import { sendWrite, sendWrites } from "./write.js";

/** See `PostgresDatabase.transact`. */
export function transact<T>(
  backend: Backend,
  address: BranchAddress,
  program: (branch: AnyBranch) => T | Promise<T>,
): Promise<T> {
  const { workspace, database, branch } = address;
  const transaction = new RecordTransaction<T>(backend, "write", async (engine) => {
    const context = Engine.contextOf(engine);
    const { state } = context;
    const value = await program(engine.workspace(workspace).database(database).branch(branch));
    if (context.state !== state) {
      refuse("not_implemented", "transact: schemas and branches are changed by change");
    }
    return value;
  });
  return withCatalog(backend, () => transaction.attempt(address));
}

/**
 * A program that reads and writes records, for one request. It runs until it has the rows that it asks
 * for; first without any, as invalid requests need no statement. If one statement reads them all, its
 * writes are conditions on their versions; otherwise, and after a conflict, a transaction locks them.
 */
export class RecordTransaction<T> {
  readonly #backend: Backend;
  readonly #isWrite: boolean;
  readonly #program: Program<T>;
  readonly #now: number;
  #attempts = 0;

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
    if (this.#isWrite) await this.#backend.ids.lease(this.#now);
    const held = new HeldRows(this.#backend, branch, {
      now: this.#now,
      isOptimistic: isUnlocked && this.#isWrite,
      mayQuery: false,
    });
    if (isUnlocked) {
      const outcome = await this.#readUnlocked(held);
      if (outcome !== undefined) {
        const value = settledValue(outcome);
        if (!this.#isWrite || (await this.#writeUnlocked(held, outcome))) return value;
        held.forget();
      }
    }
    return this.#runLocked(held);
  }

  /** Reads with one statement and without locks; undefined if that is impossible. */
  async #readUnlocked(held: HeldRows): Promise<Outcome<T> | undefined> {
    const dry = await held.run(this.#program);
    if (!dry.lacks) return dry;
    const missing = held.missing(false);
    if (missing.length > 1) return undefined;
    const query = (statement: Statement): Promise<Row[]> =>
      queryAt(this.#backend.driver, held.branch.placement, statement);
    if (!(await held.read({ query }, missing))) return dry;
    const outcome = await held.run(this.#program);
    if (!outcome.lacks) return outcome;
    held.forget();
    return undefined;
  }

  /** Returns false if the program only read some of the rows. */
  async #writeUnlocked(held: HeldRows, outcome: Outcome<T>): Promise<boolean> {
    const { driver } = this.#backend;
    const { placement } = held.branch;
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

  #runLocked(held: HeldRows): Promise<T> {
    const { placement, rowForm } = held.branch;
    return this.#backend.driver.transact(this.#isWrite ? "write" : "snapshot", async (session) => {
      // Sent with the first read.
      const checked = requireVersion(session, placement);
      session.defer(checked);
      const outcome = await held.complete(this.#program, session, this.#isWrite);
      await checked;
      const value = settledValue(outcome);
      if (!this.#isWrite) return value;
      await sendWrites(session, held.flush(outcome));
      // Until the first write a cluster loses the locks when it moves a table.
      if (rowForm === "values") await sendWrites(session, held.unchanged(outcome));
      return value;
    });
  }
}
