import type {
  AnyBranch,
  AnyEngine,
  AnyTable,
  ColumnDefinition,
  Snapshot,
} from "../../src/index.js";
import type { Random } from "../random.mjs";

/** The kind of a call, and the number from which it draws its arguments. */
export type Step = readonly [kind: string, n: number];

/** The engine of a program. */
export interface World extends Options {
  readonly engine: AnyEngine;
  readonly snapshots: Snapshot[];
}

export interface Options {
  /** An export, for `import`. */
  readonly base?: string;
  /** A branch whose schema stays. */
  readonly fixed?: string;
  readonly tables?: readonly string[];
  /** The largest number of records of an `insertMany`, and of a `load`. */
  readonly many?: number;
  readonly loads?: readonly number[];
  readonly id?: (random: Random) => string;
  readonly columnsOf?: (name: string, random: Random) => readonly ColumnDefinition[];
  readonly record?: (columns: readonly ColumnDefinition[], random: Random) => object;
}

/** The branch, table, names and values of a call. */
export interface Place {
  readonly world: World;
  readonly engine: AnyEngine;
  readonly branch: AnyBranch;
  readonly random: Random;
  /** The number of the step. */
  readonly n: number;
  readonly table: AnyTable;
  readonly id: () => string;
  readonly part: () => object;
  readonly record: () => object;
}

export type Calls = Readonly<Record<string, (place: Place) => unknown>>;

export const CALLS: Calls;
export const KINDS: Readonly<Record<"records" | "schema" | "catalog" | "whole", readonly string[]>>;
export function createWorld(api: object, engine: AnyEngine, options?: Options): World;
export function runStep(world: World, step: Step, calls?: Calls): void;
export function weigh(weights: Readonly<Record<string, number>>): string[];
