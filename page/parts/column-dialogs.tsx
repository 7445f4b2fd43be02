import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { ColumnDefinition, ColumnType, Json } from "../../src/types.js";
import { addressKey, counts, type TableSchema } from "../state/catalog.js";
import { useLoad } from "../state/load.js";
import { place } from "../state/place.js";
import {
  addColumn,
  countValues,
  OFFERED_TYPES,
  removeColumn,
  renameColumn,
} from "../state/schema-edit.js";
import { showCount } from "../state/text.js";
import { undoably } from "../state/undo.js";
import { fromInput } from "../state/values.js";
import { Dialog } from "./dialog.jsx";
import { Check, Choice, TextField } from "./field.jsx";

interface ColumnProps {
  readonly table: TableSchema;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** The fields of the column form. */
export interface ColumnDraft {
  readonly name: string;
  readonly type: string;
  readonly link: string;
  readonly dimension: string;
  readonly isUnique: boolean;
  readonly isRequired: boolean;
  readonly defaultText: string;
}

export const NEW_COLUMN: ColumnDraft = {
  name: "",
  type: "string",
  link: "",
  dimension: "3",
  isUnique: false,
  isRequired: false,
  defaultText: "",
};

export function definitionOf(draft: ColumnDraft): ColumnDefinition {
  const { name, type, link, dimension, isUnique, isRequired, defaultText } = draft;
  return {
    name: name.trim(),
    type: type as ColumnType,
    ...(type === "link" && { link: { table: link } }),
    ...(type === "vector" && { vector: { dimension: Number(dimension) } }),
    ...(isUnique && { unique: true }),
    ...(isRequired && { notNull: true }),
    ...(defaultText !== "" && {
      defaultValue: fromInput(type as ColumnType, defaultText) as Json, // text and JSON alone are typed
    }),
  };
}

/** Adds a column; previews the value of existing records. */
export function AddColumnDialog({
  table,
  tables,
  onDone,
  onClose,
}: ColumnProps & { tables: readonly TableSchema[] }): VNode {
  const [draft, setDraft] = useState<ColumnDraft>({ ...NEW_COLUMN, link: tables[0]?.name ?? "" });
  const records =
    counts.value.get(addressKey([...place.value.address.slice(0, 3), table.name])) ?? 0;
  return (
    <Dialog
      title={`Add a column to ${table.name}`}
      action="Add column"
      isReady={draft.name.trim() !== ""}
      onSubmit={async () => {
        await undoably(
          () => addColumn(table.name, definitionOf(draft)),
          () => `Column ${draft.name.trim()} was added to ${table.name}`,
        );
        onDone();
      }}
      onClose={onClose}
    >
      <ColumnFields draft={draft} tables={tables} onChange={setDraft} />
      <p class="preview">{describeAddition(draft, records)}</p>
    </Dialog>
  );
}

function describeAddition({ isRequired, defaultText }: ColumnDraft, records: number): string {
  if (records === 0) return "The table has no records yet.";
  const all = records === 1 ? "The one record" : `All ${showCount(records, "record")}`;
  if (defaultText !== "") return `${all} will have the default, ${defaultText}.`;
  return isRequired
    ? `${all} would have null, but the column is required: enter a default.`
    : `${all} will have null here. Enter a default to fill them.`;
}

export function ColumnFields({
  draft,
  tables,
  onChange,
}: {
  draft: ColumnDraft;
  tables: readonly TableSchema[];
  onChange: (draft: ColumnDraft) => void;
}): VNode {
  const put = (changes: Partial<ColumnDraft>): void => onChange({ ...draft, ...changes });
  return (
    <div class="column-fields">
      <TextField label="Name" value={draft.name} onInput={(name) => put({ name })} />
      <Choice
        label="Type"
        value={draft.type}
        options={OFFERED_TYPES}
        onChange={(type) => put({ type, defaultText: "", isRequired: false, isUnique: false })}
      />
      {draft.type === "link" && (
        <Choice
          label="Links to"
          value={draft.link}
          options={tables.map(({ name }) => name)}
          onChange={(link) => put({ link })}
        />
      )}
      {draft.type === "vector" && (
        <TextField
          label="Dimension"
          value={draft.dimension}
          onInput={(dimension) => put({ dimension })}
        />
      )}
      {!draft.type.startsWith("file") && (
        <>
          <TextField
            label="Default"
            placeholder="none"
            value={draft.defaultText}
            onInput={(defaultText) => put({ defaultText })}
          />
          <div class="checks">
            <Check isChecked={draft.isRequired} onChange={(isRequired) => put({ isRequired })}>
              Required
            </Check>
            <Check isChecked={draft.isUnique} onChange={(isUnique) => put({ isUnique })}>
              Unique
            </Check>
          </div>
        </>
      )}
    </div>
  );
}

export function RenameColumnDialog({
  table,
  path,
  onDone,
  onClose,
}: ColumnProps & { path: string }): VNode {
  const last = path.split(".").at(-1) ?? path;
  const [name, setName] = useState(last);
  return (
    <Dialog
      title={`Rename ${path} of ${table.name}`}
      action="Rename"
      isReady={name.trim() !== "" && name !== last}
      onSubmit={async () => {
        await undoably(
          () => renameColumn(table.name, path, name.trim()),
          () => `Column ${path} is now ${name.trim()}`,
        );
        onDone();
      }}
      onClose={onClose}
    >
      <TextField label="New name" value={name} onInput={setName} />
      <p class="preview">
        Records keep their values. Queries that name {path} are refused until they use the new name.
      </p>
    </Dialog>
  );
}

/** Removes a column; first shows how many values are lost. */
export function RemoveColumnDialog({
  table,
  path,
  onDone,
  onClose,
}: ColumnProps & { path: string }): VNode {
  const { value } = useLoad(() => countValues(table.name, path), [table.name, path]);
  return (
    <Dialog
      title={`Remove ${path} from ${table.name}?`}
      action="Remove column"
      isDanger
      onSubmit={async () => {
        await undoably(
          () => removeColumn(table.name, path),
          () => `Column ${path} was removed from ${table.name}`,
        );
        onDone();
      }}
      onClose={onClose}
    >
      <p class="preview" role="status">
        {value === undefined
          ? "Counting the values…"
          : value.values === 0
            ? "No record has a value here."
            : `${showCount(value.values, "record")} of ${value.records} lose their value here. You can undo this.`}
      </p>
    </Dialog>
  );
}
