import type { VNode } from "preact";
import type { Leaf } from "../state/columns.js";
import { setParams } from "../state/place.js";
import { Fault } from "./field.jsx";

/** Which columns are shown, those of linked records among them. */
export function ColumnsPanel({
  leaves,
  chosen,
  error,
}: {
  leaves: readonly Leaf[];
  /** Undefined: those of the table. */
  chosen: readonly string[] | undefined;
  error: Error | undefined;
}): VNode {
  const own = leaves.filter(({ isOwn }) => isOwn).map(({ path }) => path);
  const shown = new Set(chosen ?? own);
  const put = (paths: readonly string[]): void => {
    const isDefault = paths.length === own.length && own.every((path) => paths.includes(path));
    setParams({ columns: isDefault || paths.length === 0 ? "" : paths.join(",") });
  };
  const toggle = (path: string): void => {
    const next = leaves
      .map((leaf) => leaf.path)
      .filter((known) => (known === path) !== shown.has(known));
    put(next.filter((known) => known !== "id"));
  };
  const boxes = (title: string, group: readonly Leaf[]): VNode | null =>
    group.length === 0 ? null : (
      <fieldset>
        <legend>{title}</legend>
        {group.map(({ path, type }) => (
          <label key={path} class="check">
            <input type="checkbox" checked={shown.has(path)} onChange={() => toggle(path)} />
            {path} <span class="type">{type}</span>
          </label>
        ))}
      </fieldset>
    );
  const others = leaves.filter(({ isOwn, path }) => !isOwn && path !== "id");
  return (
    <section class="panel columns" aria-label="Columns">
      <Fault error={error} />
      <div class="split">
        {boxes(
          "Of this table",
          leaves.filter(({ isOwn }) => isOwn),
        )}
        {boxes("Of linked records, and about the record", others)}
      </div>
      <div class="buttons">
        <button type="button" onClick={() => setParams({ columns: "" })}>
          Those of the table
        </button>
        <button type="button" onClick={() => setParams({ sort: "*:random" })}>
          Random order
        </button>
      </div>
    </section>
  );
}
