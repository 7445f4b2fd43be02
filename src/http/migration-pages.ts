import type { Migration } from "../history.js";
import { readFields, refuseValue } from "../value/fields.js";

const MAX_SIZE = 200;
const DEFAULT_SIZE = 20;

/** A page of migrations, the latest first; a cursor is the id of the last one on a page. */
export function pageMigrations(migrations: readonly Migration[], page: unknown): object {
  const part = { what: "page", path: "/page", rule: "K-1", code: "invalid_page" } as const;
  const {
    after,
    before,
    size = DEFAULT_SIZE,
  } = readFields(page, ["after", "before", "size"], part);
  const isSize = Number.isSafeInteger(size) && Number(size) >= 1 && Number(size) <= MAX_SIZE;
  if (!isSize)
    refuseValue(size, `a whole number from 1 to ${MAX_SIZE}`, {
      ...part,
      what: "page size",
      path: "/page/size",
    });
  const latest = [...migrations].reverse();
  const indexOf = (cursor: unknown, key: string): number => {
    const index = latest.findIndex(({ id }) => id === cursor);
    if (index >= 0) return index;
    const place = { what: key, path: `/page/${key}`, rule: "K-1", code: "invalid_cursor" } as const;
    return refuseValue(cursor, "a cursor of this history", place);
  };
  const from = after === undefined ? 0 : indexOf(after, "after") + 1;
  const to = before === undefined ? latest.length : indexOf(before, "before");
  const first =
    before !== undefined && after === undefined ? Math.max(from, to - Number(size)) : from;
  const logs = latest.slice(first, Math.min(to, first + Number(size)));
  const more = before !== undefined && after === undefined ? first > 0 : first + logs.length < to;
  return { meta: { cursor: logs.at(-1)?.id ?? "", more }, logs: logs.map(describeCommit) };
}

/** As the client's types have it: of what was merged, the last. */
export function describeCommit({ merged, ...migration }: Migration): object {
  const mergeParentID = merged?.at(-1);
  return { ...migration, ...(mergeParentID !== undefined && { mergeParentID }) };
}
