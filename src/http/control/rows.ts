import { Table } from "../../engine/table.js";
import { changeErrors } from "../../errors.js";
import { liveCount, liveQuery } from "../../live.js";
import type { AnyTable } from "../../typed/table.js";
import type { AnyRecord, QueryRequest } from "../../types.js";
import { idOf } from "../../value/id.js";
import { sizeOf } from "../../value/size.js";
import type { EventSource } from "./streams.js";

/** The maximum of records that a stream follows. */
export const MAX_ROWS = 200;
/** Characters of the records of an event; further ones follow in the next event. */
const MAX_LENGTH = 1024 * 1024;

/**
 * Tells which of some records changed, are gone, or don't match a filter, and how many match. At
 * first it tells all of them. Ends when the queries no longer fit the schema.
 */
export function openRows(
  table: AnyTable,
  ids: readonly string[],
  { columns, filter }: Pick<QueryRequest, "columns" | "filter">,
  wake: () => void,
): EventSource {
  const opened: Disposable[] = [];
  const close = (): void => {
    for (const live of opened) live[Symbol.dispose]();
  };
  const keep = <T extends Disposable>(live: T): T => {
    opened.push(live);
    return live;
  };
  const open = (filter: QueryRequest["filter"], columns: QueryRequest["columns"]) =>
    keep(liveQuery(table, { filter, columns, page: { size: MAX_ROWS } }, wake, wake));
  try {
    const count = keep(
      changeErrors(
        () => liveCount(table, filter, wake, wake),
        ({ path = "" }) => ({ path: `/filter${path}` }),
      ),
    );
    const id = Table.locate(table).context.profile.idColumn;
    const byId = { [id]: { $any: ids } };
    const shown = open(byId, columns);
    const isEmpty = Object.keys(filter ?? {}).length === 0;
    const matching = isEmpty ? shown : open({ $all: [filter!, byId] }, [id]);
    const sent = new WeakSet<AnyRecord>();
    const sizes = new WeakMap<AnyRecord, number>();
    const measure = (record: AnyRecord): number => {
      const size = sizes.get(record) ?? sizeOf(record);
      sizes.set(record, size);
      return size;
    };
    return {
      close,
      get bytes() {
        return shown.records.reduce((sum, record) => sum + measure(record), sizeOf(ids) * 3);
      },
      read() {
        if (count.isClosed || shown.isClosed || matching.isClosed) return undefined;
        const records: AnyRecord[] = [];
        let length = 0;
        for (const record of shown.records) {
          if (sent.has(record)) continue;
          if (length > MAX_LENGTH) {
            wake();
            break;
          }
          length += JSON.stringify(record).length;
          sent.add(record);
          records.push(record);
        }
        const shownIds = new Set(shown.records.map(idOf));
        const matches = new Set(matching.records.map(idOf));
        const isStale = [count, shown, matching].some((live) => live.isStale);
        return {
          ...(isStale && { stale: true }),
          records,
          gone: ids.filter((id) => !shownIds.has(id)),
          unmatched: [...shownIds].filter((id) => !matches.has(id)),
          count: count.count,
        };
      },
    };
  } catch (error) {
    close();
    throw error;
  }
}
