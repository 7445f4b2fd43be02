import { type Signal, signal } from "@preact/signals";

/** A value as it is edited. */
export interface Entry {
  readonly text: string;
  readonly isNull: boolean;
}

/** Edits of a record that are not saved. */
export interface Draft {
  /** Version of the record that the edits began from; undefined for a record to be made. */
  readonly version: number | undefined;
  /** By the path of the column. */
  readonly entries: Readonly<Record<string, Entry>>;
}

const KEY = "twinbase-drafts";

/** Drafts by `draftKey`; they survive a reload of the page. */
export const drafts: Signal<ReadonlyMap<string, Draft>> = signal<ReadonlyMap<string, Draft>>(
  read(),
);

/** The edit of one value; a column may have the name of what every object has. */
export function entryIn(draft: Draft | undefined, path: string): Entry | undefined {
  return draft && Object.hasOwn(draft.entries, path) ? draft.entries[path] : undefined;
}

/** The key of a record's draft; with an empty id, that of a record to be made. */
export function draftKey(table: readonly string[], id: string): string {
  return JSON.stringify([...table, id]);
}

/** The ids of the records of a table that have a draft. */
export function draftIds(table: readonly string[]): string[] {
  const start = `${JSON.stringify(table).slice(0, -1)},`;
  return [...drafts.value.keys()]
    .filter((key) => key.startsWith(start))
    .map((key) => (JSON.parse(key) as string[]).at(-1) ?? "");
}

/** Changes one value of a draft, or takes it away. */
export function setEntry(
  key: string,
  version: number | undefined,
  path: string,
  entry: Entry | undefined,
): void {
  const known = drafts.value.get(key) ?? { version, entries: {} };
  const { [path]: _, ...others } = known.entries;
  setDraft(key, { ...known, entries: entry === undefined ? others : { ...others, [path]: entry } });
}

/** Replaces a draft; one without entries is removed. */
export function setDraft(key: string, draft: Draft | undefined): void {
  const next = new Map(drafts.value);
  if (draft === undefined || Object.keys(draft.entries).length === 0) next.delete(key);
  else next.set(key, draft);
  drafts.value = next;
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...next]));
  } catch {} // full: the drafts last until a reload
}

function read(): ReadonlyMap<string, Draft> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(KEY) ?? "[]") as [string, Draft][]);
  } catch {
    return new Map();
  }
}
