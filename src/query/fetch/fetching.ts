import type { TableVersion } from "../../storage/table.js";
import type { RowFilter } from "../filter/row-filter.js";
import type { RowOrder } from "../order/row-order.js";
import type { Plan } from "../plan/plan.js";

/** The context in which the rows of one plan are fetched. */
export interface Fetching {
  readonly table: TableVersion;
  readonly plan: Plan;
  readonly order: RowOrder;
  readonly filter: RowFilter;
  /** See `Source`. */
  readonly checkTime: (() => void) | undefined;
}
