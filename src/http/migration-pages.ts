import type { Migration } from "../history.js";
import { refuseValue } from "../shape/fields.js";

/** A page of migrations, latest first; a cursor is the id of its last one. */
export interface MigrationPage {
  readonly after?: string;
  readonly before?: string;
  readonly size?: number;
}

const DEFAULT_SIZE = 20;

export function pageMigrations(
  migrations: readonly Migration[],
  { after, before, size = DEFAULT_SIZE }: MigrationPage = {},
): object {
  const latest = [...migrations].reverse();
  const indexOf = (cursor: string, key: string): number => {
    const index = latest.findIndex(({ id }) => id === cursor);
    if (index >= 0) return index;
    const part = { what: key, path: `/page/${key}`, rule: "K-1", code: "invalid_cursor" } as const;
    return refuseValue(cursor, "a cursor of this history", part);
  };
  const from = after === undefined ? 0 : indexOf(after, "after") + 1;
  const to = before === undefined ? latest.length : indexOf(before, "before");
  const isBackward = before !== undefined && after === undefined;
  const first = isBackward ? Math.max(from, to - size) : from;
  const logs = latest.slice(first, Math.min(to, first + size));
  const more = isBackward ? first > 0 : first + logs.length < to;
  return { meta: { cursor: logs.at(-1)?.id ?? "", more }, logs: logs.map(describeCommit) };
}

/** Converts a migration to the client's type; of merged migrations, includes only the last. */
export function describeCommit({ merged, ...migration }: Migration): object {
  const mergeParentID = merged?.at(-1);
  return { ...migration, ...(mergeParentID !== undefined && { mergeParentID }) };
}
