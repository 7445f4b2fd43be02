import type { TableAddress } from "../catalog/address.js";
import { bindQuery } from "../query/bind/query.js";
import type { Point } from "../query/bound/point.js";
import type { BoundQuery } from "../query/bound/query.js";
import { RowOrder } from "../query/order/row-order.js";
import { rowsOf } from "../query/page.js";
import { createProject } from "../query/project/records.js";
import type { QueryRun } from "../query/query-run.js";
import { findRows, project } from "../query/run.js";
import { TableVersion } from "../storage/table.js";
import type { AnyRecord, Json } from "../types.js";
import { copyJson, equalJson } from "../value/json.js";
import { reachOfReverse } from "./links.js";
import type { LiveQueries } from "./queries.js";
import { LiveView } from "./view.js";
import type { Bound, Reach, WrittenRow } from "./watcher.js";

/** The page of a live query. */
export class LivePage extends LiveView {
  readonly isCount = false;
  records: readonly AnyRecord[] = [];
  more = false;
  readonly #request: unknown;
  #seed: number | undefined;
  #query: BoundQuery | undefined;
  /**
   * Ids in the direction of paging: the skipped records, the page, one more, and some in reserve, so
   * that few deletions need a run. All matching records up to `#edge`; all there are without one.
   */
  #window: string[] = [];
  #inWindow: Set<string> = new Set();
  #edge: Point | undefined;
  /** Linked records that the page shows, or would show, by table. */
  #linked: Map<string, Set<string>> = new Map();
  #written: Set<string> = new Set();
  #needsRun = false;
  #needsRecords = false;
  #notified: readonly AnyRecord[] = [];
  #wasMore = false;

  constructor(queries: LiveQueries, locate: () => TableAddress, request: unknown) {
    super(queries, locate);
    const copy = copyJson(request);
    this.#request = "value" in copy ? copy.value : request; // binding refuses the others
  }

