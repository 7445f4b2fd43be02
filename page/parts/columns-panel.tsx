import type { VNode } from "preact";
import type { TableSchema } from "../state/catalog.js";
import type { Leaf } from "../state/columns.js";
import { setParams } from "../state/place.js";
import { chooseTitle, titleColumn, titleColumns, titleVersion } from "../state/titles.js";
import { Check, Choice, Fault } from "./field.jsx";

/** Chooses the visible columns, including those of linked records. */
export function ColumnsPanel({
  table,
  leaves,
  chosen,
  error,
  onAdd,
}: {
  table: TableSchema;
  leaves: readonly Leaf[];
  /** Undefined for all columns of the table. */
  chosen: readonly string[] | undefined;
  error: Error | undefined;
  onAdd: () => void;
}): VNode {
  void titleVersion.value;
  const titles = titleColumns(table);
  const own = leaves.filter(({ isOwn }) => isOwn).map(({ path }) => path);
  const shown = new Set(chosen ?? own);
  const put = (paths: readonly string[]): void => {
    const isDefault = paths.length === own.length && own.every((path) => paths.includes(path));
    setParams({ columns: isDefault || paths.length === 0 ? "" : paths.join(",") });
  };
  const toggle = (path: string): void => {
    const next = leaves
      .filter(({ type }) => type !== "id")
      .map((leaf) => leaf.path)
      .filter((known) => (known === path) !== shown.has(known));
    put(next);
  };
  const boxes = (title: string, group: readonly Leaf[]): VNode | null =>
    group.length === 0 ? null : (
      <fieldset>
        <legend>{title}</legend>
        {group.map(({ path, type }) => (
          <Check key={path} isChecked={shown.has(path)} onChange={() => toggle(path)}>
            {path} <span class="type">{type}</span>
          </Check>
        ))}
      </fieldset>
    );
  const others = leaves.filter(({ isOwn, type }) => !isOwn && type !== "id");
  return (
    <section class="panel columns" aria-label="Columns">
      <Fault error={error} />
      {titles.length > 0 && (
        <Choice
          label="Title column: names these records wherever they are linked"
          value={titleColumn(table) ?? ""}
          options={titleColumn(table) === undefined ? [["", "none"], ...titles] : titles}
          onChange={(path) => chooseTitle(table.name, path)}
        />
      )}
      <div class="split">
        {boxes(
          "This table",
          leaves.filter(({ isOwn }) => isOwn),
        )}
        {boxes("Linked records and metadata", others)}
      </div>
      <div class="buttons">
        <button type="button" onClick={() => setParams({ columns: "", widths: "" })}>
          Reset columns
        </button>
        <button type="button" onClick={onAdd}>
          Add column
        </button>
        <button type="button" onClick={() => setParams({ sort: "*:random" })}>
          Shuffle records
        </button>
      </div>
    </section>
  );
}
