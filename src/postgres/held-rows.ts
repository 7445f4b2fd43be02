import { branchAt, type TableAddress, tableAt } from "../catalog/address.js";
import type { EngineContext } from "../engine/context.js";
import type { LookupObserver } from "../engine/row-observer.js";
import { type AnyEngine, Engine } from "../engine.js";
import { refuse } from "../errors.js";
import { VERSION_SLOT } from "../schema/columns.js";
import type { Row } from "../sql/project.js";
import { type Statement, statementOf } from "../sql/statement.js";
import { readText, writeText } from "../sql/text.js";
import { hasUniqueIndex } from "../sql/unique.js";
import type { TableVersion } from "../storage/table.js";
import { findUnique, uniqueKey } from "../storage/unique.js";
import { formatRecordId } from "../value/id.js";
import type { OpenBranch } from "./backend.js";
import type { Session } from "./driver.js";
import { flushRows } from "./flush.js";
import { HeldTable, type UniqueValue } from "./held-table.js";
import { ObservedTable } from "./observed-table.js";
import { tableIn } from "./placement.js";
import { holdRows } from "./rows.js";
import { readWanted } from "./wanted-rows.js";
import type { Write } from "./write.js";

export type Program<T> = (engine: AnyEngine) => T | Promise<T>;

export interface Outcome<T> {
  readonly result: { readonly value: T } | { readonly error: unknown };
  /** Whether it used rows that are not loaded; the result is valid only if none of them exists. */
  readonly lacks: boolean;
  readonly context: EngineContext;
}

/** Inputs of a run; a rerun gets the same (S-4). */
export interface Circumstances {
  readonly now: number;
  readonly nextId: number;
  /** Whether all rows of a query are loaded. */
  readonly mayQuery: boolean;
  /** Whether ids from `nextId` on and unique values count as free; the database checks. */
  readonly isOptimistic: boolean;
}

interface Claim extends UniqueValue {
  readonly table: TableAddress;
}

export class HeldRows {
  readonly #branch: OpenBranch;
  readonly #circumstances: Circumstances;
  readonly #tables: Map<string, HeldTable> = new Map();
  /** Ids of this process; those of a run start with the first one. */
  readonly #ownIds: RegExp;
  readonly #firstId: string;

  constructor(branch: OpenBranch, circumstances: Circumstances) {
    this.#branch = branch;
    this.#circumstances = circumstances;
    const tail = branch.context.streams.recordTail;
    this.#ownIds = new RegExp(`^rec_[0-9a-v]{10}${tail}$`);
    this.#firstId = formatRecordId(circumstances.nextId, tail);
  }

  hold(table: TableAddress, rows: Iterable<Row>): void {
    const held = this.#of(table);
    for (const row of rows) held.rows.set(readText(row[0] ?? ""), row);
  }

  /** Makes a record one of those that {@link read} loads. */
  want(table: TableAddress, id: string): void {
    this.#wantId(table, id);
  }

