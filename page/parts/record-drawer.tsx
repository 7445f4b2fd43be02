import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { pointer } from "../../src/errors.js";
import type { AnyRecord } from "../../src/types.js";
import { idOf } from "../../src/value/id.js";
import { ServiceError } from "../state/api.js";
import { metadataAt, profile, type TableSchema } from "../state/catalog.js";
import {
  type Leaf,
  leavesOf,
  linkedId,
  mergeObjects,
  objectAt,
  valueAt,
} from "../state/columns.js";
import { draftKey, drafts, type Entry, entryIn, setDraft, setEntry } from "../state/drafts.js";
import { describeError } from "../state/load.js";
import { formatPlace, place } from "../state/place.js";
import { isConflict, versionOf } from "../state/record-writer.js";
import { cutText, showValue } from "../state/text.js";
import { titleIn, titleVersion } from "../state/titles.js";
import { fromInput, isJsonType, toInput } from "../state/values.js";
import { CloseButton } from "./close-button.jsx";
import { Check } from "./field.jsx";
import { DeadLink, LinkPicker } from "./link-picker.jsx";
import { recordHref, Shown } from "./value.jsx";

export interface DrawerProps {
  readonly table: TableSchema;
  readonly tables: readonly TableSchema[];
  /** Undefined for a new record. */
  readonly record: AnyRecord | undefined;
  readonly onClose: () => void;
  /** Saves changes, resolves with the new version; without a version, overwrites others' changes. */
  readonly onSave: (
    changes: Record<string, unknown>,
    id: string,
    version: number | undefined,
  ) => Promise<number | undefined>;
  /** Reloads the record. */
  readonly onReload: () => void;
  readonly onDelete: ((record: AnyRecord) => void) | undefined;
}

/** The draft entry of a new record's id; no column can have this name. */
const ID = "";

/** The record form beside the grid. */
export function RecordDrawer(props: DrawerProps): VNode {
  const { table, tables, record, onClose, onSave, onReload, onDelete } = props;
  const leaves = leavesOf(table).filter(({ isOwn }) => isOwn);
  const id = record && idOf(record);
  const key = draftKey(place.value.address, id ?? "");
  const draft = drafts.value.get(key);
  const entries = draft?.entries ?? {};
  const version = record && versionOf(record);
  const [error, setError] = useState<Error | undefined>(undefined);
  const [isComparing, setComparing] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);
  // A layout effect: a later one could discard typed text.
  useLayoutEffect(() => {
    setError(undefined);
    setComparing(false);
    heading.current?.focus();
  }, [id, table.name]);
  // A button that disappears on click leaves the focus on the body.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === "Escape" && event.target === document.body) onClose();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  });
  const hasConflict = draft !== undefined && record !== undefined && draft.version !== version;
  const path = error instanceof ServiceError ? (error.path ?? "") : "";
  const faulty = leaves.find((leaf) => isAt(path, leaf.path));
  useEffect(() => {
    const field = faulty && document.getElementById(`field-${faulty.path}`);
    field?.focus();
    field?.scrollIntoView({ block: "center" });
  }, [error]);
  const save = async (isForced = false): Promise<void> => {
    let changes: Record<string, unknown> = {};
    for (const [name, { text, isNull }] of Object.entries(entries)) {
      const leaf = leaves.find((known) => known.path === name);
      if (leaf === undefined) continue;
      const isEmptyLink = leaf.link !== undefined && text === "";
      const value = isNull || isEmptyLink ? null : fromInput(leaf.type, text);
      changes = mergeObjects(changes, objectAt(name, value));
    }
    try {
      const written = await onSave(
        changes,
        entryIn(draft, ID)?.text ?? "",
        isForced ? undefined : draft?.version,
      );
      // Keep text typed during the request.
      const now = drafts.value.get(key);
      const left = Object.entries(now?.entries ?? {}).filter(
        ([name, of]) => entryIn(draft, name) !== of,
      );
      setDraft(key, now && { version: written, entries: Object.fromEntries(left) });
      setError(undefined);
      setComparing(false);
    } catch (fault) {
      if (isConflict(fault)) onReload();
      else setError(fault as Error);
    }
  };
  const put = (name: string, entry: Entry | undefined): void => setEntry(key, version, name, entry);
  void titleVersion.value;
  const name = id ?? `New record in ${table.name}`;
  const title = (record && titleIn(table, record)) || name;
  const count = Object.keys(entries).length;
  return (
    <aside
      class="drawer"
      aria-label={record === undefined ? name : `Record ${name}`}
      onKeyDown={(event) => {
        if (event.key === "Escape") onClose();
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save();
      }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!hasConflict) void save();
        }}
      >
        <header>
          <div class="drawer-title">
            <h2 ref={heading} tabIndex={-1}>
              <Shown text={title} />
            </h2>
            {id !== undefined && title !== id && (
              <p class="faint code">
                <Shown text={id} />
              </p>
            )}
          </div>
          <CloseButton label="Close record" onClick={onClose} />
        </header>
        <div class="fields">
          {record === undefined && (
            <div class="field">
              <label for={`field-${profile.value.idColumn}`}>
                {profile.value.idColumn} <span class="type">generated if empty</span>
              </label>
              <input
                id={`field-${profile.value.idColumn}`}
                value={entryIn(draft, ID)?.text ?? ""}
                onInput={(event) => {
                  const { value } = event.currentTarget;
                  put(ID, value === "" ? undefined : { text: value, isNull: false });
                }}
              />
            </div>
          )}
          {leaves.map((leaf) => (
            <ValueField
              key={leaf.path}
              leaf={leaf}
              value={record && valueAt(record, leaf.path)}
              entry={entryIn(draft, leaf.path)}
              isCompared={hasConflict && isComparing}
              error={faulty === leaf ? describeError(error) : undefined}
              onChange={(entry) => put(leaf.path, entry)}
            />
          ))}
        </div>
        <footer>
          <div>
            {hasConflict && (
              <div class="conflict" role="alert">
                <p>
                  Somebody else changed this record while you were editing it. Your edits are not
                  saved.
                </p>
                <button
                  type="button"
                  class="small"
                  aria-pressed={isComparing}
                  onClick={() => setComparing(!isComparing)}
                >
                  Show theirs
                </button>
                <button type="button" class="small danger" onClick={() => void save(true)}>
                  Overwrite
                </button>
              </div>
            )}
            {error !== undefined && (
              <p class="fault" role="alert">
                Not saved. {faulty ? `Check ${faulty.path}.` : describeError(error)}
              </p>
            )}
          </div>
          <div class="buttons">
            <button
              type="submit"
              class="primary"
              disabled={record !== undefined && (count === 0 || hasConflict)}
            >
              {record === undefined ? "Insert" : "Save"}
            </button>
            {count > 0 && (
              <button type="button" onClick={() => setDraft(key, undefined)}>
                Discard
              </button>
            )}
            <span class="faint" role="status">
              {count > 0 && `${count} unsaved`}
            </span>
            <span class="space" />
            {record !== undefined && onDelete !== undefined && (
              <button type="button" class="danger" onClick={() => onDelete(record)}>
                Delete
              </button>
            )}
          </div>
        </footer>
        {id !== undefined && <Backlinks table={table} tables={tables} id={id} />}
        {record !== undefined && <Metadata record={record} />}
      </form>
    </aside>
  );
}

