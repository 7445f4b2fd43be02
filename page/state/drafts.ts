import { type Signal, signal } from "@preact/signals";

/** An edited value. */
export interface Entry {
  readonly text: string;
  readonly isNull: boolean;
}

/** Unsaved edits of a record. */
export interface Draft {
  /** Version of the record when the edits began; undefined for a new record. */
  readonly version: number | undefined;
  /** By column path. */
  readonly entries: Readonly<Record<string, Entry>>;
}

const KEY = "twinbase-drafts";

/** Drafts by `draftKey`; they survive a page reload. */
export const drafts: Signal<ReadonlyMap<string, Draft>> = signal<ReadonlyMap<string, Draft>>(
  read(),
);

/** The edited value of a column, which may be called `constructor`. */
export function entryIn(draft: Draft | undefined, path: string): Entry | undefined {
  return draft && Object.hasOwn(draft.entries, path) ? draft.entries[path] : undefined;
}

/** The key of a draft; an empty id stands for a new record. */
export function draftKey(table: readonly string[], id: string): string {
  return JSON.stringify([...table, id]);
}

/** Ids of a table's records with drafts. */
export function draftIds(table: readonly string[]): string[] {
  const start = `${JSON.stringify(table).slice(0, -1)},`;
  return [...drafts.value.keys()]
    .filter((key) => key.startsWith(start))
    .map((key) => (JSON.parse(key) as string[]).at(-1) ?? "");
}

/** Sets or removes one value of a draft. */
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

/** Replaces a draft; an empty one is removed. */
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
