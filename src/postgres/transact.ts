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
import { matchesOf } from "./matches.js";
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
    if (this.#isWrite) await this.#backend.ids.lease(this.#now);
    const held = new HeldRows(branch, {
      now: this.#now,
      isOptimistic,
      mayQuery: false,
      compileMatches: (table, matches) => matchesOf(this.#backend, branch, table, matches),
    });
    let dry = await held.run(this.#program);
    if (!dry.lacks) settledValue(dry);
    if (isUnlocked) {
      const outcome = await this.#readUnlocked(held, dry);
      if (outcome !== undefined) {
        const value = settledValue(outcome);
        if (!this.#isWrite || (await this.#writeUnlocked(held, outcome))) return value;
      }
      held.forget();
      dry = await held.run(this.#program);
    }
    return this.#runLocked(held, dry);
  }

  /** Reads with one statement and without locks; undefined if that is impossible. */
  async #readUnlocked(held: HeldRows, dry: Outcome<T>): Promise<Outcome<T> | undefined> {
    if (!dry.lacks) return dry;
    if (!held.isReadAtOnce()) return undefined;
    const query = (statement: Statement): Promise<Row[]> =>
      queryAt(this.#backend.driver, held.branch.placement, statement);
    if (!(await held.read({ query }, false))) return dry;
    const outcome = await held.run(this.#program);
    return outcome.lacks ? undefined : outcome;
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

  #runLocked(held: HeldRows, dry: Outcome<T>): Promise<T> {
    const { placement, rowForm } = held.branch;
    return this.#backend.driver.transact(this.#isWrite ? "write" : "snapshot", async (session) => {
      // Sent with the first read.
      const checked = requireVersion(session, placement);
      session.defer(checked);
      const outcome = await held.complete(this.#program, session, this.#isWrite, dry);
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
