import { readPointer } from "../../errors.js";
import { errorIn, type JournalEntry } from "../journal.js";

const MAX_BRIEF = 160;

/** A journal entry in one line: without bodies, but with the characteristic part of the request. */
export function journalLine({ request, response, ...entry }: JournalEntry): object {
  const { reason, path } = errorOf(response, entry.status);
  const fault = !path || /^\/filter\b/.test(path) ? undefined : readPointer(request, path);
  const brief =
    fault === undefined
      ? briefOf(request, entry.record)
      : cut([entry.record, `${path}: ${JSON.stringify(fault)}`].filter(Boolean).join(" "));
  return { ...entry, ...(brief && { brief }), ...(reason && { reason }) };
}

export function hasText({ path, search, request, response }: JournalEntry, text: string): boolean {
  const needle = text.toLowerCase();
  const contains = (value: unknown): boolean =>
    (typeof value === "string" ? value : (JSON.stringify(value) ?? ""))
      .toLowerCase()
      .includes(needle);
  return contains(path) || contains(search) || contains(request) || contains(response);
}

function briefOf(request: unknown, record: string | undefined): string {
  const { filter, query, records, operations } = (
    typeof request === "object" && request !== null ? request : {}
  ) as Readonly<Record<string, unknown>>;
  const body = filter ?? query;
  const content = body === undefined ? request : body;
  const parts = [
    record,
    Array.isArray(records) ? `${records.length} records` : undefined,
    Array.isArray(operations) ? `${operations.length} operations` : undefined,
  ].filter((part) => part !== undefined);
  if (parts.length === 0 || (record !== undefined && request !== undefined)) {
    const text = typeof content === "string" ? content : JSON.stringify(content);
    if (text !== undefined && text !== "{}") parts.push(text);
  }
  return cut(parts.join(" "));
}

function cut(text: string): string {
  return text.length > MAX_BRIEF ? `${text.slice(0, MAX_BRIEF)}…` : text;
}

function errorOf(
  response: unknown,
  status = 0,
): { readonly reason?: string; readonly path?: string } {
  if (status < 400 || typeof response !== "object" || response === null) return {};
  const { text, path } = errorIn(response);
  return { ...(text && { reason: text.slice(0, 2 * MAX_BRIEF) }), ...(path && { path }) };
}
