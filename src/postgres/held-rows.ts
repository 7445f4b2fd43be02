import { branchAt, type TableAddress, tableAt } from "../catalog/address.js";
import type { TableKey } from "../catalog/state.js";
import type { EngineContext } from "../engine/context.js";
import { type AnyEngine, Engine } from "../engine.js";
import { refuse } from "../errors.js";
import { type Predicate, TRUE } from "../query/bound/bound-query.js";
import { ID_SLOT, VERSION_SLOT } from "../schema/columns.js";
import type { Row } from "../sql/project.js";
import { type Statement, statementOf } from "../sql/statement.js";
import { readText, writeText } from "../sql/text.js";
import type { SqlText } from "../sql/values.js";
import type { TableVersion } from "../storage/table.js";
import { findUnique, uniqueKey } from "../storage/unique.js";
import { formatRecordId } from "../value/id.js";
import type { Backend, OpenBranch } from "./backend.js";
import type { Session } from "./driver.js";
import { flushRows } from "./flush.js";
import { type Assumptions, HeldTable } from "./held-table.js";
import { tableIn } from "./placement.js";
import { holdRows } from "./rows.js";
import { attempt } from "./schema-steps.js";
import { type Matches, matchesOf, readWanted } from "./wanted-rows.js";
import type { Write } from "./write.js";

export type Program<T> = (engine: AnyEngine) => T | Promise<T>;

export interface Outcome<T> {
  readonly result: { readonly value: T } | { readonly error: unknown };
  /** Whether it used rows that are not loaded; the result is valid only if none of them exists. */
  readonly lacks: boolean;
  readonly context: EngineContext;
  /** The tables before the run. */
  readonly before: ReadonlyMap<TableKey, TableVersion>;
}

export interface RunOptions {
  /** The same in each run (S-4). */
  readonly now: number;
  /** Whether all rows of a query are loaded. */
  readonly mayQuery: boolean;
  /**
   * Whether generated ids and unique values count as free, and linked records as existing: the database
   * checks.
   */
  readonly isOptimistic: boolean;
}

/** A statement that reads rows of a table. */
interface Missing {
  readonly held: HeldTable;
  readonly statement: Statement;
}

/** The rows of branches that a program has needed so far, and those that its last run lacked. */
export class HeldRows {
  readonly branch: OpenBranch;
  readonly #backend: Backend;
  readonly #branches: readonly string[];
  readonly #options: RunOptions;
  readonly #assumptions: Assumptions;
  readonly #tables: Map<string, HeldTable> = new Map();
  /** The ids of the last run: from the first number up to the second. */
  #ids: readonly [first: number, next: number];

  /** @param others further branches of the database that the program uses */
  constructor(
    backend: Backend,
    branch: OpenBranch,
    options: RunOptions,
    others: readonly string[] = [],
  ) {
    this.#backend = backend;
    this.branch = branch;
    this.#branches = [branch.address.branch, ...others];
    this.#options = options;
    const { isOptimistic, now } = options;
    const nextId = branch.ids.next(now);
    this.#ids = [nextId, nextId];
    const tail = branch.context.streams.recordTail;
    const ownIds = new RegExp(`^rec_[0-9a-v]{7}${tail}[0-9a-v]{5}$`);
    const first = formatRecordId(nextId, tail);
    const isNew = (id: string): boolean => isOptimistic && id >= first && ownIds.test(id);
    this.#assumptions = { isOptimistic, holdsLinks: isOptimistic, isNew };
  }

  hold(table: TableAddress, rows: Iterable<Row>): void {
    const held = this.#of(table);
    for (const row of rows) held.rows.set(readText(row[0] ?? ""), row);
  }

  /** Makes a record one of those that {@link read} loads. */
  want(table: TableAddress, id: string): void {
    this.#of(table).find(ID_SLOT, id);
  }

  /** Forgets all rows, which others may change. */
  forget(): void {
    this.#tables.clear();
  }

