import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { addressKey, counts, type TableSchema } from "../state/catalog.js";
import { place } from "../state/place.js";
import { createTable, deleteTable, linksTo, renameTable } from "../state/schema-edit.js";
import { showCount } from "../state/text.js";
import { undoably } from "../state/undo.js";
import { type ColumnDraft, ColumnList, definitionsOf, NEW_COLUMN } from "./column-dialogs.jsx";
import { Dialog } from "./dialog.jsx";
import { TextField } from "./field.jsx";

export function NewTableDialog({
  tables,
  onDone,
  onClose,
}: {
  tables: readonly TableSchema[];
  onDone: (name: string) => void;
  onClose: () => void;
}): VNode {
  const [name, setName] = useState("");
  const [columns, setColumns] = useState<readonly ColumnDraft[]>([{ ...NEW_COLUMN, name: "name" }]);
  const targets = [...tables, { name: name.trim(), columns: [] }].filter((of) => of.name !== "");
  return (
    <Dialog
      title="New table"
      action="Create table"
      isWide
      isReady={name.trim() !== ""}
      onSubmit={async () => {
        await undoably(
          () => createTable(name.trim(), definitionsOf(columns)),
          () => `Table ${name.trim()} was created`,
        );
        onDone(name.trim());
      }}
      onClose={onClose}
    >
      <TextField label="Name of the table" value={name} onInput={setName} />
      <ColumnList label="Column" columns={columns} tables={targets} onChange={setColumns} />
      <p class="hint">Every table has an id column already.</p>
    </Dialog>
  );
}

interface TableProps {
  readonly table: TableSchema;
  readonly tables: readonly TableSchema[];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function RenameTableDialog({ table, tables, onDone, onClose }: TableProps): VNode {
  const [name, setName] = useState(table.name);
  const links = linksTo(table.name, tables);
  return (
    <Dialog
      title={`Rename ${table.name}`}
      action="Rename"
      isReady={name.trim() !== "" && name !== table.name}
      onSubmit={async () => {
        await undoably(
          () => renameTable(table.name, name.trim()),
          () => `Table ${table.name} is now ${name.trim()}`,
        );
        onDone();
      }}
      onClose={onClose}
    >
      <TextField label="New name" value={name} onInput={setName} />
      <p class="preview">
        Records keep their ids and values.
        {links.length > 0 && ` ${links.join(", ")} will link to the new name.`} Calls that name{" "}
        {table.name} fail until they use the new name.
      </p>
    </Dialog>
  );
}

export function DeleteTableDialog({ table, tables, onDone, onClose }: TableProps): VNode {
  const records =
    counts.value.get(addressKey([...place.value.address.slice(0, 3), table.name])) ?? 0;
  const links = linksTo(table.name, tables);
  return (
    <Dialog
      title={`Delete ${table.name}?`}
      action="Delete table"
      isDanger
      onSubmit={async () => {
        await undoably(
          () => deleteTable(table.name),
          () => `Table ${table.name} was deleted`,
        );
        onDone();
      }}
      onClose={onClose}
    >
      <p class="preview">
        {showCount(records, "record")} {records === 1 ? "is" : "are"} deleted with it.
        {links.length > 0 && ` ${links.join(", ")} link to it.`} You can undo this.
      </p>
    </Dialog>
  );
}
