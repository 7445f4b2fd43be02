import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { AnyRecord } from "../../src/types.js";
import { ServiceError } from "../state/api.js";
import { metadataColumn, type TableSchema } from "../state/catalog.js";
import { type Leaf, leavesOf, linkedId, objectAt, valueAt } from "../state/columns.js";
import { describeError } from "../state/load.js";
import { formatPlace, place } from "../state/place.js";
import { pointer } from "../state/pointer.js";
import { fromInput, isJsonType, toInput } from "../state/values.js";
import { recordHref, Shown } from "./value.jsx";

export interface DrawerProps {
  readonly table: TableSchema;
  readonly tables: readonly TableSchema[];
  /** The record shown; undefined for one to be made. */
  readonly record: AnyRecord | undefined;
  readonly onClose: () => void;
  /** Writes what was changed; resolves when it is written. */
  readonly onSave: (changes: Record<string, unknown>, id: string) => Promise<void>;
  readonly onDelete: ((record: AnyRecord) => void) | undefined;
}

interface Entry {
  readonly text: string;
  readonly isNull: boolean;
}

/** A record beside the grid: all its values whole, each to be changed. */
export function RecordDrawer(props: DrawerProps): VNode {
  const { table, tables, record, onClose, onSave, onDelete } = props;
  const leaves = leavesOf(table).filter(({ isOwn }) => isOwn);
  const [entries, setEntries] = useState<ReadonlyMap<string, Entry>>(new Map());
  const [id, setId] = useState("");
  const [error, setError] = useState<Error | undefined>(undefined);
  const heading = useRef<HTMLHeadingElement>(null);
  // Before the record is seen, so that nothing typed into it is taken back.
  useLayoutEffect(() => {
    setEntries(new Map());
    setError(undefined);
    heading.current?.focus();
  }, [record?.id, table.name]);
  const path = error instanceof ServiceError ? (error.path ?? "") : "";
  const faulty = leaves.find((leaf) => isAt(path, leaf.path));
  const save = async (): Promise<void> => {
    let changes: Record<string, unknown> = {};
    for (const [name, { text, isNull }] of entries) {
      const { type } = leaves.find((leaf) => leaf.path === name)!;
      changes = merge(changes, objectAt(name, isNull ? null : fromInput(type, text)));
    }
    try {
      await onSave(changes, id);
      // What was typed meanwhile is still to be written.
      setEntries((now) => new Map([...now].filter(([name, entry]) => entries.get(name) !== entry)));
      setError(undefined);
    } catch (fault) {
      setError(fault as Error);
    }
  };
  const title = record === undefined ? `New record in ${table.name}` : record.id;
  return (
    <aside
      class="drawer"
      aria-label={record === undefined ? title : `Record ${title}`}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
      }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <header>
          <h2 ref={heading} tabIndex={-1}>
            <Shown text={title} />
          </h2>
          <button type="button" class="small" aria-label="Close record" onClick={onClose}>
            ×
          </button>
        </header>
        {record !== undefined && <Metadata record={record} />}
        <div class="fields">
          {record === undefined && (
            <div class="field">
              <label for="field-id">id (made where it is empty)</label>
              <input
                id="field-id"
                value={id}
                onInput={(event) => setId(event.currentTarget.value)}
              />
            </div>
          )}
          {leaves.map((leaf) => (
            <ValueField
              key={leaf.path}
              leaf={leaf}
              value={record && valueAt(record, leaf.path)}
              entry={entries.get(leaf.path)}
              error={faulty === leaf ? describeError(error) : undefined}
              onChange={(entry) => setEntries((now) => new Map(now).set(leaf.path, entry))}
            />
          ))}
        </div>
        {error !== undefined && faulty === undefined && (
          <p class="fault" role="alert">
            {describeError(error)}
          </p>
        )}
        <footer class="buttons">
          <button
            type="submit"
            class="primary"
            disabled={record !== undefined && entries.size === 0}
          >
            {record === undefined ? "Insert" : "Save"}
          </button>
          {entries.size > 0 && (
            <button type="button" onClick={() => setEntries(new Map())}>
              Undo
            </button>
          )}
          {record !== undefined && onDelete !== undefined && (
            <button type="button" class="danger" onClick={() => onDelete(record)}>
              Delete
            </button>
          )}
        </footer>
        {record !== undefined && <Backlinks table={table} tables={tables} id={record.id} />}
      </form>
    </aside>
  );
}

