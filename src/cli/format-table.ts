import type { AnyRecord } from "../types.js";

const MAX_WIDTH = 40;

/** Formats records as a table; members of objects have their own columns. */
export function formatTable(records: readonly AnyRecord[], hidden: ReadonlySet<string>): string {
  const flat = records.map((record) => new Map(flatten(record, "", hidden)));
  const names = [...new Set(flat.flatMap((row) => [...row.keys()]))];
  if (names.length === 0) return "";
  const columns = names.map((name) => {
    const values = flat.map((row) => row.get(name));
    const texts = [name, ...values.map(formatCell)];
    const width = texts.reduce((most, text) => Math.max(most, widthOf(text)), 0);
    const isNumeric = values.every((value) => value === undefined || typeof value === "number");
    return texts.map((text) => {
      const padding = " ".repeat(width - widthOf(text));
      return isNumeric ? padding + text : text + padding;
    });
  });
  const lines = ["", ...flat].map((_, row) => columns.map((cells) => cells[row]).join("  "));
  const rule = columns.map(([head = ""]) => "-".repeat(widthOf(head))).join("  ");
  return [lines[0], rule, ...lines.slice(1)].map((line) => `${line?.trimEnd()}\n`).join("");
}

function* flatten(
  value: object,
  head: string,
  hidden: ReadonlySet<string>,
): Generator<[path: string, value: unknown]> {
  for (const [key, member] of Object.entries(value)) {
    const path = head + key;
    if (hidden.has(key)) continue;
    const isObject = typeof member === "object" && member !== null && !Array.isArray(member);
    if (isObject) yield* flatten(member, `${path}.`, hidden);
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
