import type { VNode } from "preact";
import type { QueryRequest } from "../../src/types.js";
import type { TableSchema } from "../state/catalog.js";
import type { Leaf } from "../state/columns.js";
import type { Selection } from "../state/selection.js";
import { DeleteDialog } from "./bulk-dialogs.jsx";
import { AddColumnDialog } from "./column-dialogs.jsx";
import { ExportDialog } from "./export-dialog.jsx";
import { ImportDialog } from "./import-dialog.jsx";

export type RecordTask =
  | { readonly kind: "import"; readonly file?: File }
  | { readonly kind: "export" }
  | { readonly kind: "column" }
  | { readonly kind: "delete"; readonly selection: Selection };

/** The open dialog of the records view. */
export function RecordDialogs({
  task,
  table,
  tables,
  query,
  leaves,
  total,
  onClose,
  onDone,
}: {
  task: RecordTask;
  table: TableSchema;
  tables: readonly TableSchema[];
  query: QueryRequest;
  leaves: readonly Leaf[];
  total: number;
  onClose: () => void;
  onDone: (deleted?: Selection) => void;
}): VNode {
  const done = (): void => onDone();
  switch (task.kind) {
    case "import":
      return <ImportDialog table={table} file={task.file} onDone={done} onClose={onClose} />;
    case "export":
      return (
        <ExportDialog
          name={table.name}
          query={query}
          leaves={leaves}
          total={total}
          onClose={onClose}
        />
      );
    case "column":
      return <AddColumnDialog table={table} tables={tables} onDone={done} onClose={onClose} />;
    case "delete": {
      const { selection } = task;
      return (
        <DeleteDialog
          table={table}
          selection={selection}
          query={query}
          total={total}
          onDone={() => onDone(selection)}
          onClose={onClose}
        />
      );
    }
  }
}
