import { profile } from "./catalog.js";
import { parseJson } from "./pointer.js";

/** A filter for a text in any of the columns, or as a prefix of the id. */
export function quickFilter(columns: readonly string[], text: string): string {
  if (text.trim() === "") return "";
  const anyOf = [
    { [profile.value.idColumn]: { $startsWith: text } },
    ...columns.map((path) => Object.fromEntries([[path, { $iContains: text }]])),
  ];
  return JSON.stringify({ $any: anyOf });
}

/** The text of a quick-find filter; undefined for other filters. */
export function readQuickFind(columns: readonly string[], filter: string): string | undefined {
  if (filter === "") return "";
  const read = parseJson(filter);
  if (!("value" in read)) return undefined;
  const { $any: anyOf } = (read.value ?? {}) as { $any?: unknown };
  const first = Array.isArray(anyOf)
    ? (anyOf[0] as Readonly<Record<string, { $startsWith?: unknown }>> | null)
    : null;
  const text = first?.[profile.value.idColumn]?.$startsWith;
  return typeof text === "string" && quickFilter(columns, text) === filter ? text : undefined;
}
