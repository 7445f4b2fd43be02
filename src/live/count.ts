import type { TableAddress } from "../catalog/address.js";
import { bindFilter } from "../query/bind/filter.js";
import { tableScope } from "../query/bind/scope.js";
import { BY_ID } from "../query/bound/order.js";
import type { QueryRun } from "../query/query-run.js";
import { countMatches } from "../query/run.js";
import { copyJson } from "../value/json.js";
import type { LiveQueries } from "./queries.js";
import { LiveView } from "./view.js";
import type { Bound, Reach, WrittenRow } from "./watcher.js";

/** A live number of records. */
export class LiveCounter extends LiveView {
  readonly isCount = true;
  count = 0;
  readonly #filter: unknown;
  #change = 0;
  #needsRun = false;
  #notified = 0;

  constructor(queries: LiveQueries, locate: () => TableAddress, filter: unknown) {
    super(queries, locate);
    const copy = copyJson(filter);
    this.#filter = "value" in copy ? copy.value : filter; // binding refuses the others
  }

  protected bind(run: QueryRun): Bound {
    const predicate = bindFilter(tableScope(run, run.table), this.#filter, "");
    return { predicate, order: BY_ID };
  }

  protected run(run: QueryRun): void {
    this.count = countMatches(run, this.#filter);
    this.#change = 0;
    this.#needsRun = false;
  }

  protected reach(): readonly Reach[] {
    return [];
  }

  onRow(row: WrittenRow): boolean {
    const was = row.before?.counted.has(this) ?? false;
    const is = row.ordinal >= 0 && this.matches(row.ordinal);
    this.#change += Number(is) - Number(was);
    return is !== was;
  }

  onReach(): void {
    this.#needsRun = true;
  }

  protected update(run: QueryRun): boolean {
    if (this.#needsRun) this.run(run);
    this.count += this.#change;
    this.#change = 0;
    const isSame = this.count === this.#notified;
    this.#notified = this.count;
    return !isSame;
  }
}