  async run<T>(program: Program<T>): Promise<Outcome<T>> {
    const context = this.#branch.context.fork();
    const held = Array.from(this.#tables.values(), (held) => {
      const { address } = held;
      return { address, value: holdRows(context.readTable(address), held.present()) };
    });
    for (const { address, value } of held) context.writeTable(address, value);
    context.clock.set(this.#circumstances.now);
    context.nextId = this.#circumstances.nextId;
    let lacks = false;
    const claims: Claim[] = [];
    const onQuery = this.#circumstances.mayQuery ? undefined : refuseQuery;
    const at = (table: TableAddress): LookupObserver => {
      const onFind = (id: string): void => {
        // Callers without types pass other values, which no record has.
        if (typeof id === "string" && this.#wantId(table, id)) lacks = true;
      };
      return {
        onFind,
        onUnique: (column, value) => {
          const claim = { table, column, value };
          if (this.#circumstances.isOptimistic && hasUniqueIndex(column.type)) claims.push(claim);
          else if (this.#wantUnique(claim)) lacks = true;
        },
        onReverse: ({ slot }, id) => {
          if (this.#wantLinked(table, slot, id)) lacks = true;
        },
        wrap: (version) => new ObservedTable(version, onFind),
      };
    };
    context.observer = { onQuery, at };
    const result = await settle(program, new Engine(context));
    context.observer = undefined;
    for (const claim of claims) {
      // The database only checks values that are written.
      const isWritten = "value" in result && isTaken(context, claim);
      if (!isWritten && this.#wantUnique(claim)) lacks = true;
    }
    return { result, lacks, context };
  }

  isReadAtOnce(): boolean {
    const held = [...this.#tables.values()];
    return held.flatMap((one) => [...this.#statements(one, false)]).length === 1;
  }

  /** Runs a program, after the run `first`, and loads what it misses, until nothing is missing. */
  async complete<T>(
    program: Program<T>,
    session: Session,
    locks: boolean,
    first?: Outcome<T>,
  ): Promise<Outcome<T>> {
    let outcome = first ?? (await this.run(program));
    while (outcome.lacks && (await this.read(session, locks))) outcome = await this.run(program);
    return outcome;
  }

  /** Reads the missing rows. Returns whether any exists; otherwise the last result is valid. */
  async read(session: Session, locks: boolean): Promise<boolean> {
    const wanted = [...this.#tables].sort(([a], [b]) => (a < b ? -1 : 1));
    const sent = wanted.flatMap(([, held]) =>
      Array.from(this.#statements(held, locks), async (statement) => {
        const rows = await session.query(statement);
        this.hold(held.address, rows);
        return rows.length > 0;
      }),
    );
    const found = await Promise.all(sent);
    for (const [, held] of wanted) {
      for (const id of held.wantedIds) if (!held.rows.has(id)) held.rows.set(id, null);
      held.wantedIds.clear();
      held.wantedUniques.length = 0;
      held.wantedLinks.clear();
    }
    return found.includes(true);
  }

  *flush(
    { context }: Outcome<unknown>,
    name: string = this.#branch.address.branch,
  ): Generator<Write> {
    const { placement, context: origin, rowForm } = this.#branch;
    const address = branchAt(this.#branch.address, name);
    const before = origin.readBranch(address).tables;
    for (const [table, key] of context.readBranch(address).tables) {
      const after = context.tableAt(key);
      const keyBefore = before.get(table);
      const known = keyBefore === undefined ? undefined : origin.tableAt(keyBefore);
      if (known === undefined || after === known) continue;
      const was = holdRows(known, this.#of(tableAt(address, table)).present());
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
      const same = [...rows].filter(([id, row]) => {
        if (row === null) return false;
        const ordinal = after.find(id);
        return ordinal >= 0 && String(after.get(ordinal, VERSION_SLOT)) === row[1];
      });
      const table = tableIn(this.#branch.placement, address, after.identity);
      for (const [id, row] of same) {
        const statement = statementOf((bind) => {
          const [given, version] = [bind(writeText(id)), bind(row?.[1] ?? null, "bigint")];
          return `select 1 from ${table} where id = ${given} and version = ${version} for update`;
        });
        yield { table, statement, rows: 1 };
      }
    }
  }

  #of(address: TableAddress): HeldTable {
    const key = `${address.branch}/${address.table}`; // names have no slash (N-1)
    let held = this.#tables.get(key);
    if (held === undefined) {
      held = new HeldTable(address);
      this.#tables.set(key, held);
    }
    return held;
  }

  #wantId(table: TableAddress, id: string): boolean {
    const { rows, wantedIds } = this.#of(table);
    if (rows.has(id)) return false;
    const { isOptimistic } = this.#circumstances;
    if (isOptimistic && id >= this.#firstId && this.#ownIds.test(id)) return false;
    wantedIds.add(id);
    return true;
  }

  #wantUnique({ table, column, value }: Claim): boolean {
    const { askedUniques, wantedUniques } = this.#of(table);
    const asked = `${column.path} ${uniqueKey(value)}`;
    if (askedUniques.has(asked)) return false;
    askedUniques.add(asked);
    wantedUniques.push({ column, value });
    return true;
  }

  #wantLinked(table: TableAddress, slot: number, id: string): boolean {
    const { askedLinks, wantedLinks } = this.#of(table);
    const asked = setOf(askedLinks, slot);
    if (asked.has(id)) return false;
    asked.add(id);
    setOf(wantedLinks, slot).add(id);
    return true;
  }

  #valueOf(table: TableAddress): TableVersion {
    return this.#branch.context.readTable(table);
  }

  #statements(held: HeldTable, locks: boolean): Iterable<Statement> {
    const table = this.#valueOf(held.address);
    const relation = tableIn(this.#branch.placement, held.address, table.identity);
    return readWanted(held, { schema: table.schema, relation, locks });
  }
}

function isTaken(context: EngineContext, { table, column, value }: Claim): boolean {
  return findUnique(context.readTable(table), column.slot, uniqueKey(value), () => true) >= 0;
}

function refuseQuery(): never {
  refuse("not_implemented", "a transaction reads records by their ids: query before it");
}

function setOf(sets: Map<number, Set<string>>, key: number): Set<string> {
  const set = sets.get(key) ?? new Set();
  sets.set(key, set);
  return set;
}

async function settle<T>(program: Program<T>, engine: AnyEngine): Promise<Outcome<T>["result"]> {
  try {
    return { value: await program(engine) };
  } catch (error) {
    return { error };
  }
}

/** Returns a program's result, or throws its error. */
export function settledValue<T>({ result }: Outcome<T>): T {
  if ("error" in result) throw result.error;
  return result.value;
}
