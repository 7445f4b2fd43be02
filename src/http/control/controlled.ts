import type { Fault, Faults } from "../faults.js";
import type { Journal } from "../journal.js";

/** The faults and the journal of a service. */
export interface ControlledCalls {
  readonly faults: Faults;
  readonly journal: Journal;
}

export interface ControlState extends ControlledCalls {
  readonly added: Map<string, { readonly fault: Fault; readonly rule: object }>;
  /** Number of faults removed from the list, and their total strikes. */
  readonly gone: { faults: number; strikes: number };
}

const MAX_OVER = 100;

export function dropFaults({ added, gone }: ControlState): void {
  const over = Array.from(added).filter(([, { fault }]) => fault.isOver);
  for (const [id, { fault }] of over.slice(0, -MAX_OVER)) {
    added.delete(id);
    gone.faults++;
    gone.strikes += fault.strikes;
  }
}

export function clearFaults({ faults, added, gone }: ControlState): void {
  faults.clear();
  added.clear();
  gone.faults = 0;
  gone.strikes = 0;
}
