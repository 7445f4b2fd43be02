import type { Charge, Memory } from "../../engine/memory.js";
import type { Fault, Faults } from "../faults.js";
import type { Journal } from "../journal.js";

/** The faults, the journal and the account of memory of a service. */
export interface ControlledCalls {
  readonly memory: Memory;
  readonly faults: Faults;
  readonly journal: Journal;
}

interface AddedFault {
  readonly fault: Fault;
  readonly rule: object;
  readonly charge: Charge;
}

export interface ControlState extends ControlledCalls {
  readonly added: Map<string, AddedFault>;
  /** Number of faults removed from the list, and their total strikes. */
  readonly gone: { faults: number; strikes: number };
}

const MAX_OVER = 100;

export function dropFaults({ added, gone }: ControlState): void {
  const over = Array.from(added).filter(([, { fault }]) => fault.isOver);
  for (const [id, { fault, charge }] of over.slice(0, -MAX_OVER)) {
    added.delete(id);
    charge.set(0);
    gone.faults++;
    gone.strikes += fault.strikes;
  }
}

export function clearFaults({ faults, added, gone }: ControlState): void {
  faults.clear();
  for (const { charge } of added.values()) charge.set(0);
  added.clear();
  gone.faults = 0;
  gone.strikes = 0;
}
