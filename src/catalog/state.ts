import { type Draft, enableMapSet, Immer } from "immer";
import type { ProfileName } from "../profile.js";
import type { TableVersion } from "../storage/table.js";
import type { Instant } from "../value/datetime.js";
import type { JsonObject } from "../value/fields.js";
import type { SharedMap } from "../value/shared-map.js";

/**
 * Everything an engine holds, as one immutable tree. Names are keys of Maps: they keep their
 * order, and `__proto__` or `0` are names like any other (rule N-5).
 */
export interface CatalogState {
  /** The names the engine speaks; decides the status of an unknown workspace (rule D-5). */
  readonly base: ProfileName;
  readonly workspaces: ReadonlyMap<string, WorkspaceState>;
  readonly users: ReadonlyMap<string, UserState>;
  /** The user an API key belongs to. */
  readonly userIdsByKey: ReadonlyMap<string, string>;
  /** Users made so far; numbers the next one. */
  readonly usersMade: number;
}

export interface WorkspaceState {
  /** What people call it; the id is its key. */
  readonly name: string;
  readonly databases: ReadonlyMap<string, DatabaseState>;
  /** Ids of users. */
  readonly members: ReadonlySet<string>;
  readonly settings: JsonObject;
}

export interface DatabaseState {
  readonly region: string;
  readonly createdAt: Instant;
  readonly color: string | undefined;
  /** Oldest first; never empty (rule B-1). */
  readonly branches: SharedMap<BranchState>;
  /** Branch names by git branch, in the order first added (rule B-2). */
  readonly branchesByGitBranch: ReadonlyMap<string, string>;
  readonly settings: JsonObject;
}

export interface BranchState {
  readonly createdAt: Instant;
  readonly metadata: BranchMetadata;
  readonly tables: ReadonlyMap<string, TableCell>;
}

/** What a user is known by (rule U-2); the id is the key. */
export interface UserState {
  readonly email: string;
  readonly fullname: string;
  readonly image: string;
}

/** Where a branch comes from, as clients note it; all of it is optional and has no effect. */
export interface BranchMetadata {
  readonly repository?: string;
  readonly branch?: string;
  readonly stage?: string;
  readonly labels?: readonly string[];
}

/**
 * The place of a table's present value. A class, so that immer keeps it as it is: the holder of
 * `generation` writes `value` in place, at a cost that no draft could meet. Once the state is
 * shared (snapshot, branch, fork) the holder takes a new generation, and this cell is immutable.
 */
export class TableCell {
  value: TableVersion;
  readonly generation: symbol;

  constructor(value: TableVersion, generation: symbol) {
    this.value = value;
    this.generation = generation;
  }
}

enableMapSet();
// An instance of our own: what a host sets on immer's global functions does not reach it.
const immer = new Immer({ autoFreeze: true });

/** The state after `recipe`; what it does not touch is shared with `state`. */
export function produceState(
  state: CatalogState,
  recipe: (draft: Draft<CatalogState>) => void,
): CatalogState {
  return immer.produce(state, recipe);
}

/** A copy of `map` with `from` called `to`, in its place and with another value. */
export function renameKey<V>(
  map: ReadonlyMap<string, V>,
  from: string,
  to: string,
  value: V,
): Map<string, V> {
  return new Map(Array.from(map, (entry) => (entry[0] === from ? [to, value] : entry)));
}
