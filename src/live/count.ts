import type { TableAddress } from "../catalog/address.js";
import { bindFilter } from "../query/bind/filter.js";
import { tableScope } from "../query/bind/scope.js";
import { BY_ID } from "../query/bound/order.js";
import type { QueryRun } from "../query/query-run.js";
import { countMatches } from "../query/run.js";
import type { LiveQueries } from "./queries.js";
import { type Bound, LiveView } from "./view.js";
import type { WrittenRow } from "./watch.js";

/** A live number of records. */
export class LiveCounter extends LiveView {
  readonly isCount = true;
  count = 0;
  readonly #filter: unknown;
  #next = 0;

  constructor(queries: LiveQueries, locate: () => TableAddress, filter: unknown) {
    super(queries, locate);
    this.#filter = filter;
  }

  protected bind(run: QueryRun): Bound {
    return { predicate: bindFilter(tableScope(run, run.table), this.#filter, ""), order: BY_ID };
  }

  protected run(run: QueryRun): void {
    this.#next = countMatches(run, this.#filter);
    this.needsRun = false;
  }

  protected tablesShown(): Iterable<string> {
    return [];
  }

  protected onShown(): boolean {
    return false;
  }

  onRow({ before, ordinal }: WrittenRow): boolean {
    const was = before?.counted.has(this) ?? false;
    const is = ordinal >= 0 && this.matches(ordinal);
    this.#next += Number(is) - Number(was);
    return is !== was;
  }

  protected update(run: QueryRun): boolean {
    if (this.needsRun) this.run(run);
    const isSame = this.count === this.#next;
    this.count = this.#next;
    return !isSame;
  }
}
