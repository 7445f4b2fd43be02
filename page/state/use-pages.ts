import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { QueryRequest, QueryResult } from "../../src/types.js";
import { controlIn, service } from "./api.js";
import { loadCounts } from "./catalog.js";
import { onChanges } from "./live.js";
import { notifyFault } from "./notices.js";
import { RecordPages } from "./pages.js";
import { RecordWriter } from "./record-writer.js";

/** Milliseconds in which changes of others are collected. */
const LOOK_MS = 300;

export interface UsedPages {
  readonly pages: RecordPages;
  readonly writer: RecordWriter;
  /** Incremented when `pages` changes. */
  readonly version: number;
  /** Number of reloads. */
  readonly reloads: number;
  /** Number of records that others inserted since. */
  readonly fresh: number;
  readonly reload: () => void;
}

/** The records of a query, live; no row moves. */
export function usePages(
  address: readonly string[],
  path: string,
  query: QueryRequest,
  onRecord: (id: string) => void,
): UsedPages {
  const [workspace = ""] = address;
  const [reloads, setReloads] = useState(0);
  const [version, setVersion] = useState(0);
  const [fresh, setFresh] = useState(0);
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
    setFresh(0);
    void pages.open(count);
    return () => pages.stop();
  }, [pages]);

  const noted = useRef(onRecord);
  noted.current = onRecord;
  useEffect(() => {
    const waiting = new Set<string>();
    let hasNew = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async (): Promise<void> => {
      const ids = [...waiting].slice(0, 200);
      waiting.clear();
      const wasNew = hasNew;
      hasNew = false;
      try {
        if (ids.length > 0) await writer.refresh(ids);
        if (wasNew) {
          const left = pages.gone.size + pages.unmatched.size;
          setFresh(Math.max(0, (await count()) - (pages.total - left)));
        }
      } catch (error) {
        notifyFault(error);
      }
      timer = undefined;
      if (waiting.size > 0 || hasNew) timer = setTimeout(look, LOOK_MS);
    };
    const stop = onChanges(({ tables, isGap = false }) => {
      const known = tables.find((of) =>
        [of.workspace, of.database, of.branch, of.table].every((name, i) => name === address[i]),
      );
      const change = isGap ? { updatedIds: [], deletedIds: [], more: true } : known;
      if (change === undefined) return;
      const seen = pages.noteChanges(change);
      for (const id of seen) waiting.add(id);
      for (const id of [...seen, ...change.updatedIds, ...change.deletedIds]) noted.current(id);
      hasNew = true;
      timer ??= setTimeout(look, LOOK_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [pages, writer]);

  const reload = (): void => {
    setReloads((before) => before + 1);
    void loadCounts();
  };
  return { pages, writer, version, reloads, fresh, reload };
}
