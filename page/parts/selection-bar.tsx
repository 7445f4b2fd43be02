import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { QueryRequest } from "../../src/types.js";
import { readAll } from "../state/bulk.js";
import type { TableSchema } from "../state/catalog.js";
import type { Leaf } from "../state/columns.js";
import { copyText, type FileFormat, saveFile, writeFile } from "../state/file-text.js";
import { notify, notifyFault } from "../state/notices.js";
import { place } from "../state/place.js";
import { countSelected, querySelected, type Selection } from "../state/selection.js";
import { showCount, showNumber } from "../state/text.js";
import { SetValueDialog } from "./bulk-dialogs.jsx";

/** Actions on the selected records. */
export function SelectionBar({
  table,
  leaves,
  selection,
  query,
  total,
  onAll,
  onDelete,
  onClear,
  onDone,
}: {
  table: TableSchema;
  leaves: readonly Leaf[];
  selection: Selection;
  query: QueryRequest;
  /** Number of records that match the query. */
  total: number;
  onAll: () => void;
  onDelete: () => void;
  onClear: () => void;
  onDone: () => void;
}): VNode {
  const [isSetting, setSetting] = useState(false);
  const count = countSelected(selection, total);
  const copy = async (format: FileFormat): Promise<void> => {
    try {
      const columns = format === "json" ? ["*"] : leaves.map(({ path }) => path);
      const records = readAll(place.value.address, { ...querySelected(selection, query), columns });
      const parts: string[] = [];
      for await (const part of writeFile(records, leaves, format)) parts.push(part);
      const name = format.toUpperCase();
      if (await copyText(parts.join(""))) {
        notify(`${showCount(count, "record")} copied as ${name}`);
      } else {
        saveFile(`${table.name}.${format}`, parts, "text/plain");
        notify(`The browser does not allow copying here: ${name} was saved as a file`);
      }
    } catch (error) {
      notifyFault(error);
    }
  };
  return (
    <div class="toolbar selection" role="toolbar" aria-label="Selection">
      <strong role="status">{showNumber(count)} selected</strong>
      {count < total && (
        <button type="button" class="link" onClick={onAll}>
          Select all
        </button>
      )}
      <span class="space" />
      <button type="button" onClick={() => setSetting(true)}>
        Set value…
      </button>
      <button type="button" onClick={() => void copy("json")}>
        Copy as JSON
      </button>
      <button type="button" onClick={() => void copy("csv")}>
        Copy as CSV
      </button>
      <button type="button" class="danger" onClick={onDelete}>
        Delete
      </button>
      <button type="button" class="quiet" onClick={onClear}>
        Clear selection
      </button>
      {isSetting && (
        <SetValueDialog
          table={table}
          selection={selection}
          query={query}
          total={total}
          onClose={() => setSetting(false)}
          onDone={() => {
            setSetting(false);
            onDone();
          }}
        />
      )}
    </div>
  );
}
