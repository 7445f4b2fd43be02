import type { Predicate } from "../query/bound/condition.js";
import type { Order } from "../query/bound/order.js";
import type { Source } from "../query/source.js";
import type { StoredValue } from "../schema/columns.js";
import type { TableVersion } from "../storage/table.js";

export interface Bound {
  readonly predicate: Predicate;
  readonly order: Order;
}

/** A live query, as its tables see it. */
export interface Watcher extends Pick<Source, "findTable"> {
  readonly isCount: boolean;
  /** Whether it must be bound and run again. */
  readonly isStale: boolean;
  readonly equality: Equality | undefined;
  matches(ordinal: number): boolean;
  /** Notes a written record; returns whether it may change the result. */
  onRow(row: WrittenRow): boolean;
  onReach(reach: Reach): void;
  /** Whether a name of the query means another table now, or one of another schema. */
  checkTables(isReplaced: boolean): boolean;
  /** Applies the writes of a call; returns whether to notify. An error closes the query. */
  settle(): boolean;
  notify(): void;
  close(): void;
}

/** A column that equals a value in all matching records. */
export interface Equality {
  readonly slot: number;
  readonly value: StoredValue;
}

/** A record that a call has written. */
export interface WrittenRow {
  readonly id: string;
  /** The table after the call. */
  readonly table: TableVersion;
  /** −1 if it was deleted. */
  readonly ordinal: number;
  /** Undefined if it is new. */
  readonly before: Before | undefined;
}

/** A record before a call. */
export interface Before {
  /** By slot, as far as queries need them. */
  readonly values: ReadonlyMap<number, StoredValue>;
  /** The counts that include it. */
  readonly counted: ReadonlySet<Watcher>;
}

/** A column or records that a query reads through links: a write there may change the result. */
export interface Reach {
  /** The name of the table. */
  readonly table: string;
  /** The column whose former values are needed. */
  readonly slot: number | undefined;
  /** Which rows match, and their order; or what records show. */
  readonly changes: "rows" | "records";
  /** Whether a written record may change what the query reads. */
  readonly concerns: (row: WrittenRow, tables: Pick<Source, "findTable">) => boolean;
}
