import { type BranchAddress, branchNames } from "../catalog/address.js";
import { findBranch } from "../catalog/find.js";
import type { MigrationState } from "../catalog/state.js";
import type { EngineContext } from "../engine/context.js";
import type { SchemaEdit } from "../schema/compare-columns.js";
import type { Json } from "../types.js";
import { formatInstant } from "../value/datetime.js";
import { checksum } from "../value/hash.js";
import { canonicalJson } from "../value/json.js";

/** A change of a branch's schema (K-1). */
export interface Migration {
  /** Unique in the branch. */
  readonly id: string;
  /** The previous migration; absent in the first one. */
  readonly parentID?: string;
  /** Checksum of the operations. */
  readonly checksum: string;
  /** RFC 3339, UTC. */
  readonly createdAt: string;
  /** The steps of the change. */
  readonly operations: readonly SchemaEdit[];
  /** A short name. */
  readonly title?: string;
  /** A description. */
  readonly message?: string;
  /** The migrations of another branch that it merged; oldest first. */
  readonly merged?: readonly string[];
}

/** Attributes of a migration; by default it is created now. */
export type MigrationNote = Partial<Omit<MigrationState, "operations">>;

export function describeHistory(
  history: readonly MigrationState[],
  checkTime: () => void,
): Migration[] {
  let parentID: string | undefined;
  return history.map((migration) => {
    const described = describeMigration(migration, parentID, checkTime);
    parentID = described.id;
    return described;
  });
}

const described: WeakMap<MigrationState, Map<string | undefined, Migration>> = new WeakMap();

/** Creates a migration; equal parents and steps give equal ones on every branch. */
function describeMigration(
  state: MigrationState,
  parentID: string | undefined,
  checkTime: () => void,
): Migration {
  const byParent = described.get(state) ?? new Map<string | undefined, Migration>();
  described.set(state, byParent);
  const children = byParent.get(parentID);
  if (children !== undefined) return children;
  const { createdAt, operations, given: sharedId, title, message, merged } = state;
  const time = formatInstant(createdAt.ms, createdAt.micros);
  const steps = operations.map((operation) => {
    checkTime();
    return canonicalJson(operation as unknown as Json); // definitions are JSON
  });
  const sum = checksum(`[${steps.join(",")}]`);
  const newId = {
    id: `mig_${checksum(`${parentID ?? ""} ${time} ${sum}`)}`,
    checksum: `1:${sum}`,
  };
  const migration: Migration = {
    ...(sharedId ?? newId),
    ...(parentID !== undefined && { parentID }),
    createdAt: time,
    operations,
    ...(title !== undefined && { title }),
    ...(message !== undefined && { message }),
    ...(merged !== undefined && { merged }),
  };
  byParent.set(parentID, migration);
  return migration;
}

/** Runs schema changes atomically and records them as one migration. */
export function migrate(
  context: EngineContext,
  address: BranchAddress,
  note: MigrationNote,
  act: () => void,
  operations?: readonly SchemaEdit[],
): void {
  context.call(() => {
    const { length } = findBranch(context.state, address).history;
    act();
    const { history } = findBranch(context.state, address);
    const added = history.slice(length);
    const steps = operations ?? added.flatMap((migration) => migration.operations);
    if (steps.length === 0 && note.given === undefined) return;
    const one = { createdAt: context.now(), operations: steps, ...note };
    context.change(() => [
      { kind: "history", at: branchNames(address), index: length, migrations: [one] },
    ]);
  });
}
