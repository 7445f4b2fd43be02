import type { VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { AnyRecord, QueryRequest, QueryResult } from "../../src/types.js";
import { ColumnsPanel } from "../parts/columns-panel.jsx";
import { ExplainPanel } from "../parts/explain-panel.jsx";
import { Fault } from "../parts/field.jsx";
import { FilterPanel } from "../parts/filter-panel.jsx";
import { Grid } from "../parts/grid.jsx";
import { RecordDrawer } from "../parts/record-drawer.jsx";
import { SortChips } from "../parts/sort-chips.jsx";
import { Shown } from "../parts/value.jsx";
import { controlIn, ServiceError, service, tablePath } from "../state/api.js";
import { loadCounts, metadataColumn, type TableSchema } from "../state/catalog.js";
import { type Leaf, objectAt, reachableLeaves } from "../state/columns.js";
import { describeError, useLoad } from "../state/load.js";
import { RecordPages } from "../state/pages.js";
import { hrefTo, place, setParams } from "../state/place.js";
import { chooseLeaves, countConditions, faultOfSort, makeQuery } from "../state/record-query.js";
import { RecordWriter } from "../state/record-writer.js";
import { formatSort, parseSort, splitList, turnSort } from "../state/sort.js";
import { showNumber } from "../state/text.js";

type Panel = "filter" | "columns" | "explain" | "";

/** The records of a table: paged, sorted, filtered, changed. */
export function RecordsView({
  table,
  tables,
}: {
  table: TableSchema;
  tables: readonly TableSchema[];
}): VNode {
  const { address, params } = place.value;
  const [workspace = "", database = "", branch = ""] = address;
  const path = tablePath(database, branch, table.name);
  const sort = useMemo(() => parseSort(params.sort), [params.sort]);
  const reachable = useMemo(
    () => reachableLeaves(table, tables, metadataColumn.value),
    [table, tables],
  );
  const leaves = useMemo(
    () => chooseLeaves(table, reachable, splitList(params.columns)),
    [table, reachable, params.columns],
  );
  const filter = params.filter ?? "";
  const query = useMemo(
    () => makeQuery(filter, sort, params.columns === undefined ? undefined : leaves),
    [filter, sort, leaves],
  );
  const [reloads, setReloads] = useState(0);
  const [version, setVersion] = useState(0);
  const [isNew, setNew] = useState(false);
  const [toDelete, setToDelete] = useState<AnyRecord | undefined>(undefined);
  const [notDeleted, setNotDeleted] = useState<unknown>(undefined);
  const [message, setMessage] = useState("");

  const pages = useMemo(() => {
    const ask = (request: QueryRequest, isFar: boolean): Promise<QueryResult> =>
      isFar
        ? controlIn(workspace, "POST", `${path}/query`, { body: request })
        : service(workspace, "POST", `${path}/query`, { body: request });
    return new RecordPages(query, ask, () => setVersion((before) => before + 1));
  }, [workspace, path, query, reloads]);
  useEffect(() => {
    void pages.open(async () => {
      const { filter: wanted } = query;
      const body = { ...(wanted && { filter: wanted }), aggs: { n: { count: "*" } } };
      const at = `${path}/aggregate`;
      const { aggs } = await service<{ aggs: { n: number } }>(workspace, "POST", at, { body });
      return aggs.n;
    });
    return () => pages.stop();
  }, [pages]);

  const panel = (params.panel ?? "") as Panel;
  const toggle = (name: Panel): void => setParams({ panel: panel === name ? "" : name });
  const reload = (): void => {
    setReloads((before) => before + 1);
    void loadCounts();
  };

  const recordId = params.record;
  const opened = useLoad<AnyRecord | undefined>(
    async (signal) =>
      recordId === undefined
        ? undefined
        : service(workspace, "GET", `${path}/data/${encodeURIComponent(recordId)}`, { signal }),
    [workspace, path, recordId, reloads],
  );

  const writer = useMemo(
    () => new RecordWriter(workspace, path, query, pages),
    [workspace, path, query, pages],
  );
  /** Writes to a record; says in words that it was written. */
  const update = async (record: AnyRecord, changes: object, what: string): Promise<void> => {
    const isMatched = await writer.update(record, changes);
    const missed = isMatched ? "" : "; the record no longer matches the filter";
    setMessage(`${what} was written${missed}`);
    if (recordId === record.id) opened.reload();
  };
  const write = async (
    record: AnyRecord,
    leaf: Leaf,
    value: unknown,
  ): Promise<string | undefined> => {
    try {
      await update(record, objectAt(leaf.path, value), `${leaf.path} of ${record.id}`);
      return undefined;
    } catch (error) {
      return describeError(error);
    }
  };
  const save = async (changes: Record<string, unknown>, id: string): Promise<void> => {
    if (!isNew && opened.value !== undefined) {
      await update(opened.value, changes, opened.value.id);
      return;
    }
    const made = await writer.insert(changes, id);
    setNew(false);
    setMessage(`${made} was inserted`);
    reload();
    setParams({ record: made });
  };
  const askToDelete = (record: AnyRecord | undefined): void => {
    setNotDeleted(undefined);
    setToDelete(record);
  };
  const remove = async (record: AnyRecord): Promise<void> => {
    try {
      await writer.remove(record.id);
    } catch (error) {
      setNotDeleted(error);
      return;
    }
    askToDelete(undefined);
    setMessage(`${record.id} was deleted`);
    if (recordId === record.id) setParams({ record: "" });
    reload();
  };

  const { error } = pages;
  const fault = error instanceof ServiceError ? error : undefined;
  const isFilterFault = fault?.path?.startsWith("/filter") ?? false;
  const sortFault = faultOfSort(fault, sort);
  const isToldElsewhere =
    (isFilterFault && panel === "filter") ||
    (fault?.path?.startsWith("/columns") && panel === "columns");
  const conditions = filter === "" ? 0 : countConditions(filter);
  return (
    <div class="records">
      <div class="toolbar" role="toolbar" aria-label="Records">
        <PanelButton name="filter" panel={panel} onClick={toggle}>
          Filter{conditions > 0 ? ` (${conditions})` : ""}
        </PanelButton>
        <PanelButton name="columns" panel={panel} onClick={toggle}>
          Columns{params.columns === undefined ? "" : ` (${leaves.length - 1})`}
        </PanelButton>
        <PanelButton name="explain" panel={panel} onClick={toggle}>
          Explain
        </PanelButton>
        <SortChips sort={sort} />
        <span class="space" />
        <span class="count" role="status">
          {pages.isCounted && error === undefined && countText(pages)}
        </span>
        <button type="button" onClick={reload}>
          Reload
        </button>
        <button
          type="button"
          class="primary"
          onClick={() => {
            setParams({ record: "" });
            setNew(true);
          }}
        >
          New record
        </button>
      </div>
      {panel === "filter" && (
        <FilterPanel
          filter={filter}
          leaves={reachable}
          error={isFilterFault ? fault : undefined}
          onApply={(next) => setParams({ filter: next })}
        />
      )}
      {panel === "columns" && (
        <ColumnsPanel
          leaves={reachable}
          chosen={params.columns === undefined ? undefined : leaves.map((leaf) => leaf.path)}
          error={fault?.path?.startsWith("/columns") ? fault : undefined}
        />
      )}
      {panel === "explain" && (
        <ExplainPanel workspace={workspace} path={path} query={query} version={reloads} />
      )}
      {error !== undefined && !isToldElsewhere && <Fault error={error} />}
      {toDelete !== undefined && (
        <div class="ask" role="alertdialog" aria-label="Delete record">
          <p>
            Delete <Shown text={toDelete.id} />?
          </p>
          <Fault error={notDeleted} />
          <button
            type="button"
            class="danger"
            ref={(button) => button?.focus()}
            onClick={() => void remove(toDelete)}
          >
            Delete
          </button>
          <button type="button" onClick={() => askToDelete(undefined)}>
            Keep
          </button>
        </div>
      )}
      <p class="unseen" role="status">
        {message}
      </p>
      <div class="beside">
        <Grid
          pages={pages}
          version={version}
          leaves={leaves}
          sort={sort}
          sortError={sortFault}
          label={`Records of ${table.name}`}
          onSort={(name, isAdded) => setParams({ sort: formatSort(turnSort(sort, name, isAdded)) })}
          onOpen={(id) => {
            setNew(false);
            setParams({ record: id });
          }}
          onDelete={askToDelete}
          onWrite={write}
        />
        {opened.error !== undefined && recordId !== undefined && !isNew && (
          <aside class="drawer" aria-label="Record">
            <Fault error={opened.error} />
            <button type="button" onClick={() => setParams({ record: "" })}>
              Close
            </button>
          </aside>
        )}
        {(isNew || (recordId !== undefined && opened.value !== undefined)) && (
          <RecordDrawer
            table={table}
            tables={tables}
            record={isNew ? undefined : opened.value}
            onClose={() => {
              setNew(false);
              setParams({ record: "" });
            }}
            onSave={save}
            onDelete={askToDelete}
          />
        )}
      </div>
      <p class="hint">
        Arrow keys move, <kbd>Enter</kbd> changes a value, <kbd>Space</kbd> opens the record,{" "}
        <kbd>Alt</kbd> <kbd>Enter</kbd> follows a link, <kbd>Delete</kbd> deletes.{" "}
        <a href={hrefTo("figures", address, filter === "" ? {} : { filter })}>
          Figures of these records
        </a>
      </p>
    </div>
  );
}

/** How many records there are, and how many of them are shown though the filter leaves them out. */
function countText({ total, unmatched }: RecordPages): string {
  const records = `${showNumber(total)} ${total === 1 ? "record" : "records"}`;
  if (unmatched.size === 0) return records;
  const no = unmatched.size === 1 ? "no longer matches" : "no longer match";
  return `${records} · ${showNumber(unmatched.size)} ${no} the filter`;
}

function PanelButton({
  name,
  panel,
  onClick,
  children,
}: {
  name: Panel;
  panel: Panel;
  onClick: (name: Panel) => void;
  children: preact.ComponentChildren;
}): VNode {
  return (
    <button type="button" aria-expanded={panel === name} onClick={() => onClick(name)}>
      {children}
    </button>
  );
}
