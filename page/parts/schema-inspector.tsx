import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { ColumnDefinition } from "../../src/types.js";
import type { TableSchema } from "../state/catalog.js";
import { hrefTo, place, setParams } from "../state/place.js";
import { cutText, showValue } from "../state/text.js";
import { CloseButton } from "./close-button.jsx";
import { AddColumnDialog, EditColumnDialog, RemoveColumnDialog } from "./column-dialogs.jsx";
import { DeleteTableDialog, RenameTableDialog } from "./table-dialogs.jsx";
import { Shown } from "./value.jsx";

type Task =
  | { readonly kind: "add"; readonly parent?: string }
  | { readonly kind: "rename-table" | "delete-table" }
  | { readonly kind: "edit"; readonly path: string; readonly definition: ColumnDefinition }
  | { readonly kind: "remove"; readonly path: string };

/** The table editor beside the schema diagram. */
export function SchemaInspector({
  table,
  tables,
}: {
  table: TableSchema;
  tables: readonly TableSchema[];
}): VNode {
  const [task, setTask] = useState<Task | undefined>(undefined);
  const close = (): void => setTask(undefined);
  const given = { table, tables, onClose: close, onDone: close };
  const address = [...place.value.address.slice(0, 3), table.name];
  return (
    <aside
      class="drawer"
      aria-label={`Edit ${table.name}`}
      onKeyDown={(event) => {
        if (event.key === "Escape") setParams({ table: "" });
      }}
    >
      <header>
        <h2>
          <Shown text={table.name} />
        </h2>
        <CloseButton label="Close" onClick={() => setParams({ table: "" })} />
      </header>
      <div class="buttons">
        <button type="button" class="primary" onClick={() => setTask({ kind: "add" })}>
          Add column
        </button>
        <a class="button" href={hrefTo("records", address)}>
          Records
        </a>
      </div>
      <ul class="column-list">
        {listColumns(table.columns).map(([path, definition]) => (
          <li key={path}>
            <span class="name">
              <Shown text={path} /> <span class="type">{describeColumn(definition)}</span>
            </span>
            {definition.type === "object" && (
              <button
                type="button"
                class="small quiet"
                aria-label={`Add a column to ${path}`}
                onClick={() => setTask({ kind: "add", parent: path })}
              >
                Add
              </button>
            )}
            <button
              type="button"
              class="small quiet"
              aria-label={`Edit ${path}`}
              onClick={() => setTask({ kind: "edit", path, definition })}
            >
              Edit
            </button>
            <button
              type="button"
              class="small quiet"
              aria-label={`Remove ${path}`}
              onClick={() => setTask({ kind: "remove", path })}
            >
              Remove
            </button>
          </li>
        ))}
      </ul>
      <div class="buttons">
        <button type="button" onClick={() => setTask({ kind: "rename-table" })}>
          Rename table
        </button>
        <button type="button" class="danger" onClick={() => setTask({ kind: "delete-table" })}>
          Delete table
        </button>
      </div>
      {task?.kind === "add" && <AddColumnDialog {...given} parent={task.parent} />}
      {task?.kind === "edit" && (
        <EditColumnDialog {...given} path={task.path} definition={task.definition} />
      )}
      {task?.kind === "remove" && <RemoveColumnDialog {...given} path={task.path} />}
      {task?.kind === "rename-table" && <RenameTableDialog {...given} />}
      {task?.kind === "delete-table" && <DeleteTableDialog {...given} />}
    </aside>
  );
}

/** Columns by path, objects before their own. */
function listColumns(
  columns: readonly ColumnDefinition[],
  prefix = "",
): (readonly [path: string, definition: ColumnDefinition])[] {
  return columns.flatMap((definition) => {
    const path = `${prefix}${definition.name}`;
    return [[path, definition] as const, ...listColumns(definition.columns ?? [], `${path}.`)];
  });
}

function describeColumn({ type, link, unique, notNull, defaultValue }: ColumnDefinition): string {
  const text = [link ? `→ ${link.table}` : type];
  if (notNull) text.push("required");
  if (unique) text.push("unique");
  if (defaultValue !== undefined) text.push(`default ${cutText(showValue(defaultValue), 30)}`);
  return text.join(", ");
}
