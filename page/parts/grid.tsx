import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { AnyRecord, QueryRequest } from "../../src/types.js";
import { idOf } from "../../src/value/id.js";
import { readAsSheet, sheetCell } from "../state/cells.js";
import { type Leaf, linkedId, valueAt } from "../state/columns.js";
import { copyText } from "../state/file-text.js";
import { notify, notifyFault } from "../state/notices.js";
import type { RecordPages } from "../state/pages.js";
import { countSelected, isSelected, querySelected, type Selection } from "../state/selection.js";
import type { SortKey } from "../state/sort.js";
import { showCount } from "../state/text.js";
import { titleVersion } from "../state/titles.js";
import { toInput } from "../state/values.js";
import { clampWidth, type Widths } from "../state/widths.js";
import type { CellEdit, WriteResult } from "./cell-editor.jsx";
import { GridHeader } from "./grid-header.jsx";
import { Row, type RowActs } from "./grid-row.jsx";
import { isNumeric, recordHref } from "./value.jsx";

const ROW_HEIGHT = 32;
/** Maximum scroll height in browsers; with more rows, scrolling is scaled. */
const MAX_HEIGHT = 15_000_000;
const OVERSCAN = 6;
/** Pixels by which a key changes the width of a column. */
const RESIZE_STEP = 20;
/** Throttle of page requests while scrolling, in milliseconds. */
const WANT_MS = 60;

export interface GridProps {
  readonly pages: RecordPages;
  /** Incremented when `pages` changes. */
  readonly version: number;
  readonly leaves: readonly Leaf[];
  readonly sort: readonly SortKey[];
  readonly widths: Widths;
  /** Sets the width of a column; undefined for the default. */
  readonly onResize: (path: string, width: number | undefined) => void;
  readonly label: string;
  readonly sortError: { readonly path: string; readonly message: string } | undefined;
  readonly onSort: (path: string, isAdded: boolean) => void;
  readonly onOpen: (id: string) => void;
  readonly onDelete: (record: AnyRecord) => void;
  readonly selection: Selection;
  readonly query: QueryRequest;
  readonly onSelect: (ids: readonly string[], isSelected: boolean) => void;
  /** Selects all records, or none. */
  readonly onSelectAll: (isSelected: boolean) => void;
  /** Reports the text in the edited cell; undefined when the edit ends. */
  readonly onDraft: (record: AnyRecord, leaf: Leaf, text: string | undefined) => void;
  /** Writes cells of a sheet, the first of them into a cell. */
  readonly onPaste: (text: string, row: number, column: number) => void;
  /** Shows only records with this value. */
  readonly onFilter: (leaf: Leaf, value: unknown) => void;
  /** Writes a value; `isForced` ignores the version check. */
  readonly onWrite: (
    record: AnyRecord,
    leaf: Leaf,
    value: unknown,
    isForced: boolean,
  ) => Promise<WriteResult>;
}

interface Cell {
  readonly row: number;
  readonly column: number;
}

