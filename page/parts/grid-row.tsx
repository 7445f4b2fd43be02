import { Component, type VNode } from "preact";
import type { AnyRecord } from "../../src/types.js";
import { type Leaf, valueAt } from "../state/columns.js";
import { CellEditor } from "./cell-editor.jsx";
import type { GridProps } from "./grid.jsx";
import { CellValue, isNumeric, Shown } from "./value.jsx";

export interface RowActs extends Pick<GridProps, "onOpen" | "onWrite"> {
  readonly onClose: () => void;
}

interface RowProps {
  readonly row: number;
  readonly top: number;
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

/** A row, which is made again only when something of it has changed: a scroll touches few of them. */
export class Row extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    const { row, top, record, leaves, active, edited, isUnmatched } = this.props;
    return !(
      next.row === row &&
      next.top === top &&
      next.record === record &&
      next.leaves === leaves &&
      next.active === active &&
      next.edited === edited &&
      next.isUnmatched === isUnmatched
    );
  }

  override render(props: RowProps): VNode {
    const { row, top, record, leaves, active, edited, isUnmatched, acts } = props;
    const kinds = ["row"];
    if (row % 2 === 1) kinds.push("odd");
    if (edited >= 0) kinds.push("editing");
    if (isUnmatched) kinds.push("unmatched");
    return (
      <div
        role="row"
        aria-rowindex={row + 2}
        class={kinds.join(" ")}
        style={{ transform: `translateY(${top}px)` }}
      >
        {leaves.map((leaf, column) => (
          <div
            key={leaf.path}
            role={column === 0 ? "rowheader" : "gridcell"}
            aria-colindex={column + 1}
            id={active === column ? "active-cell" : undefined}
            data-cell={`${row},${column}`}
            class={`cell${isNumeric(leaf.type) ? " number" : ""}${active === column ? " active" : ""}${edited === column ? " edited" : ""}`}
          >
            {record === undefined ? (
              <span class="waiting" />
            ) : edited === column ? (
              <CellEditor
                leaf={leaf}
                value={valueAt(record, leaf.path)}
                onWrite={(value) => acts.current.onWrite(record, leaf, value)}
                onClose={() => acts.current.onClose()}
              />
            ) : column === 0 ? (
              <>
                <button
                  type="button"
                  class="link"
                  tabIndex={-1}
                  onClick={() => acts.current.onOpen(record.id)}
                >
                  <Shown text={record.id} />
                </button>
                {isUnmatched && <span class="unseen">no longer matches the filter</span>}
              </>
            ) : (
              <CellValue leaf={leaf} value={valueAt(record, leaf.path)} />
            )}
          </div>
        ))}
      </div>
    );
  }
}
