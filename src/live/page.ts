import { bindQuery } from "../query/bind/bind-query.js";
import type { BoundQuery, PageQuery, Point } from "../query/bound/bound-query.js";
import { RowOrder } from "../query/order/row-order.js";
import { rowsOf } from "../query/page.js";
import { createProject } from "../query/project/records.js";
import type { QueryRun } from "../query/query-run.js";
import { findRows, project } from "../query/run.js";
import { TableVersion } from "../storage/table.js";
import type { AnyRecord, Json } from "../types.js";
import { freezeDeep } from "../value/freeze.js";
import { idOf } from "../value/id.js";
import { equalJson } from "../value/json.js";
import { lowerBound } from "../value/lower-bound.js";
import { formerValue, type WrittenRow } from "./queries.js";
import { LiveView } from "./view.js";

/** The page of a live query. */
export class LivePage extends LiveView {
  readonly isCount = false;
  records: readonly AnyRecord[] = [];
  more = false;
  #bound: BoundQuery | undefined;
  #query: PageQuery | undefined;
  /**
   * Ids in the direction of paging: the skipped records, the page, one more, and a reserve, which
   * deletions use up before a run. All matching records up to `#edge`; all there are without it.
   */
  #window: readonly string[] = [];
  #inWindow: ReadonlySet<string> = new Set();
  #edge: Point | undefined;
  /** Ids of linked records that the page looks up, by table. */
  #shown: Map<string, Set<string>> = new Map();
  readonly #written: Set<string> = new Set();
  #needsRecords = true;
  #isChanged = false;

  protected bind(run: QueryRun): BoundQuery {
    const bound = bindQuery(run, this.request);
    const query = rowsOf(bound);
    this.#bound = bound;
    this.#query = { ...query, limit: bound.page.kind === "tail" ? 0 : query.limit + bound.size };
    return bound;
  }

  protected run(run: QueryRun): void {
    this.#find(run);
    this.#show(run);
  }

  protected override tablesShown(): Iterable<string> {
    return this.#shown.keys();
  }

  onRow({ id, ordinal }: WrittenRow): boolean {
    if (this.needsRun) return true;
    if (!this.#inWindow.has(id) && (ordinal < 0 || !this.#isWithin(ordinal))) return false;
    // Many records, as of a bulk load, are found faster than put in their places.
    this.needsRun = this.#written.add(id).size > this.#query!.limit; // bound
    return true;
  }

  protected override onShown(row: WrittenRow, name: string): boolean {
    const { id, table, ordinal } = row;
    const isShown = (link: unknown): boolean =>
      this.records.some((record) => idOf(record) === link);
    this.#needsRecords ||=
      this.#shown.get(name)?.has(id) === true ||
      this.#bound!.selection.reverse.some(
        ({ table: { name: of }, link: { slot } }) =>
          of === name &&
          (isShown(formerValue(row, slot)) || (ordinal >= 0 && isShown(table.get(ordinal, slot)))),
      );
    return this.#needsRecords;
  }

  protected update(run: QueryRun): boolean {
    if (this.needsRun) this.#find(run);
    else if (this.#written.size > 0) this.#move(run);
    if (this.#needsRecords || this.#written.size > 0) this.#show(run);
    const isChanged = this.#isChanged;
    this.#isChanged = false;
    return isChanged;
  }

  #find(run: QueryRun): void {
    const query = this.#query!; // bound
    const order = new RowOrder(run, query.order);
    const rows = query.limit === 0 ? [] : findRows(run, query, order);
    this.#keep(rows.map((row) => run.table.idAt(row)));
    const last = rows[query.limit - 1];
    this.#edge = last === undefined ? undefined : pointOf(order, last);
    this.needsRun = false;
    this.#needsRecords = true;
  }

  #keep(window: readonly string[]): void {
    this.#window = window;
    this.#inWindow = new Set(window);
  }

  /** Whether a row belongs into the window. */
  #isWithin(ordinal: number): boolean {
    const { limit, range, backward } = this.#query!; // bound
    if (limit === 0 || !this.matches(ordinal)) return false;
    const order = this.order();
    if (!order.isInRange(ordinal, range)) return false;
    const compared = this.#edge === undefined ? 0 : order.compareToPoint(ordinal, this.#edge);
    return backward ? compared >= 0 : compared <= 0;
  }

  /** Takes written records out of the window, and puts those that belong there in their places. */
  #move(run: QueryRun): void {
    const order = this.order();
    const { limit, backward } = this.#query!; // bound
    const { table } = run;
    const window = this.#window.filter((id) => !this.#written.has(id));
    for (const id of this.#written) {
      const row = table.find(id);
      if (row < 0 || !this.#isWithin(row)) continue;
      const at = lowerBound(0, window.length, (each) => {
        const compared = order.compare(table.find(window[each]!), row);
        return backward ? compared <= 0 : compared >= 0;
      });
      window.splice(at, 0, id);
    }
    if (window.length > limit) {
      window.length = limit;
      this.#edge = pointOf(order, table.find(window.at(-1)!));
    }
    this.#keep(window);
    const isShort = window.length < limit - this.#bound!.size;
    if (this.#edge !== undefined && isShort) this.#find(run);
  }

  /** Creates the records that may have changed; the others stay the same objects. */
  #show(run: QueryRun): void {
    const { selection, page, offset, size } = this.#bound!; // bound
    const ids = this.#window.slice(offset, offset + size);
    if (page.kind === "before") ids.reverse();
    const formerById = byId(this.records);
    const isWhole = this.#needsRecords || this.#shown.size > 0;
    const changed = ids.filter((id) => isWhole || this.#written.has(id) || !formerById.has(id));
    this.#shown = new Map();
    const findTable = (name: string): TableVersion | undefined => {
      const table = run.findTable(name);
      const found = this.#shown.get(name) ?? new Set();
      this.#shown.set(name, found);
      return table && new RecordingTable(table, found);
    };
    const make = project(
      this.start({ findTable, checkTime: run.checkTime }),
      selection,
      createProject,
    );
    const rows = changed.map((id) => run.table.find(id));
    const made = byId(make(rows));
    const records = ids.map((id) => {
      const [before, after] = [formerById.get(id), made.get(id)];
      // Records are JSON.
      const isSame = before && (!after || equalJson(before as Json, after as Json));
      return isSame ? before : freezeDeep(after!); // wanted
    });
    const more = this.#window.length > offset + size;
    const isSame =
      records.length === formerById.size &&
      records.every((record, i) => record === this.records[i]);
    this.#isChanged ||= !isSame || more !== this.more;
    if (!isSame) this.records = Object.freeze(records);
    this.more = more;
    this.#written.clear();
    this.#needsRecords = false;
  }
}

function byId(records: readonly AnyRecord[]): Map<string, AnyRecord> {
  return new Map(records.map((record) => [idOf(record), record]));
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
