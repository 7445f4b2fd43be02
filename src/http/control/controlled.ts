import type { Fault, Faults } from "../faults.js";
import type { Journal } from "../journal.js";

/** What the calls to an engine are struck by and written down in. */
export interface ControlledCalls {
  /** What goes wrong on purpose. */
  readonly faults: Faults;
  /** What was asked and answered. */
  readonly journal: Journal;
}

/** A fault that was added by control. */
export interface AddedFault {
  readonly fault: Fault;
  /** As it was asked for. */
  readonly rule: Readonly<Record<string, unknown>>;
}

/** The same, and the faults that were added by control. */
export interface ControlState extends ControlledCalls {
  readonly added: Map<string, AddedFault>;
}
