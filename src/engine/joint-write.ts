import type { TableCell } from "../catalog/state.js";
import type { TableVersion } from "../storage/table.js";

/** Several writes that are undone together: what cells held that were written in place meanwhile. */
export class JointWrite {
  readonly #values: Map<TableCell, TableVersion> = new Map();

  /** Keeps what a cell holds, before it is given another value. */
  keep(cell: TableCell): void {
    if (!this.#values.has(cell)) this.#values.set(cell, cell.value);
  }

  undo(): void {
    for (const [cell, value] of this.#values) cell.value = value;
  }
}