function ValueField({
  leaf,
  value,
  entry,
  isCompared,
  error,
  onChange,
}: {
  leaf: Leaf;
  value: unknown;
  entry: Entry | undefined;
  /** Show the stored value below the edited one. */
  isCompared: boolean;
  error: string | undefined;
  /** Undefined discards the edit. */
  onChange: (entry: Entry | undefined) => void;
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
        <Check
          label={`${path} is null`}
          isChecked={isNull}
          onChange={(isEmpty) => onChange({ text, isNull: isEmpty })}
        >
          null
        </Check>
      </div>
      {link !== undefined ? (
        <LinkPicker
          id={id}
          target={link}
          value={isNull ? "" : text}
          isWrong={error !== undefined}
          describedBy={given["aria-describedby"]}
          onChange={change}
        />
      ) : type === "bool" ? (
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
      {link !== undefined && !isNull && <DeadLink target={link} id={text} />}
      {isCompared && entry !== undefined && (
        <p class="theirs">
          Theirs: <strong>{cutText(showValue(value ?? "null"), 200)}</strong>{" "}
          <button type="button" class="small" onClick={() => onChange(undefined)}>
            Use theirs
          </button>
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-fault`} class="fault">
          {error}
        </p>
      )}
    </div>
  );
}

function Metadata({ record }: { record: AnyRecord }): VNode | null {
  const [version, created, updated] = ["version", "createdAt", "updatedAt"].map((key) =>
    valueAt(record, metadataAt(key)),
  ) as [number | undefined, string, string];
  if (version === undefined) return null;
  return (
    <dl class="metadata">
      <dt>version</dt>
      <dd>{version}</dd>
      <dt>created</dt>
      <dd>{created}</dd>
      <dt>updated</dt>
      <dd>{updated}</dd>
    </dl>
  );
}

/** Links to the records that link here. */
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

/** Whether a JSON Pointer refers to a column or into its value. */
function isAt(path: string, column: string): boolean {
  const at = column.split(".").reduce<string>(pointer, "");
  return path === at || path.startsWith(`${at}/`);
}
