import type { VNode } from "preact";
import { setParams } from "../state/place.js";
import { formatSort, type SortKey } from "../state/sort.js";

/** The sort keys, each with a remove button. */
export function SortChips({ sort }: { sort: readonly SortKey[] }): VNode {
  return (
    <>
      {sort.map(({ path, direction }) => (
        <button
          key={path}
          type="button"
          class="chip"
          aria-label={`Sorted by ${path}, ${direction}: remove`}
          onClick={() => setParams({ sort: formatSort(sort.filter((key) => key.path !== path)) })}
        >
          {path === "*" ? "random order" : `${path} ${direction === "asc" ? "↑" : "↓"}`} ×
        </button>
      ))}
    </>
  );
}
