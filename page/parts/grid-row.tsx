import { Component, type ComponentChildren, type VNode } from "preact";
import type { AnyRecord } from "../../src/types.js";
import { idOf } from "../../src/value/id.js";
import { type Leaf, linkedId, valueAt } from "../state/columns.js";
import { isFilterable } from "../state/filter-tree.js";
import { cutText, showText, showValue } from "../state/text.js";
import { titleOf } from "../state/titles.js";
import { type CellEdit, CellEditor } from "./cell-editor.jsx";
import type { GridProps } from "./grid.jsx";
import { isNumeric, recordHref, ShownId } from "./value.jsx";

export interface RowActs extends Pick<GridProps, "onOpen" | "onWrite" | "onFilter"> {
  readonly onType: (text: string) => void;
  /** Ends the edit; moves the active cell by columns. */
  readonly onClose: (by?: number) => void;
}

interface RowProps {
  readonly row: number;
  readonly record: AnyRecord | undefined;
  readonly leaves: readonly Leaf[];
  /** Index of the active column; −1 if the active cell is in another row. */
  readonly active: number;
  /** The edit of a cell of this row. */
  readonly edit: CellEdit | undefined;
  readonly isSelected: boolean;
  /** Whether somebody else has just changed the record. */
  readonly isFlashing: boolean;
  /** Why the record is no longer in the result. */
  readonly leftBy: "deleted" | "no longer matches the filter" | undefined;
  /** Version of the titles of linked records. */
  readonly titles: number;
  /** A ref, so new callbacks don't rerender the row. */
  readonly acts: { readonly current: RowActs };
}

/** A row, rendered again only if its props changed. Cells have few elements, to draw fast. */
export class Row extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    const before = this.props;
    return !(Object.keys(before) as (keyof RowProps)[]).every((key) => next[key] === before[key]);
  }

  override render(props: RowProps): VNode {
    const { row, record, leaves, active, edit, isSelected, isFlashing, leftBy, acts } = props;
    const edited = edit?.column ?? -1;
    const kinds = ["row"];
    if (row % 2 === 1) kinds.push("odd");
    if (record === undefined) kinds.push("waiting");
    if (edited >= 0) kinds.push("editing");
    if (leftBy !== undefined) kinds.push("unmatched");
    if (isSelected) kinds.push("selected");
    if (isFlashing) kinds.push("flash");
    const open = (): void => acts.current.onOpen(idOf(record!));
    const contentOf = (leaf: Leaf, column: number, value: unknown): ComponentChildren => {
      if (column === 0) {
        return (
          <>
            <input
              type="checkbox"
              class="pick"
              tabIndex={-1}
              aria-label="Select"
              checked={isSelected}
            />
            <button
              type="button"
              class="link"
              tabIndex={-1}
              aria-label={record && showText(idOf(record))}
              onClick={open}
            >
              {record && <ShownId id={idOf(record)} />}
            </button>
            {leftBy !== undefined && <span class="unseen">{leftBy}</span>}
          </>
        );
      }
      if (record === undefined) return "";
      if (edit === undefined || edited !== column) return showCell(leaf, value);
      return (
        <CellEditor
          leaf={leaf}
          edit={edit}
          record={record}
          onType={(text) => acts.current.onType(text)}
          onWrite={(to, isForced) => acts.current.onWrite(edit.record, leaf, to, isForced)}
          onClose={(by) => acts.current.onClose(by)}
        />
      );
    };
    return (
      <div role="row" aria-rowindex={row + 2} aria-selected={isSelected} class={kinds.join(" ")}>
        {leaves.map((leaf, column) => {
          const value = record && (valueAt(record, leaf.path) ?? null);
          const its = ["cell"];
          if (isNumeric(leaf.type)) its.push("number");
          if (value === null) its.push("null");
          if (leaf.link !== undefined && value !== null) its.push("linked");
          if (active === column) its.push("active");
          if (edited === column) its.push("edited");
          return (
            <div
              key={leaf.path}
              role={column === 0 ? "rowheader" : "gridcell"}
              aria-colindex={column + 1}
              id={active === column ? "active-cell" : undefined}
              class={its.join(" ")}
            >
              {contentOf(leaf, column, value)}
              {active === column && column > 0 && edited !== column && isFilterable(leaf) && (
                <button
                  type="button"
                  class="by"
                  tabIndex={-1}
                  aria-label={`Filter by this ${leaf.path}`}
                  title="Show only records with this value (F)"
                  onClick={() => acts.current.onFilter(leaf, value)}
                />
              )}
            </div>
          );
        })}
      </div>
    );
  }
}

/** A cell's value, truncated; links show the title of their record. */
function showCell({ link }: Leaf, value: unknown): VNode | string {
  if (value === null) return "null";
  const id = link === undefined ? undefined : linkedId(value);
  if (link === undefined || id === undefined) return cutText(showValue(value));
  const title = titleOf(link, id);
  if (title === null) {
    return (
      <span class="bad" title={`There is no record ${id} in ${link}`}>
        <ShownId id={id} /> <span class="tag">missing</span>
      </span>
    );
  }
  const name = showText(cutText(title || id));
  return (
    <>
      {title ? name : <ShownId id={id} />}
      <a href={recordHref(link, id)} tabIndex={-1} aria-label={`Open ${name}`}>
        ↗
      </a>
      {title ? (
        <span class="beside-id">
          <ShownId id={id} />
        </span>
      ) : null}
    </>
  );
}
