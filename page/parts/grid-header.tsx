import type { ComponentChildren, VNode } from "preact";
import { useRef } from "preact/hooks";
import type { Leaf } from "../state/columns.js";
import type { SortKey } from "../state/sort.js";
import type { GridProps } from "./grid.jsx";
import { isNumeric, Shown } from "./value.jsx";

/** A column header: a click sorts, its right edge resizes the column. */
export function GridHeader({
  leaf,
  column,
  sort,
  error,
  onSort,
  onDrag,
  onDrop,
  onReset,
  children,
}: {
  leaf: Leaf;
  column: number;
  sort: readonly SortKey[];
  error: GridProps["sortError"];
  onSort: GridProps["onSort"];
  /** The edge is dragged, to a width in pixels. */
  onDrag: (width: number) => void;
  onDrop: () => void;
  /** Restores the default width. */
  onReset: () => void;
  children?: ComponentChildren;
}): VNode {
  /** The width where the pointer is at 0: columns that grow move the edge. */
  const origin = useRef(0);
  const place = sort.findIndex(({ path }) => path === leaf.path);
  const key = sort[place];
  const direction =
    key?.direction === "asc" ? "ascending" : key?.direction === "desc" ? "descending" : "none";
  const isWrong = error?.path === leaf.path;
  return (
    <div
      role="columnheader"
      aria-colindex={column + 1}
      aria-sort={direction}
      class={`cell${isNumeric(leaf.type) ? " number" : ""}${isWrong ? " wrong" : ""}`}
    >
      {children}
      <button
        type="button"
        class="sort"
        title={
          isWrong
            ? error.message
            : `${leaf.path}: ${leaf.type}. Click to sort, Shift-click to add a sort key`
        }
        onClick={(event) => onSort(leaf.path, event.shiftKey)}
      >
        <span class="name">
          <Shown text={leaf.path} />
        </span>
        {leaf.type !== "id" && <span class="type">{leaf.link ? `→ ${leaf.link}` : leaf.type}</span>}
        {direction !== "none" && (
          <span class="arrow" aria-hidden="true">
            {direction === "ascending" ? "↑" : "↓"}
            {sort.length > 1 ? place + 1 : ""}
          </span>
        )}
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the grid has keys for it */}
      <span
        class="resize"
        title="Drag to resize, double-click to reset (Shift ← → in the grid)"
        onPointerDown={({ currentTarget: edge, pointerId, clientX }) => {
          edge.setPointerCapture(pointerId);
          origin.current = edge.parentElement!.offsetWidth - clientX;
        }}
        onPointerMove={({ currentTarget: edge, pointerId, clientX }) => {
          if (edge.hasPointerCapture(pointerId)) onDrag(origin.current + clientX);
        }}
        onLostPointerCapture={onDrop}
        onDblClick={onReset}
      />
    </div>
  );
}
