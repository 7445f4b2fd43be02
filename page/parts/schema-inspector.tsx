import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { TableSchema } from "../state/catalog.js";
import { leavesOf } from "../state/columns.js";
import { hrefTo, place, setParams } from "../state/place.js";
import { CloseButton } from "./close-button.jsx";
import { AddColumnDialog, RemoveColumnDialog, RenameColumnDialog } from "./column-dialogs.jsx";
import { DeleteTableDialog, RenameTableDialog } from "./table-dialogs.jsx";
import { Shown } from "./value.jsx";

type Task =
  | { readonly kind: "add" | "rename-table" | "delete-table" }
  | { readonly kind: "rename" | "remove"; readonly path: string };

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
  const leaves = leavesOf(table).filter(({ isOwn }) => isOwn);
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
        {leaves.map(({ path, type, link }) => (
          <li key={path}>
            <span class="name">
              <Shown text={path} /> <span class="type">{link ? `→ ${link}` : type}</span>
            </span>
            <button
              type="button"
              class="small quiet"
              aria-label={`Rename ${path}`}
              onClick={() => setTask({ kind: "rename", path })}
            >
              Rename
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
      {task?.kind === "add" && <AddColumnDialog {...given} />}
      {task?.kind === "rename" && <RenameColumnDialog {...given} path={task.path} />}
      {task?.kind === "remove" && <RemoveColumnDialog {...given} path={task.path} />}
      {task?.kind === "rename-table" && <RenameTableDialog {...given} />}
      {task?.kind === "delete-table" && <DeleteTableDialog {...given} />}
    </aside>
  );
}
