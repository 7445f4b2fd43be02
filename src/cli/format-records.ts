import { csvCell } from "../fixtures/write-csv.js";

const MAX_WIDTH = 40;

/** Formats records; tables and CSV have the columns of the paths, members of objects in their own. */
export function formatRecords(
  records: readonly object[],
  format: "table" | "csv" | "json" | "ndjson",
  paths: readonly string[],
  escapesFormulas = false,
): string {
  if (format === "json") return `${JSON.stringify(records, undefined, 2)}\n`;
  if (format === "ndjson") return records.map((record) => `${JSON.stringify(record)}\n`).join("");
  const flat = records.map((record) => new Map(flatten(record, "", new Set(paths))));
  const found = new Set(flat.flatMap((row) => [...row.keys()]));
  const isShown = (path: string): boolean =>
    !path.endsWith("*") && ![...found].some((other) => other.startsWith(`${path}.`));
  const names = [...new Set([...paths.filter(isShown), ...found])];
  if (format === "csv") {
    const rows = [names, ...flat.map((row) => names.map((name) => row.get(name)))];
    const format = (values: readonly unknown[]): string =>
      values.map((value) => csvCell(value, escapesFormulas)).join(",");
    return rows.map((values) => `${format(values)}\n`).join("");
  }
  return formatTable(names, flat);
}

function formatTable(
  names: readonly string[],
  rows: readonly ReadonlyMap<string, unknown>[],
): string {
  if (names.length === 0) return "";
  const columns = names.map((name) => {
    const values = rows.map((row) => row.get(name));
    const texts = [name, ...values.map(formatCell)];
    const width = texts.reduce((most, text) => Math.max(most, widthOf(text)), 0);
    const isNumeric = values.every((value) => value === undefined || typeof value === "number");
    return texts.map((text) => {
      const padding = " ".repeat(width - widthOf(text));
      return isNumeric ? padding + text : text + padding;
    });
  });
  const lines = ["", ...rows].map((_, row) => columns.map((cells) => cells[row]).join("  "));
  const rule = columns.map(([head = ""]) => "-".repeat(widthOf(head))).join("  ");
  return [lines[0], rule, ...lines.slice(1)].map((line) => `${line?.trimEnd()}\n`).join("");
}

/** Yields the members of objects, except those of a column among the paths. */
function* flatten(
  value: object,
  head: string,
  paths: ReadonlySet<string>,
): Generator<[path: string, value: unknown]> {
  for (const [key, member] of Object.entries(value)) {
    const path = head + key;
    const isObject = typeof member === "object" && member !== null && !Array.isArray(member);
    if (isObject && !paths.has(path)) yield* flatten(member, `${path}.`, paths);
    else yield [path, member];
  }
}

function formatCell(value: unknown): string {
  if (value === undefined || value === null) return "";
  const isTexts = Array.isArray(value) && value.every((member) => typeof member === "string");
  const text =
    typeof value === "string" ? value : isTexts ? value.join(", ") : JSON.stringify(value);
  const line = Array.from(text.replaceAll(/\p{Cc}/gu, " "));
  return line.length > MAX_WIDTH ? `${line.slice(0, MAX_WIDTH - 1).join("")}…` : line.join("");
}

function widthOf(text: string): number {
  return Array.from(text).length;
}
