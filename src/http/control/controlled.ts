import type { Fault, Faults } from "../faults.js";
import type { Journal } from "../journal.js";

export interface ControlledCalls {
  readonly faults: Faults;
  readonly journal: Journal;
}

/** A fault that was added by control. */
export interface AddedFault {
  readonly fault: Fault;
  /** As it was sent. */
  readonly rule: Readonly<Record<string, unknown>>;
}

/** Faults that control no longer lists: how many, and how often they have struck together. */
export interface GoneFaults {
  faults: number;
  strikes: number;
}

/** The same, and the faults that were added by control. */
export interface ControlState extends ControlledCalls {
  readonly added: Map<string, AddedFault>;
  readonly gone: GoneFaults;
}

/** Faults that can strike no more and are listed still. */
const MAX_OVER = 100;

/** Drops the oldest of the faults that can strike no more. */
export function dropFaults({ added, gone }: ControlState): void {
  const over = Array.from(added).filter(([, { fault }]) => fault.isOver);
  for (const [id, { fault }] of over.slice(0, -MAX_OVER)) {
    added.delete(id);
    gone.faults++;
    gone.strikes += fault.strikes;
  }
}

/** Drops all faults, as if none had been added. */
export function clearFaults({ faults, added, gone }: ControlState): void {
  faults.clear();
  added.clear();
  gone.faults = 0;
  gone.strikes = 0;
}