  protected bind(run: QueryRun): Bound {
    const drawSeed = (): number => (this.#seed ??= run.drawSeed());
    this.#query = bindQuery({ ...run, drawSeed }, run.table, this.#request);
    return this.#query;
  }

  protected run(run: QueryRun): void {
    this.#find(run);
    this.#show(run);
  }

  protected reach(): readonly Reach[] {
    const shown = [...this.#linked.keys()].map((table): Reach => {
      const concerns = ({ id }: WrittenRow): boolean => this.#linked.get(table)?.has(id) === true;
      return { table, slot: undefined, changes: "records", concerns };
    });
    const isShown = (id: string): boolean => this.records.some((record) => record.id === id);
    return [...shown, ...reachOfReverse(this.#bound.selection, isShown)];
  }

  onRow({ id, ordinal }: WrittenRow): boolean {
    if (!this.#inWindow.has(id) && (ordinal < 0 || !this.#isWithin(ordinal))) return false;
    this.#written.add(id);
    return true;
  }

  onReach({ changes }: Reach): void {
    if (changes === "rows") this.#needsRun = true;
    else this.#needsRecords = true;
  }

  protected update(run: QueryRun): boolean {
    if (this.#needsRun) this.#find(run);
    else if (this.#written.size > 0) this.#move(run);
    if (this.#needsRun || this.#needsRecords || this.#written.size > 0) this.#show(run);
    const isSame = this.records === this.#notified && this.more === this.#wasMore;
    this.#notified = this.records;
    this.#wasMore = this.more;
    return !isSame;
  }

  get #bound(): BoundQuery {
    return this.#query!; // bound when opened
  }

  get #limit(): number {
    const { page, size } = this.#bound;
    return page.kind === "tail" ? 0 : this.#needed + size;
  }

  get #needed(): number {
    const { size, offset } = this.#bound;
    return offset + size + 1;
  }

  #find(run: QueryRun): void {
    const query = { ...rowsOf(this.#bound), limit: this.#limit };
    const order = new RowOrder(run, query.order);
    const rows = query.limit === 0 ? [] : findRows(run, query, order);
    this.#window = rows.map((row) => run.table.idAt(row));
    this.#inWindow = new Set(this.#window);
    const isAll = rows.length < this.#limit;
    this.#edge = isAll ? undefined : pointOf(order, rows.at(-1)!);
    this.#needsRun = true;
  }

  /** Whether a row belongs into the window. */
  #isWithin(ordinal: number): boolean {
    const { filter, order } = this.compiled;
    const { range, backward } = rowsOf(this.#bound);
    if (this.#limit === 0 || !filter.matches(ordinal) || !order.isInRange(ordinal, range))
      return false;
    const compared = this.#edge === undefined ? 0 : order.compareToPoint(ordinal, this.#edge);
    return backward ? compared >= 0 : compared <= 0;
  }

  /** Takes the written records out of the window, and puts those that belong there in their places. */
  #move(run: QueryRun): void {
    const { order } = this.compiled;
    const { table } = run;
    const { backward } = rowsOf(this.#bound);
    const window = this.#window.filter((id) => !this.#written.has(id));
    for (const id of this.#written) {
      const row = table.find(id);
      if (row < 0 || !this.#isWithin(row)) continue;
      let [low, high] = [0, window.length];
      while (low < high) {
        const middle = (low + high) >>> 1;
        const compared = order.compare(table.find(window[middle]!), row);
        if (backward ? compared > 0 : compared < 0) low = middle + 1;
        else high = middle;
      }
      window.splice(low, 0, id);
    }
    if (window.length > this.#limit) {
      window.length = this.#limit;
      this.#edge = pointOf(order, table.find(window.at(-1)!));
    }
    this.#window = window;
    this.#inWindow = new Set(window);
    if (this.#edge !== undefined && window.length < this.#needed) this.#find(run);
  }

  /** Creates the records that may have changed; keeps the objects of the others. */
  #show(run: QueryRun): void {
    const { selection, page, offset, size } = this.#bound;
    const ids = this.#window.slice(offset, offset + size);
    if (page.kind === "before") ids.reverse();
    const known = new Map(this.records.map((record) => [record.id, record]));
    const isOwn = this.#linked.size === 0 && selection.reverse.length === 0;
    const isKept = (id: string): boolean =>
      isOwn && !this.#needsRun && known.has(id) && !this.#written.has(id);
    const linked = new Map<string, Set<string>>();
    const findTable: QueryRun["findTable"] = (name) => {
      const found = linked.get(name) ?? new Set();
      linked.set(name, found);
      const table = run.findTable(name);
      return table && new RecordingTable(table, found);
    };
    const made = ids.filter((id) => !isKept(id));
    const rows = made.map((id) => run.table.find(id));
    const fresh = project({ ...run, findTable }, selection, createProject)(rows);
    const byId = new Map(fresh.map((record) => [record.id, record]));
    const records = ids.map((id) => {
      const [before, after] = [known.get(id), byId.get(id)];
      const isSame = before !== undefined && (after === undefined || isEqual(before, after));
      return isSame ? before : freeze(after!); // made, unless kept
    });
    const isSame =
      records.length === this.records.length &&
      records.every((record, i) => record === this.records[i]);
    if (!isSame) this.records = Object.freeze(records);
    this.more = this.#window.length > offset + size;
    this.#linked = linked;
    this.#written = new Set();
    this.#needsRun = this.#needsRecords = false;
  }
}

/** Records the ids that are looked up. */
class RecordingTable extends TableVersion {
  readonly #found: Set<string>;

  constructor(table: TableVersion, found: Set<string>) {
    super(table);
    this.#found = found;
  }

  override find(id: string): number {
    this.#found.add(id);
    return super.find(id);
  }
}

function pointOf(order: RowOrder, row: number): Point {
  return { keys: order.keysOf(row), side: 0 };
}

// Records consist of JSON.

function isEqual(a: AnyRecord, b: AnyRecord): boolean {
  return equalJson(a as Json, b as Json);
}

function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null) {
    for (const member of Object.values(value)) freeze(member);
    Object.freeze(value);
  }
  return value;
}
