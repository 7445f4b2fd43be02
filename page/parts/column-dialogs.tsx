import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { ColumnDefinition, ColumnType, Json } from "../../src/types.js";
import { addressKey, counts, type TableSchema } from "../state/catalog.js";
import { useLoad } from "../state/load.js";
import { place } from "../state/place.js";
import {
  addColumn,
  COLUMN_TYPES,
  changeColumn,
  countValues,
  removeColumn,
} from "../state/schema-edit.js";
import { showCount } from "../state/text.js";
import { undoably } from "../state/undo.js";
import { fromInput, toInput } from "../state/values.js";
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
  readonly type: ColumnType;
  readonly link: string;
  readonly dimension: string;
  readonly isUnique: boolean;
  readonly isRequired: boolean;
  readonly isPublic: boolean;
  readonly defaultText: string;
  /** Sub-columns of an object. */
  readonly columns: readonly ColumnDraft[];
}

export const NEW_COLUMN: ColumnDraft = {
  name: "",
  type: "string",
  link: "",
  dimension: "3",
  isUnique: false,
  isRequired: false,
  isPublic: false,
  defaultText: "",
  columns: [],
};

function definitionOf(draft: ColumnDraft): ColumnDefinition {
  const { name, type, link, dimension, isUnique, isRequired, isPublic, defaultText } = draft;
  return {
    name: name.trim(),
    type,
    ...(type === "link" && { link: { table: link } }),
    ...(type === "vector" && { vector: { dimension: Number(dimension) } }),
    ...(type === "object" && { columns: definitionsOf(draft.columns) }),
    ...(isFile(type) && isPublic && { [type]: { defaultPublicAccess: true } }),
    ...(isUnique && { unique: true }),
    ...(isRequired && { notNull: true }),
    ...(defaultText !== "" && {
      defaultValue: fromInput(type, defaultText) as Json, // text and JSON alone are typed
    }),
  };
}

/** The definitions of those columns that have a name. */
export function definitionsOf(drafts: readonly ColumnDraft[]): ColumnDefinition[] {
  return drafts.filter(({ name }) => name.trim() !== "").map(definitionOf);
}

function draftOf(definition: ColumnDefinition): ColumnDraft {
  const { name, type, link, vector, unique, notNull, defaultValue } = definition;
  const isText = typeof defaultValue === "string";
  return {
    ...NEW_COLUMN,
    name,
    type,
    link: link?.table ?? "",
    dimension: String(vector?.dimension ?? ""),
    isUnique: unique === true,
    isRequired: notNull === true,
    isPublic: (isFile(type) && definition[type]?.defaultPublicAccess) === true,
    defaultText: isText ? defaultValue : toInput(type, defaultValue),
  };
}

function isFile(type: ColumnType): type is "file" | "file[]" {
  return type === "file" || type === "file[]";
}

