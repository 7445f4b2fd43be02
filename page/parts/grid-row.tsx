import { Component, type ComponentChildren, type VNode } from "preact";
import type { AnyRecord } from "../../src/types.js";
import { type Leaf, linkedId, valueAt } from "../state/columns.js";
import { cutText, showText, showValue } from "../state/text.js";
import { CellEditor } from "./cell-editor.jsx";
import type { GridProps } from "./grid.jsx";
import { isNumeric, recordHref } from "./value.jsx";

export interface RowActs extends Pick<GridProps, "onOpen" | "onWrite"> {
  readonly onClose: () => void;
}

interface RowProps {
  readonly row: number;
  readonly record: AnyRecord | undefined;
  readonly leaves: readonly Leaf[];
  /** Columns; −1 for none of this row. */
  readonly active: number;
  readonly edited: number;
  /** Whether the record was changed so that the filter no longer finds it. */
  readonly isUnmatched: boolean;
  /** What they do may change; the row stays as it is. */
  readonly acts: { readonly current: RowActs };
}

/**
 * A row, which is made again only when something of it has changed: a scroll touches few of them.
 * A cell holds a text and as few elements as can be, for each takes time when it is drawn.
 */
export class Row extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    const { row, record, leaves, active, edited, isUnmatched } = this.props;
    return !(
      next.row === row &&
      next.record === record &&
      next.leaves === leaves &&
      next.active === active &&
      next.edited === edited &&
      next.isUnmatched === isUnmatched
    );
  }

  override render({ row, record, leaves, active, edited, isUnmatched, acts }: RowProps): VNode {
    const kinds = ["row"];
    if (row % 2 === 1) kinds.push("odd");
    if (record === undefined) kinds.push("waiting");
    if (edited >= 0) kinds.push("editing");
    if (isUnmatched) kinds.push("unmatched");
    const open = (): void => acts.current.onOpen(record!.id);
    const contentOf = (leaf: Leaf, column: number, value: unknown): ComponentChildren => {
      if (column === 0) {
        return (
          <>
            <button type="button" class="link" tabIndex={-1} onClick={open}>
              {showText(record?.id ?? "")}
            </button>
            {isUnmatched && <span class="unseen">no longer matches the filter</span>}
          </>
        );
      }
      if (record === undefined) return "";
      if (edited !== column) return showCell(leaf, value);
      return (
        <CellEditor
          leaf={leaf}
          value={value}
          onWrite={(to) => acts.current.onWrite(record, leaf, to)}
          onClose={() => acts.current.onClose()}
        />
      );
    };
    return (
      <div role="row" aria-rowindex={row + 2} class={kinds.join(" ")}>
        {leaves.map((leaf, column) => {
          const value = record && (valueAt(record, leaf.path) ?? null);
          const its = ["cell"];
          if (isNumeric(leaf.type)) its.push("number");
          if (value === null) its.push("null");
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
            </div>
          );
        })}
      </div>
    );
  }
}

/** A value in a cell: cut where it is long, and a link where it leads to a record. */
function showCell({ link }: Leaf, value: unknown): VNode | string {
  if (value === null) return "null";
  const id = link === undefined ? undefined : linkedId(value);
  if (link === undefined || id === undefined) return cutText(showValue(value));
  return (
    <a href={recordHref(link, id)} tabIndex={-1}>
      {showText(cutText(id))}
    </a>
  );
}
