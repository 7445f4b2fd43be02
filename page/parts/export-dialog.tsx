import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { QueryRequest } from "../../src/types.js";
import { readAll } from "../state/bulk.js";
import type { Leaf } from "../state/columns.js";
import { type FileFormat, saveFile, writeFile } from "../state/file-text.js";
import { notify } from "../state/notices.js";
import { place } from "../state/place.js";
import { showCount, showNumber } from "../state/text.js";
import { Dialog } from "./dialog.jsx";
import { Check, Choice } from "./field.jsx";

const TYPES: Readonly<Record<FileFormat, string>> = {
  csv: "text/csv",
  json: "application/json",
  ndjson: "application/x-ndjson",
};

/** Exports the records of a query to a file. */
export function ExportDialog({
  name,
  query,
  leaves,
  total,
  onClose,
}: {
  name: string;
  query: QueryRequest;
  leaves: readonly Leaf[];
  total: number;
  onClose: () => void;
}): VNode {
  const [format, setFormat] = useState<FileFormat>("csv");
  const [escapesFormulas, setEscapesFormulas] = useState(false);
  const [done, setDone] = useState(0);
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);
  const save = async (): Promise<void> => {
    let count = 0;
    const counted = async function* () {
      for await (const records of readAll(place.value.address, query, stop.current.signal)) {
        count += records.length;
        setDone(count);
        yield records;
      }
    };
    const parts: string[] = [];
    for await (const part of writeFile(counted(), leaves, format, escapesFormulas))
      parts.push(part);
    saveFile(`${name}.${format}`, parts, TYPES[format]);
    notify(`${showCount(count, "record")} exported to ${name}.${format}`);
    onClose();
  };
  return (
    <Dialog
      title={`Export ${showCount(total, "record")}`}
      action="Export"
      onSubmit={save}
      onClose={onClose}
    >
      <p class="faint">
        {query.filter === undefined
          ? "All records of the table"
          : "The records that the filter matches"}
        , in the order shown.
      </p>
      <Choice
        label="Format"
        value={format}
        options={[
          ["csv", "CSV, the columns shown"],
          ["json", "JSON"],
          ["ndjson", "JSON lines"],
        ]}
        onChange={(next) => setFormat(next as FileFormat)}
      />
      {format === "csv" && (
        <Check isChecked={escapesFormulas} onChange={setEscapesFormulas}>
          Escape formulas: prefix texts that begin with = + - @, tab or carriage return with an
          apostrophe
        </Check>
      )}
      {done > 0 && (
        <p role="status">
          {showNumber(done)} of {showNumber(total)}
        </p>
      )}
    </Dialog>
  );
}