/** Adds a column; previews the value of existing records. */
export function AddColumnDialog({
  table,
  tables,
  parent,
  onDone,
  onClose,
}: ColumnProps & {
  tables: readonly TableSchema[];
  /** Path of the object that the column becomes part of. */
  parent?: string | undefined;
}): VNode {
  const [draft, setDraft] = useState<ColumnDraft>({ ...NEW_COLUMN, link: tables[0]?.name ?? "" });
  const records =
    counts.value.get(addressKey([...place.value.address.slice(0, 3), table.name])) ?? 0;
  const path = `${parent === undefined ? "" : `${parent}.`}${draft.name.trim()}`;
  return (
    <Dialog
      title={`Add a column to ${parent ?? table.name}`}
      action="Add column"
      isWide={draft.type === "object"}
      isReady={draft.name.trim() !== ""}
      onSubmit={async () => {
        await undoably(
          () => addColumn(table.name, { ...definitionOf(draft), name: path }),
          () => `Column ${path} was added to ${table.name}`,
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

function ColumnFields({
  draft,
  tables,
  isMade = false,
  onChange,
}: {
  draft: ColumnDraft;
  tables: readonly TableSchema[];
  /** Whether the column exists: its type is fixed. */
  isMade?: boolean;
  onChange: (draft: ColumnDraft) => void;
}): VNode {
  const put = (changes: Partial<ColumnDraft>): void => onChange({ ...draft, ...changes });
  const { type } = draft;
  return (
    <div class="column-fields">
      <TextField label="Name" value={draft.name} onInput={(name) => put({ name })} />
      {!isMade && (
        <Choice
          label="Type"
          value={type}
          options={COLUMN_TYPES}
          onChange={(next) =>
            put({
              type: next as ColumnType, // one of the options
              defaultText: "",
              isRequired: false,
              isUnique: false,
              columns: next === "object" ? [NEW_COLUMN] : [],
            })
          }
        />
      )}
      {type === "link" && (
        <Choice
          label="Links to"
          value={draft.link}
          options={tables.map(({ name }) => name)}
          onChange={(link) => put({ link })}
        />
      )}
      {type === "vector" && !isMade && (
        <TextField
          label="Dimension"
          value={draft.dimension}
          onInput={(dimension) => put({ dimension })}
        />
      )}
      {isFile(type) && (
        <Check isChecked={draft.isPublic} onChange={(isPublic) => put({ isPublic })}>
          Public unless a file says otherwise
        </Check>
      )}
      {type !== "object" && !isFile(type) && (
        <TextField
          label="Default"
          placeholder="none"
          value={draft.defaultText}
          onInput={(defaultText) => put({ defaultText })}
        />
      )}
      {!isFile(type) && (
        <div class="checks">
          <Check isChecked={draft.isRequired} onChange={(isRequired) => put({ isRequired })}>
            Required
          </Check>
          {type !== "object" && (
            <Check isChecked={draft.isUnique} onChange={(isUnique) => put({ isUnique })}>
              Unique
            </Check>
          )}
        </div>
      )}
      {type === "object" && !isMade && (
        <ColumnList
          label={`Column of ${draft.name.trim() || "the object"}`}
          columns={draft.columns}
          tables={tables}
          onChange={(columns) => put({ columns })}
        />
      )}
    </div>
  );
}

/** Forms of new columns, of a table or an object. */
export function ColumnList({
  label,
  columns,
  tables,
  onChange,
}: {
  label: string;
  columns: readonly ColumnDraft[];
  tables: readonly TableSchema[];
  onChange: (columns: readonly ColumnDraft[]) => void;
}): VNode {
  return (
    <div class="new-columns">
      {columns.map((column, index) => (
        <fieldset key={index} class="new-column">
          <legend>
            {label} {index + 1}
          </legend>
          <ColumnFields
            draft={column}
            tables={tables}
            onChange={(next) => onChange(columns.with(index, next))}
          />
          <button
            type="button"
            class="small quiet"
            onClick={() => onChange(columns.toSpliced(index, 1))}
          >
            Remove
          </button>
        </fieldset>
      ))}
      <div class="buttons">
        <button
          type="button"
          class="small"
          onClick={() => onChange([...columns, { ...NEW_COLUMN, link: tables[0]?.name ?? "" }])}
        >
          + {label}
        </button>
      </div>
    </div>
  );
}

/** Shows a column; changes its name and options. */
export function EditColumnDialog({
  table,
  tables,
  path,
  definition,
  onDone,
  onClose,
}: ColumnProps & {
  tables: readonly TableSchema[];
  path: string;
  definition: ColumnDefinition;
}): VNode {
  const began = draftOf(definition);
  const [draft, setDraft] = useState(began);
  const name = draft.name.trim();
  const isChanged = JSON.stringify({ ...draft, name }) !== JSON.stringify(began);
  const { type, vector } = definition;
  return (
    <Dialog
      title={`Column ${path} of ${table.name}`}
      action="Save"
      isReady={name !== "" && isChanged}
      onSubmit={async () => {
        await undoably(
          () => changeColumn(table.name, path, definitionOf(began), definitionOf(draft)),
          () => `Column ${path} was changed`,
        );
        onDone();
      }}
      onClose={onClose}
    >
      <ColumnFields draft={draft} tables={tables} isMade onChange={setDraft} />
      <p class="preview">
        Type {type}
        {vector && ` of ${vector.dimension} numbers`}, which cannot be changed. Records keep their
        values; a default fills new records.
        {name !== began.name &&
          ` Queries that name ${path} are refused until they use the new name.`}
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