function ValueField({
  leaf,
  value,
  entry,
  error,
  onChange,
}: {
  leaf: Leaf;
  value: unknown;
  entry: Entry | undefined;
  error: string | undefined;
  onChange: (entry: Entry) => void;
}): VNode {
  const { path, type, link } = leaf;
  const id = `field-${path}`;
  const { text, isNull } = entry ?? {
    text: toInput(type, value),
    isNull: value === undefined || value === null,
  };
  const target = linkedId(value);
  const given = {
    id,
    "aria-invalid": error !== undefined,
    "aria-describedby": error === undefined ? undefined : `${id}-fault`,
  };
  const change = (next: string): void => onChange({ text: next, isNull: false });
  const isLong = type === "text" || isJsonType(type) || text.length > 60;
  return (
    <div class={entry === undefined ? "field" : "field changed"}>
      <div class="label-line">
        <label for={id}>
          {path} <span class="type">{link === undefined ? type : `link to ${link}`}</span>
        </label>
        {link !== undefined && target !== undefined && <a href={recordHref(link, target)}>Open</a>}
        <label class="check">
          <input
            type="checkbox"
            aria-label={`${path} is null`}
            checked={isNull}
            onChange={(event) => onChange({ text, isNull: event.currentTarget.checked })}
          />
          null
        </label>
      </div>
      {type === "bool" ? (
        <select
          {...given}
          value={isNull ? "" : text}
          onChange={(event) => change(event.currentTarget.value)}
        >
          <option value="" disabled />
          <option value="true">true</option>
          <option value="false">false</option>
        </select>
      ) : isLong ? (
        <textarea
          {...given}
          class={isJsonType(type) ? "code" : ""}
          dir="auto"
          rows={Math.min(10, Math.ceil(text.length / 50) + 1)}
          value={isNull ? "" : text}
          onInput={(event) => change(event.currentTarget.value)}
        />
      ) : (
        <input
          {...given}
          dir="auto"
          value={isNull ? "" : text}
          onInput={(event) => change(event.currentTarget.value)}
        />
      )}
      {error !== undefined && (
        <p id={`${id}-fault`} class="fault" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

function Metadata({ record }: { record: AnyRecord }): VNode | null {
  const metadata = record[metadataColumn.value] as
    | { version: number; createdAt: string; updatedAt: string }
    | undefined;
  if (metadata === undefined) return null;
  return (
    <dl class="metadata">
      <dt>version</dt>
      <dd>{metadata.version}</dd>
      <dt>created</dt>
      <dd>{metadata.createdAt}</dd>
      <dt>updated</dt>
      <dd>{metadata.updatedAt}</dd>
    </dl>
  );
}

/** Where the records are that lead to this one. */
function Backlinks({
  table,
  tables,
  id,
}: {
  table: TableSchema;
  tables: readonly TableSchema[];
  id: string;
}): VNode | null {
  const links = tables.flatMap((other) =>
    leavesOf(other)
      .filter(({ link }) => link === table.name)
      .map(({ path }) => ({ other: other.name, path })),
  );
  if (links.length === 0) return null;
  const address = place.value.address.slice(0, 3);
  return (
    <section class="backlinks">
      <h3>Records that link here</h3>
      <ul>
        {links.map(({ other, path }) => {
          const params = { filter: JSON.stringify(Object.fromEntries([[path, id]])) };
          const href = formatPlace({ address: [...address, other], view: "records", params });
          return (
            <li key={`${other} ${path}`}>
              <a href={href}>
                {other}.{path}
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Whether a pointer leads to a column, or to what is within it. */
function isAt(path: string, column: string): boolean {
  const at = column.split(".").reduce<string>(pointer, "");
  return path === at || path.startsWith(`${at}/`);
}

function merge(a: Record<string, unknown>, b: Record<string, unknown>): Record<string, unknown> {
  const merged = { ...a };
  for (const [key, value] of Object.entries(b)) {
    const known = Object.hasOwn(merged, key) ? merged[key] : undefined;
    const isInner =
      typeof known === "object" && known !== null && typeof value === "object" && value !== null;
    merged[key] = isInner
      ? merge(known as Record<string, unknown>, value as Record<string, unknown>)
      : value;
  }
  return merged;
}
