import { type Signal, signal } from "@preact/signals";
import type { AnyRecord } from "../../src/types.js";
import { idOf } from "../../src/value/id.js";
import { service, tablePath } from "./api.js";
import { addressKey, branchTables, profile, type TableSchema } from "./catalog.js";
import { leavesOf, valueAt } from "./columns.js";
import { onChanges } from "./live.js";
import { place } from "./place.js";
import { showValue } from "./text.js";

/** Titles cached; beyond, the cache is cleared. */
const MAX_TITLES = 20_000;
/** Ids per query. */
const MAX_IDS = 200;
const ASK_MS = 15;
const NAMES = /^(?:name|title|label|email|fullname|full_name|subject|number)(?:\.|$)/i;
const TEXTS: ReadonlySet<string> = new Set(["string", "text", "email"]);

/** Incremented when titles change. */
export const titleVersion: Signal<number> = signal(0);

const titles = new Map<string, string | null>();
const stale = new Set<string>();
const wanted = new Set<string>();
const asking: { timer?: ReturnType<typeof setTimeout> | undefined } = {};

/**
 * The title of a record of the current branch: null if the record is missing, empty if its table
 * has no title column, undefined while loading.
 */
export function titleOf(table: string, id: string): string | null | undefined {
  const key = keyOf(table, id);
  const known = titles.get(key);
  if (known === undefined || stale.has(key)) {
    wanted.add(key);
    asking.timer ??= setTimeout(() => void askAll(), ASK_MS);
  }
  return known;
}

/** The title column: the chosen one, else a name or a unique text. */
export function titleColumn(table: TableSchema): string | undefined {
  const leaves = leavesOf(table).filter(({ type }) => TEXTS.has(type));
  const chosen = readChosen(table.name);
  const found =
    leaves.find(({ path }) => path === chosen) ??
    leaves.find(({ path, definition }) => NAMES.test(path) || definition?.unique === true);
  return found?.path;
}

/** Columns that can be the title. */
export function titleColumns(table: TableSchema): string[] {
  return leavesOf(table)
    .filter(({ type }) => TEXTS.has(type))
    .map(({ path }) => path);
}

/** Stores the title column of a table in this browser. */
export function chooseTitle(table: string, path: string): void {
  localStorage.setItem(chosenKey(table), path);
  forgetTitles();
}

/** Clears the cache, as for another branch. */
export function forgetTitles(): void {
  titles.clear();
  stale.clear();
  titleVersion.value++;
}

/** The title of a loaded record; empty if it has none. */
export function titleIn(table: TableSchema, record: AnyRecord): string {
  const path = titleColumn(table);
  return path === undefined ? "" : showValue(valueAt(record, path));
}

onChanges(({ tables, isGap }) => {
  const starts = tables.map(
    ({ workspace, database, branch, table }) =>
      `${addressKey([workspace, database, branch, table]).slice(0, -1)},`,
  );
  const isOld = (key: string): boolean => isGap || starts.some((start) => key.startsWith(start));
  const old = [...titles.keys()].filter(isOld);
  for (const key of old) stale.add(key);
  if (old.length > 0) titleVersion.value++;
});

async function askAll(): Promise<void> {
  asking.timer = undefined;
  const byTable = new Map<string, string[]>();
  for (const key of wanted) {
    const [, , , table = ""] = JSON.parse(key) as string[];
    const known = byTable.get(table);
    if (known === undefined) byTable.set(table, [key]);
    else known.push(key);
  }
  wanted.clear();
  if (titles.size > MAX_TITLES) titles.clear();
  const asked = [...byTable].flatMap(([table, keys]) =>
    Array.from({ length: Math.ceil(keys.length / MAX_IDS) }, (_, i) =>
      ask(table, keys.slice(i * MAX_IDS, (i + 1) * MAX_IDS)).catch(() => {}),
    ),
  );
  await Promise.all(asked);
  titleVersion.value++;
}

async function ask(name: string, keys: readonly string[]): Promise<void> {
  const [workspace = "", database = "", branch = ""] = JSON.parse(keys[0]!) as string[];
  const table = branchTables.value.find((known) => known.name === name);
  if (table === undefined) return;
  const path = titleColumn(table);
  const ids = keys.map((key) => (JSON.parse(key) as string[])[4]!);
  const { idColumn } = profile.value;
  const body = {
    columns: [path ?? idColumn],
    filter: { [idColumn]: { $any: ids } },
    page: { size: MAX_IDS },
  };
  const at = `${tablePath(database, branch, name)}/query`;
  const { records } = await service<{ records: AnyRecord[] }>(workspace, "POST", at, { body });
  const found = new Map(records.map((record) => [idOf(record), record]));
  for (const [index, key] of keys.entries()) {
    const record = found.get(ids[index]!);
    titles.set(key, record === undefined ? null : titleIn(table, record));
    stale.delete(key);
  }
}

function keyOf(table: string, id: string): string {
  return addressKey([...place.value.address.slice(0, 3), table, id]);
}

function chosenKey(table: string): string {
  return `twinbase-title ${addressKey([...place.value.address.slice(0, 2), table])}`;
}

function readChosen(table: string): string | null {
  return typeof localStorage === "undefined" ? null : localStorage.getItem(chosenKey(table));
}