/** A virtualized data grid: only visible rows are rendered. */
export function Grid(props: GridProps): VNode {
  const { pages, leaves, sort, label, onSort, onOpen, onDelete, onWrite } = props;
  const { selection, onSelect, onSelectAll, onResize } = props;
  const box = useRef<HTMLDivElement>(null);
  const [scrolled, setScrolled] = useState(0);
  const [height, setHeight] = useState(600);
  const [active, setActive] = useState<Cell>({ row: 0, column: 0 });
  /** The widths while one is dragged. */
  const [dragged, setDragged] = useState<Widths | undefined>(undefined);
  const [editing, setEditing] = useState<CellEdit | undefined>(undefined);
  const total = pages.total;
  const full = total * ROW_HEIGHT;
  const shownHeight = Math.min(full, MAX_HEIGHT);
  const body = Math.max(height - ROW_HEIGHT, ROW_HEIGHT);
  // Beyond the maximum height, one scrolled pixel is several pixels of rows.
  const ratio = full > MAX_HEIGHT ? (full - body) / (MAX_HEIGHT - body) : 1;
  const first = Math.max(0, Math.floor((scrolled * ratio) / ROW_HEIGHT) - OVERSCAN);
  // Rows recycle their elements by slot. The number of slots never shrinks: an on-screen keyboard
  // must not remove the cell that is being edited.
  const most = useRef(0);
  const slots = Math.max(most.current, Math.ceil(body / ROW_HEIGHT) + 2 * OVERSCAN);
  most.current = slots;
  const end = Math.min(total, first + slots);
  const top = first * ROW_HEIGHT - scrolled * ratio + scrolled;

  useLayoutEffect(() => {
    const element = box.current!;
    const observer = new ResizeObserver(() => setHeight(element.clientHeight));
    observer.observe(element);
    setHeight(element.clientHeight);
    return () => observer.disconnect();
  }, []);

  // A layout effect: a later one could discard a key press.
  useLayoutEffect(() => {
    box.current!.scrollTop = 0;
    setScrolled(0);
    setActive({ row: 0, column: 0 });
  }, [pages.query]);
  useLayoutEffect(() => setEditing(undefined), [pages]);

  const wanted = useRef({ pages, first, end });
  wanted.current = { pages, first, end };
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      // Read through the ref: the query may have changed meanwhile.
      const { current } = wanted;
      current.pages.want(current.first, current.end + 40);
    }, WANT_MS);
  }, [pages, first, end, props.version]);
  useEffect(() => () => clearTimeout(timer.current), []);

  const [template, width] = useMemo(() => {
    const chosen = dragged ?? props.widths;
    const widths = leaves.map((leaf, index) => {
      const width = chosen.get(leaf.path);
      return width === undefined ? widthOf(leaf, index) : { least: width };
    });
    const least = widths.reduce((sum, { least }) => sum + least, 0);
    const tracks = widths.map((of) => (of.grows ? `minmax(${of.least}px, 1fr)` : `${of.least}px`));
    return [tracks.join(" "), `${least}px`];
  }, [leaves, props.widths, dragged]);

  const moveTo = (row: number, column: number): void => {
    const next = {
      row: Math.max(0, Math.min(total - 1, row)),
      column: Math.max(0, Math.min(leaves.length - 1, column)),
    };
    setActive(next);
    const element = box.current!;
    const top = next.row * ROW_HEIGHT;
    // Read the DOM: keys may come faster than renders.
    const seen = element.scrollTop * ratio;
    if (top < seen) element.scrollTop = top / ratio;
    else if (top + ROW_HEIGHT > seen + body) {
      element.scrollTop = (top + ROW_HEIGHT - body) / ratio;
    }
    const headers = headersIn(element);
    const header = headers[next.column];
    if (header === undefined) return;
    const { offsetLeft, offsetWidth } = header;
    const sticky = headers[0]!.offsetWidth;
    if (next.column > 0 && offsetLeft < element.scrollLeft + sticky) {
      element.scrollLeft = offsetLeft - sticky;
    } else if (offsetLeft + offsetWidth > element.scrollLeft + element.clientWidth) {
      element.scrollLeft = offsetLeft + offsetWidth - element.clientWidth;
    } else if (next.column === 0) element.scrollLeft = 0;
  };

  const edit = (cell: Cell): void => {
    const leaf = leaves[cell.column];
    const record = pages.at(cell.row);
    if (record === undefined || leaf === undefined) return;
    if (leaf.isOwn && !pages.gone.has(idOf(record))) {
      setEditing({ ...cell, record, text: toInput(leaf.type, valueAt(record, leaf.path)) });
    } else onOpen(idOf(record));
  };

  const count = countSelected(selection, total);
  const isPicked = (record: AnyRecord | undefined): boolean =>
    record !== undefined && isSelected(selection, idOf(record));
  /** Selects a row, or the range from the last selected one. */
  const anchor = useRef(0);
  const pick = (row: number, isRange: boolean): void => {
    const record = pages.at(row);
    if (record === undefined) return;
    const from = isRange ? Math.min(anchor.current, row) : row;
    const to = isRange ? Math.max(anchor.current, row) : row;
    const records = Array.from({ length: to - from + 1 }, (_, i) => pages.at(from + i));
    onSelect(
      records.flatMap((found) => (found ? idOf(found) : [])),
      isRange || !isPicked(record),
    );
    if (!isRange) anchor.current = row;
  };

  // The event's target is where a text could be inserted, so the document listens.
  useLayoutEffect(() => {
    const onPaste = (event: ClipboardEvent): void => {
      if (document.activeElement !== box.current) return;
      event.preventDefault();
      props.onPaste(event.clipboardData?.getData("text/plain") ?? "", active.row, active.column);
    };
    document.addEventListener("paste", onPaste);
    return () => document.removeEventListener("paste", onPaste);
  });

  const onKeyDown = (event: KeyboardEvent): void => {
    if (editing !== undefined || event.target !== box.current) return;
    const { row, column } = active;
    const page = Math.floor(body / ROW_HEIGHT) - 1;
    const isFar = event.ctrlKey || event.metaKey;
    const extend = (by: number): void => {
      if (!isPicked(pages.at(row))) pick(row, false);
      pick(Math.max(0, Math.min(total - 1, row + by)), true);
      moveTo(row + by, column);
    };
    const resize = (by: number): void => {
      const header = headersIn(box.current!)[column];
      if (header) onResize(leaves[column]!.path, clampWidth(header.offsetWidth + by));
    };
    if (isFar && event.key === "c" && String(getSelection()) === "") {
      copy(active).catch(notifyFault);
    }
    if (isFar && event.key === "a") {
      event.preventDefault();
      onSelectAll(true);
    }
    if ((isFar || event.altKey) && /^[a-z]$/.test(event.key)) return;
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => (event.shiftKey ? extend(1) : moveTo(row + 1, column)),
      ArrowUp: () => (event.shiftKey ? extend(-1) : moveTo(row - 1, column)),
      ArrowRight: () => (event.shiftKey ? resize(RESIZE_STEP) : moveTo(row, column + 1)),
      ArrowLeft: () => (event.shiftKey ? resize(-RESIZE_STEP) : moveTo(row, column - 1)),
      PageDown: () => moveTo(row + page, column),
      PageUp: () => moveTo(row - page, column),
      Home: () => moveTo(isFar ? 0 : row, 0),
      End: () => moveTo(isFar ? total - 1 : row, isFar ? column : leaves.length - 1),
      F2: () => edit(active),
      f: () => filterBy(active),
      Backspace: () => clear(active),
      Enter: () => (event.altKey ? follow(active) : edit(active)),
      " ": () => (event.shiftKey ? pick(row, false) : open(row)),
      ...(count > 0 && { Escape: () => onSelectAll(false) }),
      Delete: () => {
        const record = pages.at(row);
        if (record !== undefined) onDelete(record);
      },
    };
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    move();
  };

  const open = (row: number): void => {
    const record = pages.at(row);
    if (record !== undefined) onOpen(idOf(record));
  };

  /** Copies the selected rows, or else a cell. */
  const copy = async ({ row, column }: Cell): Promise<void> => {
    const [leaf, record] = [leaves[column], pages.at(row)];
    const isRows = count > 0;
    if (!isRows && (leaf === undefined || record === undefined)) return;
    const text = isRows
      ? await readAsSheet(querySelected(selection, props.query), leaves)
      : sheetCell(leaf!, valueAt(record!, leaf!.path));
    const what = isRows
      ? `${showCount(count, "row")} copied`
      : `${leaf!.path} of ${idOf(record!)} was copied`;
    notify((await copyText(text)) ? what : "The browser does not allow copying here");
  };

  const filterBy = ({ row, column }: Cell): void => {
    const [leaf, record] = [leaves[column], pages.at(row)];
    if (leaf !== undefined && record !== undefined) {
      props.onFilter(leaf, valueAt(record, leaf.path));
    }
  };

  const clear = ({ row, column }: Cell): void => {
    const [leaf, record] = [leaves[column], pages.at(row)];
    if (!leaf?.isOwn || record === undefined || pages.gone.has(idOf(record))) return;
    void onWrite(record, leaf, null, false).then(({ fault, isConflict }) => {
      if (fault !== undefined || isConflict) edit({ row, column });
      if (fault !== undefined) notifyFault(fault);
    });
  };

  const follow = ({ row, column }: Cell): void => {
    const leaf = leaves[column];
    const record = pages.at(row);
    const id = leaf && record && linkedId(valueAt(record, leaf.path));
    if (leaf?.link !== undefined && id !== undefined) location.hash = recordHref(leaf.link, id);
  };

  const onClick = (event: MouseEvent): void => {
    const cell = readCell(event.target);
    if (cell === undefined) return;
    setActive(cell);
    if ((event.target as HTMLElement).matches(".pick")) pick(cell.row, event.shiftKey);
    else if (event.detail === 2) edit(cell);
  };

  // Row elements are recycled, so they must not hold the focus.
  const onFocusIn = (event: FocusEvent): void => {
    if ((event.target as HTMLElement).matches(".cell > :is(a, .link, .pick, .by)"))
      box.current?.focus();
  };

  const acts = useRef<RowActs>({
    onOpen,
    onWrite,
    onFilter: props.onFilter,
    ...{ onType: () => {}, onClose: () => {} },
  });
  acts.current = {
    onOpen,
    onWrite,
    onFilter: props.onFilter,
    onType: (text) => {
      if (editing === undefined) return;
      setEditing({ ...editing, text });
      props.onDraft(editing.record, leaves[editing.column]!, text);
    },
    onClose: (by = 0) => {
      if (editing !== undefined) {
        props.onDraft(editing.record, leaves[editing.column]!, undefined);
        if (by !== 0) moveTo(editing.row, editing.column + by);
      }
      setEditing(undefined);
      // Unless the focus is elsewhere already.
      const { activeElement } = document;
      if (activeElement === document.body || box.current?.contains(activeElement)) {
        box.current?.focus();
      }
    },
  };
  const leftBy = (id: string) =>
    pages.gone.has(id)
      ? ("deleted" as const)
      : pages.unmatched.has(id)
        ? ("no longer matches the filter" as const)
        : undefined;
  const rows: VNode[] = [];
  for (let row = first; row < end; row++) {
    const record = pages.at(row);
    rows.push(
      <Row
        key={row % slots}
        row={row}
        record={record}
        leaves={leaves}
        active={active.row === row ? active.column : -1}
        edit={editing?.row === row ? editing : undefined}
        isSelected={isPicked(record)}
        isFlashing={record !== undefined && pages.flashing.has(idOf(record))}
        leftBy={record && leftBy(idOf(record))}
        titles={titleVersion.value}
        acts={acts}
      />,
    );
  }

  return (
    <div
      ref={box}
      class="grid"
      role="grid"
      aria-label={label}
      aria-rowcount={total + 1}
      aria-colcount={leaves.length}
      aria-multiselectable="true"
      aria-activedescendant={active.row >= first && active.row < end ? "active-cell" : undefined}
      tabIndex={0}
      onScroll={(event) => setScrolled(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
      onClick={onClick}
      onFocusIn={onFocusIn}
      style={{ "--columns": template, "--width": width }}
    >
      <div role="rowgroup" class="head">
        <div role="row" class="row" aria-rowindex={1}>
          {leaves.map((leaf, column) => (
            <GridHeader
              key={leaf.path}
              leaf={leaf}
              column={column}
              sort={sort}
              error={props.sortError}
              onSort={onSort}
              onDrag={(width) => {
                setDragged(new Map(props.widths).set(leaf.path, clampWidth(width)));
              }}
              onDrop={() => {
                if (dragged !== undefined) onResize(leaf.path, dragged.get(leaf.path));
                setDragged(undefined);
              }}
              onReset={() => onResize(leaf.path, undefined)}
            >
              {column === 0 && (
                <input
                  type="checkbox"
                  class="pick"
                  aria-label="Select all"
                  checked={count > 0 && count >= total}
                  onChange={(event) => {
                    event.currentTarget.checked = count === 0 && total > 0;
                    onSelectAll(count === 0);
                  }}
                />
              )}
            </GridHeader>
          ))}
        </div>
      </div>
      <div class="body" style={{ height: `${shownHeight}px` }}>
        <div role="rowgroup" class="rows" style={{ transform: `translateY(${top}px)` }}>
          {rows}
        </div>
      </div>
    </div>
  );
}

function headersIn(grid: HTMLElement): NodeListOf<HTMLElement> {
  return grid.querySelectorAll('[role="columnheader"]');
}

/** The minimum width of a column, and whether it grows. */
function widthOf({ type, path, link }: Leaf, index: number): { least: number; grows?: boolean } {
  const wide = Math.min(path.length * 8 + (link ?? type).length * 7 + 44, 280);
  if (index === 0) return { least: 168 };
  if (type === "bool") return { least: Math.max(90, wide) };
  if (isNumeric(type)) return { least: Math.max(110, wide) };
  if (type === "datetime") return { least: Math.max(210, wide) };
  if (type === "link") return { least: Math.max(200, wide) };
  return { least: Math.max(190, wide), grows: true };
}

function readCell(target: EventTarget | null): Cell | undefined {
  const cell = (target as HTMLElement | null)?.closest(".body [aria-colindex]");
  const row = cell?.parentElement?.ariaRowIndex;
  return cell && row ? { row: Number(row) - 2, column: Number(cell.ariaColIndex) - 1 } : undefined;
}
