import { tableAt } from "../catalog/address.js";
import { type AnyBranch, Branch } from "../engine/branch.js";
import { writeRecord } from "../engine/write-records.js";
import { refuse } from "../errors.js";
import type { AnyRecord, ColumnDefinition } from "../types.js";
import { compareBranches } from "./branch-history.js";

/**
 * Copies records into a branch of equal schema, where those of the same id are replaced (rule K-4).
 *
 * @param limit of each table, so many at most; default all
 * @throws TwinbaseError `schema_conflict`; `invalid_record` where one would breach `unique`.
 */
export function copyRecords(
  source: AnyBranch,
  destination: AnyBranch,
  limit: number = Number.POSITIVE_INFINITY,
): void {
  const [difference] = compareBranches(source, destination);
  const isSame = isSameBranch(source, destination);
  if (difference !== undefined || isSame) {
    const what = isSame ? "is the one to copy from" : "has another schema";
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

/** A record that says what is null in it, where a default would else take that place (rule T-16). */
function withNulls(record: AnyRecord, columns: readonly ColumnDefinition[]): AnyRecord {
  const whole: Record<string, unknown> = { ...record };
  for (const { name, type, columns: inner = [], defaultValue } of columns) {
    if (type === "object") whole[name] = withNulls((whole[name] ?? {}) as AnyRecord, inner);
    else if (defaultValue !== undefined) whole[name] ??= null;
  }
  return whole as AnyRecord; // the same columns
}

/** What `*` leaves out of files: their contents and options (rule H-2). */
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
