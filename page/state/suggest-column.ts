import { service, tablePath } from "./api.js";
import { bucketsOf } from "./buckets.js";
import type { Leaf } from "./columns.js";

/** Distinct values up to which a column is suggested. */
const FEW_VALUES = 30;
/** Columns counted at most: each count reads all records. */
const MAX_COUNTED = 6;
const COUNTED: ReadonlySet<string> = new Set(["bool", "string", "link", "int"]);

/** Candidate columns by type, best first. */
function candidates(leaves: readonly Leaf[]): Leaf[] {
  const charted = leaves.filter(
    (leaf) => leaf.isOwn && bucketsOf(leaf) !== undefined && leaf.definition?.unique !== true,
  );
  const order = ["bool", "string", "link", "int"];
  return charted
    .filter(({ type }) => COUNTED.has(type))
    .sort((a, b) => order.indexOf(a.type) - order.indexOf(b.type))
    .slice(0, MAX_COUNTED);
}

/** The column to chart by default: few distinct values, else a time, else a number; never unique. */
export async function suggestColumn(
  address: readonly string[],
  leaves: readonly Leaf[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const [workspace = "", database = "", branch = "", table = ""] = address;
  const counted = candidates(leaves);
  const own = leaves.filter((leaf) => leaf.isOwn && leaf.definition?.unique !== true);
  if (counted.length > 0) {
    const aggs = Object.fromEntries(
      counted.map(({ path }, index) => [`c${index}`, { uniqueCount: { column: path } }]),
    );
    const answer = await service<{ aggs: Record<string, number> }>(
      workspace,
      "POST",
      `${tablePath(database, branch, table)}/aggregate`,
      { body: { aggs }, signal },
    );
    const few = counted.find((_, index) => {
      const values = answer.aggs[`c${index}`] ?? 0;
      return values >= 2 && values <= FEW_VALUES;
    });
    if (few !== undefined) return few.path;
  }
  const time = own.find(({ type }) => type === "datetime");
  const number = own.find((leaf) => bucketsOf(leaf) === "numericHistogram");
  return (time ?? number ?? leaves.find(({ type }) => type === "datetime"))?.path;
}
