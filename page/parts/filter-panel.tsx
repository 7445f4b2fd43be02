import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { ServiceError } from "../state/api.js";
import type { Leaf } from "../state/columns.js";
import {
  buildFilter,
  draftOf,
  EMPTY_GROUP,
  type FaultPart,
  type FilterNode,
  findFault,
  type GroupNode,
  readFilter,
} from "../state/filter-tree.js";
import { describeError } from "../state/load.js";
import { parseJson, placeInText } from "../state/pointer.js";
import { FilterBuilder } from "./filter-builder.jsx";

/** A filter builder and its JSON, kept in sync. */
export function FilterPanel({
  filter,
  leaves,
  error,
  onApply,
}: {
  /** JSON; empty for no filter. */
  filter: string;
  leaves: readonly Leaf[];
  /** The service's error, with a JSON Pointer into the request. */
  error: Error | undefined;
  onApply: (filter: string) => void;
}): VNode {
  const [{ root, text }, setForm] = useState(() => formOf(filter, leaves));
  // An error applies to the submitted filter only.
  const [isChanged, setChanged] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const focused = useRef<FilterNode | undefined>(undefined);
  const show = (applied: string): void => {
    setChanged(false);
    setForm(formOf(applied, leaves));
  };
  const shown = useRef(filter);
  useLayoutEffect(() => {
    if (shown.current !== filter) show(filter);
    shown.current = filter;
  }, [filter]);
  useLayoutEffect(() => form.current?.querySelector<HTMLElement>(".condition select")?.focus(), []);
  const built = buildFilter(root);
  const read = parseJson(text);
  const path = error instanceof ServiceError && !isChanged ? faultPath(error) : undefined;
  const part = path === undefined ? "value" : partAt(error as ServiceError);
  const fault =
    path === undefined
      ? undefined
      : { node: findFault(built, path, root), part, message: describeError(error) };
  const spot = path === undefined ? undefined : placeInText(text, path, isKey(path, part));
  const change = (next: GroupNode): void => {
    setChanged(true);
    setForm({ root: next, text: formatJson(buildFilter(next).filter) });
  };
  const apply = (value: unknown): void => {
    setChanged(false);
    const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
    onApply(isEmpty ? "" : JSON.stringify(value));
  };
  return (
    <form
      ref={form}
      class="panel filter"
      aria-label="Filter"
      onSubmit={(event) => {
        event.preventDefault();
        if ("value" in read) apply(buildFilter(readFilter(read.value)).filter);
      }}
    >
      <div class="split">
        <FilterBuilder
          root={root}
          leaves={leaves}
          fault={fault}
          focused={focused}
          onChange={change}
        />
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
              setChanged(true);
              const found = parseJson(given);
              setForm({ root: "value" in found ? readFilter(found.value) : root, text: given });
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
        <button
          type="button"
          onClick={() => {
            show("");
            onApply("");
          }}
        >
          Clear
        </button>
      </div>
    </form>
  );
}

/** Tree and text of a filter; an empty filter starts with a blank condition. */
function formOf(filter: string, leaves: readonly Leaf[]): { root: GroupNode; text: string } {
  const read = parseJson(filter === "" ? "{}" : filter);
  if (!("value" in read)) return { root: EMPTY_GROUP, text: filter };
  const found = readFilter(read.value);
  const root = found.members.length > 0 ? found : { ...found, members: [draftOf(leaves)] };
  return { root, text: formatJson(buildFilter(root).filter) };
}

/** The pointer relative to the filter; undefined for other errors. */
function faultPath({ path }: ServiceError): string | undefined {
  if (path === undefined || !/^\/filter(?:\/|$)/.test(path)) return undefined;
  return path.slice("/filter".length);
}

/** The invalid part of a condition. */
function partAt({ code, rule }: ServiceError): FaultPart {
  if (code === "unknown_column") return "column";
  return rule === "F-1" || rule === "F-18" ? "operator" : "value";
}

/** Whether the part is a key in the JSON; `$exists` has the column as its value. */
function isKey(path: string, part: FaultPart): boolean {
  return part === "operator" || (part === "column" && !/\/\$(?:notE|e)xists$/.test(path));
}

function formatJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
