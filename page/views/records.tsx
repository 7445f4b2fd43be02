import type { ComponentChildren, VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { AnyRecord } from "../../src/types.js";
import { idOf } from "../../src/value/id.js";
import type { WriteResult } from "../parts/cell-editor.jsx";
import { ColumnsPanel } from "../parts/columns-panel.jsx";
import { DraftsBar } from "../parts/drafts-bar.jsx";
import { DropArea } from "../parts/drop-area.jsx";
import { ExplainPanel } from "../parts/explain-panel.jsx";
import { Fault } from "../parts/field.jsx";
import { FilterPanel } from "../parts/filter-panel.jsx";
import { Grid } from "../parts/grid.jsx";
import { NoRecords } from "../parts/no-records.jsx";
import { QuickFind } from "../parts/quick-find.jsx";
import { RecordDialogs, type RecordTask } from "../parts/record-dialogs.jsx";
import { RecordDrawer } from "../parts/record-drawer.jsx";
import { SelectionBar } from "../parts/selection-bar.jsx";
import { SortChips } from "../parts/sort-chips.jsx";
import { ServiceError, service, tablePath } from "../state/api.js";
import type { TableSchema } from "../state/catalog.js";
import { pasteRows, planPaste, readSheet } from "../state/cells.js";
import { type Leaf, objectAt, reachableLeaves } from "../state/columns.js";
import { draftKey, setEntry } from "../state/drafts.js";
import { filterByValue } from "../state/filter-tree.js";
import { describeError, useLoad } from "../state/load.js";
import { notifyFault } from "../state/notices.js";
import type { RecordPages } from "../state/pages.js";
import { hrefTo, place, setParams } from "../state/place.js";
import { readQuickFind } from "../state/quick-find.js";
import { chooseLeaves, countConditions, faultOfSort, makeQuery } from "../state/record-query.js";
import { isConflict, versionOf } from "../state/record-writer.js";
import {
  ALL,
  countSelected,
  isSelected,
  NONE,
  type Selection,
  select,
  selectionOf,
} from "../state/selection.js";
import { formatSort, parseSort, splitList, turnSort } from "../state/sort.js";
import { showCount, showNumber } from "../state/text.js";
import { titleColumns } from "../state/titles.js";
import { undoably, undone } from "../state/undo.js";
import { usePages } from "../state/use-pages.js";
import { formatWidths, parseWidths } from "../state/widths.js";

type Panel = "filter" | "columns" | "explain" | "";

/** The records of a table: browse, sort, filter, edit. */
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
  const widths = useMemo(() => parseWidths(params.widths), [params.widths]);
  const reachable = useMemo(() => reachableLeaves(table, tables), [table, tables]);
  const leaves = useMemo(
    () => chooseLeaves(table, reachable, splitList(params.columns)),
    [table, reachable, params.columns],
  );
  const filter = params.filter ?? "";
  const asked = params.columns === undefined ? undefined : leaves;
  // Depends on `table`: a changed column changes the records.
  const query = useMemo(() => makeQuery(filter, sort, asked), [filter, sort, asked, table]);
  const [isNew, setNew] = useState(false);
  const [task, setTask] = useState<RecordTask | undefined>(undefined);
  const [selection, setSelection] = useState(NONE);
  /** The id of the record that is edited in a cell. */
  const [typedIn, setTypedIn] = useState<string | undefined>(undefined);

  const recordId = isNew ? undefined : params.record;
  const used = usePages(address, path, query, recordId, (record) => {
    const { value } = opened;
    const isNews = record ? versionOf(record) !== (value && versionOf(value)) : value !== undefined;
    if (isNews) opened.reload();
  });
  const { pages, writer, version, reloads, reload } = used;
  const seen = useRef(undone.value);
  useEffect(() => {
    if (seen.current !== undone.value) reload();
    seen.current = undone.value;
  }, [undone.value]);
  useEffect(() => setSelection(NONE), [filter, path]);
  useEffect(() => setTypedIn(undefined), [pages]);
  const read = (id: string, signal?: AbortSignal): Promise<AnyRecord> =>
    service(workspace, "GET", `${path}/data/${encodeURIComponent(id)}`, { signal });
  const opened = useLoad<AnyRecord | undefined>(
    async (signal) => (recordId === undefined ? undefined : read(recordId, signal)),
    [workspace, path, recordId, reloads],
  );

  const panel = (params.panel ?? "") as Panel;
  const toggle = (name: Panel): void => setParams({ panel: panel === name ? "" : name });
  const open = (id: string): void => {
    setNew(id === "");
    setParams({ record: id });
  };
  const close = (): void => {
    setNew(false);
    setParams({ record: "" });
    document.querySelector<HTMLElement>("[role=grid]")?.focus();
  };

  /** Updates a record; resolves with its new version if it is open in the drawer. */
  const update = async (
    id: string,
    changes: object,
    what: string,
    version: number | undefined,
  ): Promise<number | undefined> => {
    await undoably(
      () => writer.update(id, changes, version),
      (isMatched) =>
        `${what} was saved${isMatched ? "" : "; the record no longer matches the filter"}`,
    );
    if (recordId !== id) return undefined;
    const written = await read(id);
    opened.put(written);
    return versionOf(written);
  };
  const write = async (
    record: AnyRecord,
    leaf: Leaf,
    value: unknown,
    isForced: boolean,
  ): Promise<WriteResult> => {
    try {
      const what = `${leaf.path} of ${idOf(record)}`;
      const changes = objectAt(leaf.path, value);
      await update(idOf(record), changes, what, isForced ? undefined : versionOf(record));
      return {};
    } catch (error) {
      if (!isConflict(error)) return { fault: describeError(error) };
      await writer.refresh(idOf(record));
      return { isConflict: true };
    }
  };
  const save = async (
    changes: Record<string, unknown>,
    id: string,
    version: number | undefined,
  ): Promise<number | undefined> => {
    if (recordId !== undefined) return update(recordId, changes, recordId, version);
    const made = await undoably(
      () => writer.insert(changes, id),
      (known) => `${known} was inserted`,
    );
    setNew(false);
    reload();
    setParams({ record: made });
    return undefined;
  };
  const paste = async (text: string, row: number, column: number): Promise<void> => {
    try {
      const rows = readSheet(text);
      const records = await pages.read(row, Math.min(row + rows.length, pages.total));
      const from = leaves.slice(column);
      const writes = planPaste(table, from, records, rows);
      const cells = rows.reduce((sum, row) => sum + row.length, 0);
      const into = showCount(writes.length, "record");
      const added = showNumber(rows.length - records.length);
      await undoably(
        () => pasteRows(writes, from),
        () => `${showCount(cells, "cell")} pasted into ${into}, ${added} of them new`,
      );
      reload();
    } catch (error) {
      notifyFault(error);
    }
  };
  const remove = (deleted: Selection): void => setTask({ kind: "delete", selection: deleted });

  const { error, total } = pages;
  const isSome = countSelected(selection, total) > 0;
  const fault = error instanceof ServiceError ? error : undefined;
  const isFilterFault = fault?.path?.startsWith("/filter") ?? false;
  const isColumnFault = fault?.path?.startsWith("/columns") ?? false;
  const sortFault = faultOfSort(fault, sort);
  const isToldElsewhere =
    (isFilterFault && panel === "filter") || (isColumnFault && panel === "columns");
  const isQuickFind = readQuickFind(titleColumns(table), filter) !== undefined;
  const conditions = isQuickFind ? 0 : countConditions(filter);
  const isEmpty = pages.isCounted && error === undefined && pages.total === 0;
  return (
    <DropArea
      class="records"
      sign={`Drop the file to import it into ${table.name}`}
      onFile={(file) => setTask({ kind: "import", file })}
    >
      <div class="toolbars">
        <div class="toolbar" role="toolbar" aria-label="Records" inert={isSome}>
          <QuickFind table={table} filter={filter} />
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
          {pages.fresh > 0 && (
            <button type="button" class="fresh" onClick={reload}>
              {showCount(pages.fresh, "new row")}
            </button>
          )}
          <a class="button" href={hrefTo("charts", address, filter === "" ? {} : { filter })}>
            Charts
          </a>
          <button type="button" onClick={() => setTask({ kind: "import" })}>
            Import
          </button>
          <button type="button" onClick={() => setTask({ kind: "export" })}>
            Export
          </button>
          <button type="button" aria-label="Refresh" title="Refresh" onClick={reload}>
            ↻
          </button>
          <button type="button" class="primary" onClick={() => open("")}>
            New record
          </button>
        </div>
        {isSome && (
          <SelectionBar
            table={table}
            leaves={leaves}
            selection={selection}
            query={query}
            total={total}
            onAll={() => setSelection(ALL)}
            onDelete={() => remove(selection)}
            onClear={() => setSelection(NONE)}
            onDone={reload}
          />
        )}
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
          table={table}
          leaves={reachable}
          chosen={params.columns === undefined ? undefined : leaves.map((leaf) => leaf.path)}
          error={isColumnFault ? fault : undefined}
          onAdd={() => setTask({ kind: "column" })}
        />
      )}
      {panel === "explain" && (
        <ExplainPanel workspace={workspace} path={path} query={query} version={reloads} />
      )}
      {error !== undefined && !isToldElsewhere && <Fault error={error} />}
      <DraftsBar address={address} edited={[isNew ? "" : recordId, typedIn]} onOpen={open} />
      <div class="beside">
        <div class="grid-place">
          <Grid
            pages={pages}
            version={version}
            leaves={leaves}
            sort={sort}
            widths={widths}
            onResize={(name, width) => {
              const next = new Map(widths);
              if (width === undefined) next.delete(name);
              else next.set(name, width);
              setParams({ widths: formatWidths(next) }, { replace: true });
            }}
            sortError={sortFault}
            label={`Records of ${table.name}`}
            selection={selection}
            query={query}
            onSelect={(ids, isAdded) => setSelection(select(selection, ids, isAdded))}
            onSelectAll={(isAdded) => setSelection(isAdded ? ALL : NONE)}
            onSort={(name, isAdded) =>
              setParams({ sort: formatSort(turnSort(sort, name, isAdded)) })
            }
            onOpen={open}
            onDelete={(record) => remove(selectionOf(idOf(record)))}
            onDraft={(record, leaf, text) => {
              const key = draftKey(address, idOf(record));
              const entry = text === undefined ? undefined : { text, isNull: false };
              setEntry(key, versionOf(record), leaf.path, entry);
              setTypedIn(entry && idOf(record));
            }}
            onPaste={paste}
            onFilter={(leaf, value) => setParams({ filter: filterByValue(filter, leaf, value) })}
            onWrite={write}
          />
          {isEmpty && (
            <NoRecords
              isFiltered={filter !== ""}
              onNew={() => open("")}
              onImport={() => setTask({ kind: "import" })}
            />
          )}
        </div>
        {opened.error !== undefined && recordId !== undefined && (
          <aside class="drawer" aria-label="Record">
            <Fault error={opened.error} />
            <button type="button" onClick={close}>
              Close
            </button>
          </aside>
        )}
        {(isNew || (recordId !== undefined && opened.value !== undefined)) && (
          <RecordDrawer
            table={table}
            tables={tables}
            record={isNew ? undefined : opened.value}
            onClose={close}
            onSave={save}
            onReload={opened.reload}
            onDelete={(record) => remove(selectionOf(idOf(record)))}
          />
        )}
      </div>
      <p class="hint">
        <kbd>Enter</kbd> edits, <kbd>Tab</kbd> saves and moves right, <kbd>Space</kbd> opens the
        record, <kbd>Ctrl</kbd> <kbd>C</kbd> copies, <kbd>Ctrl</kbd> <kbd>V</kbd> pastes cells,{" "}
        <kbd>F</kbd> filters by the value, <kbd>/</kbd> finds, <kbd>Delete</kbd> deletes,{" "}
        <kbd>Ctrl</kbd> <kbd>Z</kbd> undoes.
      </p>
      {task !== undefined && (
        <RecordDialogs
          task={task}
          table={table}
          tables={tables}
          query={query}
          leaves={leaves}
          total={total}
          onClose={() => setTask(undefined)}
          onDone={(deleted) => {
            setTask(undefined);
            setSelection(NONE);
            if (deleted && recordId && isSelected(deleted, recordId)) setParams({ record: "" });
            reload();
          }}
        />
      )}
    </DropArea>
  );
}

/** The record count, and how many shown records no longer match the filter. */
function countText({ total, unmatched }: RecordPages): string {
  const records = showCount(total, "record");
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
  children: ComponentChildren;
}): VNode {
  return (
    <button type="button" aria-expanded={panel === name} onClick={() => onClick(name)}>
      {children}
    </button>
  );
}
