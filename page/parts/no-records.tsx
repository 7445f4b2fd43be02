import type { VNode } from "preact";
import { setParams } from "../state/place.js";
import { Empty } from "./empty.jsx";

/** The empty state of a table without records, or without matches. */
export function NoRecords({
  isFiltered,
  onNew,
  onImport,
}: {
  isFiltered: boolean;
  onNew: () => void;
  onImport: () => void;
}): VNode {
  if (isFiltered) {
    return (
      <Empty title="No record matches the filter">
        <button type="button" class="primary" onClick={() => setParams({ filter: "" })}>
          Clear filter
        </button>
        <button type="button" onClick={() => setParams({ panel: "filter" })}>
          Edit filter
        </button>
      </Empty>
    );
  }
  return (
    <Empty title="No records yet" text="Insert one, or drop a CSV or JSON file here.">
      <button type="button" class="primary" onClick={onNew}>
        Insert record
      </button>
      <button type="button" onClick={onImport}>
        Import a file
      </button>
    </Empty>
  );
}
