import { tableAt } from "../catalog/address.js";
import { type AnyBranch, Branch } from "../engine/branch.js";
import { writeRecord } from "../engine/write-records.js";
import { refuse } from "../errors.js";
import type { AnyRecord, ColumnDefinition } from "../types.js";
import { compareBranches } from "./branch-history.js";

/**
 * Copies records to a branch of equal schema; records with the same id are replaced (K-4).
 *
 * @param limit maximum number of records per table; default all
 * @throws TwinbaseError `schema_conflict`; `invalid_record` for a violation of `unique`.
 */
export function copyRecords(
  source: AnyBranch,
  destination: AnyBranch,
  limit: number = Number.POSITIVE_INFINITY,
): void {
  const [difference] = compareBranches(source, destination);
  const isSame = isSameBranch(source, destination);
  if (difference !== undefined || isSame) {
    const what = isSame ? "is also the source" : "has another schema";
    refuse("schema_conflict", `branch [${destination.name}] ${what}`, { rule: "K-4" });
  }
  const { context, address } = Branch.sourceOf(destination);
  context.atomic(() => {
    for (const { name } of source.tables()) {
      let count = 0;
      const { columns: definitions } = source.table(name).schema();
      const columns = ["*", ...filesIn(definitions)];
      const records = source.table(name).scan({ columns });
      writeRecord(context, tableAt(address, name), (writer) => {
        for (const record of records) {
          if (count++ >= limit) break;
          writer.put(record.id, withNulls(record, definitions));
        }
      });
    }
  });
}

/** Makes nulls explicit, so that defaults don't replace them (T-16). */
function withNulls(record: AnyRecord, columns: readonly ColumnDefinition[]): AnyRecord {
  const whole: Record<string, unknown> = { ...record };
  for (const { name, type, columns: inner = [], defaultValue } of columns) {
    if (type === "object") whole[name] = withNulls((whole[name] ?? {}) as AnyRecord, inner);
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
