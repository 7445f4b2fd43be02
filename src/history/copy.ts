import { tableAt } from "../catalog/address.js";
import { type AnyBranch, Branch } from "../engine/branch.js";
import { writeRecords } from "../engine/write-records.js";
import { refuse } from "../errors.js";
import type { AnyRecord, ColumnDefinition } from "../types.js";
import { idOf } from "../value/id.js";
import { compareBranches } from "./branch-history.js";

/**
 * Copies records to a branch of equal schema; records with the same id are replaced (K-4). Checked
 * links to records that are not there afterwards become null (T-18).
 *
 * @param limit maximum number of records per table; default all
 * @throws TwinbaseError `schema_conflict`; `invalid_record` for a violation of `unique`.
 */
export function copyRecords(
  source: AnyBranch,
  destination: AnyBranch,
  limit: number = Number.POSITIVE_INFINITY,
): void {
  const { context, address } = Branch.sourceOf(destination);
  context.call(() => {
    const [difference] = compareBranches(source, destination);
    const isSame = isSameBranch(source, destination);
    if (difference !== undefined || isSame) {
      const what = isSame ? "is also the source" : "has another schema";
      refuse("schema_conflict", `branch [${destination.name}] ${what}`, { rule: "K-4" });
    }
    const copied = new Map<string, ReadonlySet<string>>();
    if (context.links !== undefined) {
      for (const { name } of source.tables()) copied.set(name, firstIds(source, name, limit));
    }
    const isLinkable = (table: string, id: string): boolean =>
      context.links === undefined ||
      copied.get(table)?.has(id) !== false ||
      context.readTable(tableAt(address, table)).find(id) >= 0;
    for (const { name } of source.tables()) {
      let count = 0;
      const { columns: definitions } = source.table(name).schema();
      const columns = ["*", ...filesIn(definitions)];
      const records = source.table(name).scan({ columns });
      writeRecords(context, tableAt(address, name), (writer) => {
        for (const record of records) {
          if (count++ >= limit) break;
          writer.put(idOf(record), copyOf(record, definitions, isLinkable));
        }
      });
    }
  });
}

type IsLinkable = (table: string, id: string) => boolean;

/** Returns the ids of the records that are copied: the first in scan order (S-5). */
function firstIds(source: AnyBranch, table: string, limit: number): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const record of source.table(table).scan({ columns: [] })) {
    if (ids.size >= limit) break;
    ids.add(idOf(record));
  }
  return ids;
}

/** Makes nulls explicit, so that defaults don't replace them (T-16). */
function copyOf(
  record: AnyRecord,
  columns: readonly ColumnDefinition[],
  isLinkable: IsLinkable,
): AnyRecord {
  const whole: Record<string, unknown> = { ...record };
  for (const { name, type, link, columns: inner = [], defaultValue } of columns) {
    const value = whole[name] as AnyRecord | undefined; // of a link or object
    if (type === "object") whole[name] = copyOf((value ?? {}) as AnyRecord, inner, isLinkable);
    else if (type === "link" && value && !isLinkable(link?.table ?? "", idOf(value)))
      whole[name] = null;
    else if (defaultValue !== undefined) whole[name] ??= null;
  }
  return whole as AnyRecord; // equal columns
}

/** The contents and options of files, which `*` does not select (H-2). */
function filesIn(columns: readonly ColumnDefinition[], parent = ""): string[] {
  return columns.flatMap(({ name, type, columns: inner = [] }) => {
    const path = `${parent}${name}`;
    if (type === "object") return filesIn(inner, `${path}.`);
    return type === "file" || type === "file[]" ? [`${path}.*`, `${path}.base64Content`] : [];
  });
}

function isSameBranch(one: AnyBranch, other: AnyBranch): boolean {
  const [a, b] = [Branch.sourceOf(one).address, Branch.sourceOf(other).address];
  return a.workspace === b.workspace && a.database === b.database && a.branch === b.branch;
}