  async run<T>(program: Program<T>): Promise<Outcome<T>> {
    const { now, mayQuery } = this.#options;
    const { ids } = this.branch;
    const context = this.branch.context.fork();
    context.clock.set(now);
    for (const name of this.#branches) {
      const branch = branchAt(this.branch.address, name);
      for (const [table, key] of context.readBranch(branch).tables) {
        const held = this.#of(tableAt(branch, table));
        held.begin();
        context.writeTable(held.address, holdRows(context.tableAt(key), held.present(), held));
      }
    }
    const { tables: before } = context.share();
    context.onQuery = mayQuery
      ? undefined
      : (table, matches) => {
          if (table === undefined || matches === undefined) refuseQuery();
          this.#wantMatches({ context, before }, table, matches);
        };
    // A run again generates the same ids, unless others have taken some meanwhile.
    ids.release(...this.#ids);
    const first = ids.next(now);
    context.nextId = first;
    const settled = attempt(() => program(new Engine(context)));
    this.#ids = [first, context.nextId];
    ids.commit(context.nextId);
    const result = await settled;
    context.onQuery = undefined;
    const tables = [...this.#tables.values()];
    // The database only checks values that are written: links that a row did not have before …
    const assumed = new Set<SqlText>(
      tables.flatMap(({ assumedIds }) => Array.from(assumedIds, writeText)),
    );
    const hasAssumed = (row: Row): boolean => row.some((value) => assumed.has(value));
    const isUnchecked = (held: HeldTable): boolean => [...held.present()].some(hasAssumed);
    if (assumed.size > 0 && ("error" in result || tables.some(isUnchecked))) {
      this.#assumptions.holdsLinks = false;
      return this.run(program);
    }
    // … and unique values at the end.
    for (const held of tables) {
      const table = context.readTable(held.address);
      for (const { slot, value } of held.assumedFree) {
        const isWritten =
          "value" in result && findUnique(table, slot, uniqueKey(value), () => true) >= 0;
        if (!isWritten) held.find(slot, value);
      }
    }
    return { result, lacks: tables.some(({ wanted }) => wanted.size > 0), context, before };
  }

  /** Runs a program, and loads what it misses, until nothing is missing. */
  async complete<T>(program: Program<T>, session: Session, locks: boolean): Promise<Outcome<T>> {
    const read = (): Promise<boolean> => this.read(session, this.missing(locks));
    await read(); // what it is known to need
    let outcome = await this.run(program);
    while (outcome.lacks && (await read())) outcome = await this.run(program);
    return outcome;
  }

  /** Returns the statements that read what the last run lacked. */
  missing(locks: boolean): Missing[] {
    return [...this.#tables]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([, held]) => {
        const statements = readWanted(this.#backend, this.branch, held, locks);
        return Array.from(statements, (statement) => ({ held, statement }));
      });
  }

  /** Reads missing rows. Returns whether any exists; otherwise the last result is valid. */
  async read(session: Session, missing: readonly Missing[]): Promise<boolean> {
    const found = await Promise.all(
      missing.map(async ({ held, statement }) => {
        const rows = await session.query(statement);
        this.hold(held.address, rows);
        return rows.length > 0;
      }),
    );
    for (const { held } of missing) held.settle();
    return found.includes(true);
  }

  *flush(
    { context, before }: Outcome<unknown>,
    name: string = this.branch.address.branch,
  ): Generator<Write> {
    const { placement, rowForm } = this.branch;
    const address = branchAt(this.branch.address, name);
    for (const key of context.readBranch(address).tables.values()) {
      const [was, after] = [before.get(key), context.tableAt(key)];
      if (was === undefined || was === after) continue;
      const relation = tableIn(placement, address, after.identity);
      yield* flushRows({ name: relation, before: was, after }, rowForm);
    }
  }

  /**
   * Returns the statements that lock rows that a run only read, and check that they are unchanged.
   */
  *unchanged({ context }: Outcome<unknown>): Generator<Write> {
    for (const { address, rows } of this.#tables.values()) {
      const after = context.readTable(address);
      const same = [...rows].filter(([id, row]) => row !== null && isSame(after, id, row));
      const table = tableIn(this.branch.placement, address, after.identity);
      for (const [id, row] of same) {
        const statement = statementOf((bind) => {
          const [given, version] = [bind(writeText(id)), bind(row?.[1] ?? null, "bigint")];
          return `select 1 from ${table} where id = ${given} and version = ${version} for no key update`;
        });
        yield { table, statement, rows: 1 };
      }
    }
  }

  /**
   * Loads the rows that match in the database. Other rows match in the run only if it wrote them, so
   * that they are held, or wrote a record that they link to: then all rows are loaded.
   */
  #wantMatches(
    { context, before }: Pick<Outcome<unknown>, "context" | "before">,
    table: TableAddress,
    { predicate, limit }: Required<Matches>,
  ): void {
    const held = this.#of(table);
    const keys = context.readBranch(table).tables.values();
    const isAll =
      followsLinks(predicate) && [...keys].some((key) => context.tableAt(key) !== before.get(key));
    const after = context.readTable(table);
    // Rows that the run changed may match no more.
    const changed = [...held.rows].filter(([id, row]) => row !== null && !isSame(after, id, row));
    const matches = isAll
      ? { predicate: TRUE, limit: Infinity }
      : { predicate, limit: limit + changed.length };
    held.match(matchesOf(this.#backend, this.branch, table, matches));
  }

  #of(address: TableAddress): HeldTable {
    const key = `${address.branch}/${address.table}`; // names have no slash (N-1)
    let held = this.#tables.get(key);
    if (held === undefined) {
      held = new HeldTable(address, this.#assumptions);
      this.#tables.set(key, held);
    }
    return held;
  }
}

/** Whether a run left a row unchanged. */
function isSame(after: TableVersion, id: string, row: Row): boolean {
  const ordinal = after.find(id);
  return ordinal >= 0 && String(after.get(ordinal, VERSION_SLOT)) === row[1];
}

/** Whether a condition reads linked records. */
export function followsLinks(predicate: Predicate): boolean {
  if (predicate.kind === "constant") return false;
  if ("parts" in predicate) return predicate.parts.some(followsLinks);
  return predicate.column.hops.length > 0;
}

function refuseQuery(): never {
  refuse("not_implemented", "a transaction reads records by their ids: query before it");
}

/** Returns a program's result, or throws its error. */
export function settledValue<T>({ result }: Outcome<T>): T {
  if ("error" in result) throw result.error;
  return result.value;
}
