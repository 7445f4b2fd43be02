import type { BranchAddress, TableAddress } from "../catalog/address.js";
import type { BranchState } from "../catalog/state.js";
import { type BatchFault, refuse, TwinbaseError } from "../errors.js";
import type { QueryEnvironment } from "../query/environment.js";
import type { TableVersion } from "../storage/table.js";
import type { WriteObserver } from "../storage/transient.js";
import { TableWriter } from "../storage/writer.js";
import { createRandom } from "../value/hash.js";
import { formatRecordId, idTail } from "../value/id.js";
import type { EngineContext } from "./context.js";

/**
 * What a query on a branch sees and takes.
 *
 * @param uncommitted tables as a running transaction has them, by name
 */
export function queryEnvironment(
  context: EngineContext,
  address: BranchAddress,
  uncommitted?: (name: string) => TableVersion | undefined,
): QueryEnvironment {
  return branchEnvironment(context, context.readBranch(address), uncommitted);
}

/** What a query on a branch sees and takes, by what the branch holds. */
export function branchEnvironment(
  context: EngineContext,
  { tables }: BranchState,
  uncommitted?: (name: string) => TableVersion | undefined,
): QueryEnvironment {
  return {
    profile: context.profile,
    limits: context.limits,
    indexes: context.indexes,
    findTable: (name) => uncommitted?.(name) ?? tables.get(name)?.value,
    drawSeed: () => drawSeed(context),
  };
}

/** The ordinal of a record that is addressed by its id, or −1. */
export function findRecord(
  context: EngineContext,
  address: TableAddress,
  table: TableVersion,
  id: string,
): number {
  if (typeof id === "string") context.observer?.onFind(address, id);
  return table.find(id);
}

/** The seed of the next random order: what was drawn before is no part of the state (S-4). */
function drawSeed(context: EngineContext): number {
  context.randomOrders += 1;
  return createRandom(context.seed ^ Math.imul(context.randomOrders, 0x9e3779b1))();
}

/** Numbers record ids from the engine's counter on; counts in the engine only once committed. */
export interface IdSource {
  readonly next: () => string;
  /** Whether nobody else has taken ids from the engine since. */
  readonly isCurrent: () => boolean;
  /** Lets the engine go on behind the ids that were taken. */
  readonly commit: () => void;
}

export function createIdSource(context: EngineContext): IdSource {
  const start = context.nextId;
  let counter = start;
  let tail: string | undefined;
  return {
    next: () => {
      tail ??= idTail(context.seed);
      return formatRecordId(counter++, tail);
    },
    isCurrent: () => context.nextId === start,
    commit: () => {
      context.nextId = counter;
    },
  };
}

/**
 * A writer for the present value of a table.
 *
 * @param alone for a single write, which cannot fail halfway; a draft otherwise
 */
export function openWriter(
  context: EngineContext,
  address: TableAddress,
  table: TableVersion,
  ids: IdSource,
  alone?: { readonly owner: symbol; readonly requireCurrent: () => void },
): TableWriter {
  return new TableWriter(table, {
    table: address.table,
    profile: context.profile,
    now: context.now(),
    nextId: ids.next,
    observer: observerOf(context, address),
    ...alone,
  });
}

function observerOf({ observer }: EngineContext, address: TableAddress): WriteObserver | undefined {
  return (
    observer && {
      onFind: (id) => observer.onFind(address, id),
      onUnique: ({ path }, value) => observer.onUnique(address, path, value),
    }
  );
}

/** Refuses a write that another, made while its records were read, would be lost by (rule R-5). */
export function refuseOvertaken(table: string): never {
  refuse("invalid_request", `table [${table}] was written to while records were read`, {
    rule: "R-5",
  });
}

/** Does the members of a batch one by one; what is refused is noted, the others still tried. */
export function tryEach<T>(
  members: Iterable<T>,
  act: (member: T, index: number) => void,
  faults: BatchFault[],
): void {
  let index = 0;
  for (const member of members) {
    try {
      act(member, index);
    } catch (error) {
      if (!(error instanceof TwinbaseError)) throw error;
      const { message, code, path, rule } = error;
      faults.push({ index, message, code, path, rule });
    }
    index++;
  }
}

/** Refuses a batch for the faults that were noted, if any (rule R-5). */
export function requireFaultless(faults: readonly BatchFault[]): void {
  const [first] = faults;
  if (first === undefined) return;
  const others = faults.length === 1 ? "" : ` (and ${faults.length - 1} more)`;
  throw new TwinbaseError(first.code, `[${first.index}] ${first.message}${others}`, {
    path: first.path,
    rule: first.rule,
    errors: faults,
    status: 400,
  });
}
