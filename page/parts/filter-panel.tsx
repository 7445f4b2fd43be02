import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ServiceError } from "../state/api.js";
import type { Leaf } from "../state/columns.js";
import {
  buildFilter,
  EMPTY_GROUP,
  findFault,
  type GroupNode,
  readFilter,
} from "../state/filter-tree.js";
import { describeError } from "../state/load.js";
import { parseJson, placeInText } from "../state/pointer.js";
import { FilterBuilder } from "./filter-builder.jsx";

/** A filter as a form and as JSON beside it: what is changed in one is seen in the other. */
export function FilterPanel({
  filter,
  leaves,
  error,
  onApply,
}: {
  /** JSON, as the URL has it; empty for none. */
  filter: string;
  leaves: readonly Leaf[];
  /** What the service said of it, with a pointer from the request. */
  error: Error | undefined;
  onApply: (filter: string) => void;
}): VNode {
  const [root, setRoot] = useState<GroupNode>(EMPTY_GROUP);
  const [text, setText] = useState("{}");
  useEffect(() => {
    const read = parseJson(filter === "" ? "{}" : filter);
    if (!("value" in read)) {
      setText(filter);
      return;
    }
    const tree = readFilter(read.value);
    setRoot(tree);
    setText(formatJson(buildFilter(tree).filter));
  }, [filter]);
  const built = buildFilter(root);
  const read = parseJson(text);
  const path = error instanceof ServiceError ? faultPath(error) : undefined;
  const fault =
    path === undefined
      ? undefined
      : { node: findFault(built, path, root), message: describeError(error) };
  const spot = path === undefined ? undefined : placeInText(text, path);
  const change = (next: GroupNode): void => {
    setRoot(next);
    setText(formatJson(buildFilter(next).filter));
  };
  const apply = (value: unknown): void => {
    const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
    onApply(isEmpty ? "" : JSON.stringify(value));
  };
  return (
    <form
      class="panel filter"
      aria-label="Filter"
      onSubmit={(event) => {
        event.preventDefault();
        if ("value" in read) apply(buildFilter(readFilter(read.value)).filter);
      }}
    >
      <div class="split">
        <FilterBuilder root={root} leaves={leaves} fault={fault} onChange={change} />
        <div class="json">
          <label for="filter-json">JSON</label>
          <textarea
            id="filter-json"
            class="code"
            rows={Math.min(16, Math.max(5, text.split("\n").length + 1))}
            spellcheck={false}
            aria-invalid={!("value" in read) || fault !== undefined}
            aria-describedby="filter-json-fault"
            value={text}
            onInput={(event) => {
              const given = event.currentTarget.value;
              setText(given);
              const found = parseJson(given);
              if ("value" in found) setRoot(readFilter(found.value));
            }}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
                event.preventDefault();
                event.currentTarget.form?.requestSubmit();
              }
            }}
          />
          <p id="filter-json-fault" class="fault">
            {"value" in read
              ? fault && spot && `line ${spot.line}, column ${spot.column}: ${fault.message}`
              : `line ${read.line}, column ${read.column}: ${read.message}`}
          </p>
        </div>
      </div>
      <div class="buttons">
        <button type="submit" class="primary">
          Apply
        </button>
        <button type="button" onClick={() => onApply("")}>
          Clear
        </button>
      </div>
    </form>
  );
}

/** The pointer from the filter on; undefined for a fault that is no filter's. */
function faultPath({ path }: ServiceError): string | undefined {
  if (path === undefined || !/^\/filter(?:\/|$)/.test(path)) return undefined;
  return path.slice("/filter".length);
}

function formatJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
