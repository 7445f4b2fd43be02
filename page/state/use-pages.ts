import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { AnyRecord, QueryRequest, QueryResult } from "../../src/types.js";
import { idOf } from "../../src/value/id.js";
import { controlIn, openStream, service } from "./api.js";
import { loadCounts, metadataAt } from "./catalog.js";
import { follow } from "./live.js";
import { RecordPages, type RowChanges } from "./pages.js";
import { RecordWriter } from "./record-writer.js";

/** Milliseconds for which the view must rest before its rows are followed. */
const FOLLOW_MS = 200;

export interface UsedPages {
  readonly pages: RecordPages;
  readonly writer: RecordWriter;
  /** Incremented when `pages` changes. */
  readonly version: number;
  /** Number of reloads. */
  readonly reloads: number;
  readonly reload: () => void;
}

/**
 * The records of a query, live; no row moves.
 *
 * @param opened the id of a record that is followed too
 * @param onOpened called when others changed it; without it if they deleted it
 */
export function usePages(
  address: readonly string[],
  path: string,
  given: QueryRequest,
  opened: string | undefined,
  onOpened: (record: AnyRecord | undefined) => void,
): UsedPages {
  const [workspace = ""] = address;
  const [reloads, setReloads] = useState(0);
  const [version, setVersion] = useState(0);
  // With the version, a write notices those of others.
  const query = useMemo(() => {
    const { columns } = given;
    const withVersion = new Set([...(columns ?? []), metadataAt("version")]);
    return columns === undefined ? given : { ...given, columns: [...withVersion] };
  }, [given]);
  const count = async (): Promise<number> => {
    const body = { ...(query.filter && { filter: query.filter }), aggs: { n: { count: "*" } } };
    const answer = await service<{ aggs: { n: number } }>(workspace, "POST", `${path}/aggregate`, {
      body,
    });
    return answer.aggs.n;
  };
  const last = useRef<RecordPages | undefined>(undefined);
  const pages = useMemo(() => {
    const ask = (request: QueryRequest, isFar: boolean): Promise<QueryResult> =>
      isFar
        ? controlIn(workspace, "POST", `${path}/query`, { body: request })
        : service(workspace, "POST", `${path}/query`, { body: request });
    const { current } = last;
    const total = current?.query === query ? current.total : 0;
    const changed = (): void => setVersion((before) => before + 1);
    last.current = new RecordPages(query, ask, changed, total);
    return last.current;
  }, [workspace, path, query, reloads]);
  const writer = useMemo(
    () => new RecordWriter(workspace, path, query, pages),
    [workspace, path, query, pages],
  );
  useEffect(() => {
    void pages.open(count);
    return () => pages.stop();
  }, [pages]);

  // The same rows are followed for several opened records, one after another.
  const now = useRef({ opened, onOpened });
  now.current = { opened, onOpened };
  const ids = pages.followed().map(idOf);
  if (opened !== undefined && !ids.includes(opened)) ids.push(opened);
  useEffect(() => {
    if (!pages.isCounted) return undefined;
    const body = { ids, columns: query.columns, filter: query.filter };
    return follow<RowChanges>({
      open: (signal) => openStream(workspace, "POST", `${path}/live`, { body, signal }),
      onEvent: (changes) => {
        pages.note(ids, changes);
        const { opened, onOpened } = now.current;
        const record = changes.records.find((found) => idOf(found) === opened);
        if (record !== undefined || changes.gone.some((id) => id === opened)) onOpened(record);
      },
      delayMs: FOLLOW_MS,
    });
  }, [pages, pages.isCounted, JSON.stringify(ids)]);

  const reload = (): void => {
    setReloads((before) => before + 1);
    void loadCounts();
  };
  return { pages, writer, version, reloads, reload };
}
