import { type BatchFault, type ErrorDetails, TwinbaseError } from "../errors.js";

/** Maximum number of reported errors (rule L-9). */
const MAX_LISTED_FAULTS = 100;

export type BatchKind = NonNullable<ErrorDetails["batchOf"]>;

/** The faults of a batch's members, in order (rule R-5). */
export class BatchFaults {
  readonly #of: BatchKind;
  readonly #listed: BatchFault[] = [];
  #more = 0;

  constructor(of: BatchKind) {
    this.#of = of;
  }

  add(index: number, { message, code, path, rule, reason, table }: TwinbaseError): void {
    const fault = { index, message, code, path, rule, reason, table };
    if (this.#listed.length === MAX_LISTED_FAULTS) this.#more++;
    else this.#listed.push(fault);
  }

  /** @throws TwinbaseError with `errors` and status 400 if there is any */
  throwAny(): void {
    const [first] = this.#listed;
    if (first === undefined) return;
    const others = this.#listed.length - 1 + this.#more;
    const message = `[${first.index}] ${first.message}${others === 0 ? "" : ` (and ${others} more)`}`;
    throw new TwinbaseError(first.code, message, {
      path: first.path,
      rule: first.rule,
      errors: this.#listed,
      more: this.#more || undefined,
      batchOf: this.#of,
      status: 400,
    });
  }
}
