import type { ComponentChildren, VNode } from "preact";
import type { Leaf } from "../state/columns.js";
import type { SortKey } from "../state/sort.js";
import type { GridProps } from "./grid.jsx";
import { isNumeric, Shown } from "./value.jsx";

/** A column header; a click sorts. */
export function GridHeader({
  leaf,
  column,
  sort,
  error,
  onSort,
  children,
}: {
  leaf: Leaf;
  column: number;
  sort: readonly SortKey[];
  error: GridProps["sortError"];
  onSort: GridProps["onSort"];
  children?: ComponentChildren;
}): VNode {
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
    </div>
  );
}
