import type { JournalEntry } from "../journal.js";

const MAX_BRIEF = 160;

/** A journal entry in one line: without bodies, with the part of the request that tells it from others. */
export function journalLine({ request, response, ...entry }: JournalEntry): object {
  const brief = briefOf(request, entry.record);
  const reason = reasonOf(response, entry.status);
  return { ...entry, ...(brief && { brief }), ...(reason && { reason }) };
}

export function hasText({ path, search, request, response }: JournalEntry, text: string): boolean {
  const wanted = text.toLowerCase();
  const contains = (value: unknown): boolean =>
    (typeof value === "string" ? value : (JSON.stringify(value) ?? ""))
      .toLowerCase()
      .includes(wanted);
  return contains(path) || contains(search) || contains(request) || contains(response);
}

function briefOf(request: unknown, record: string | undefined): string {
  const { filter, query, records, operations } = (
    typeof request === "object" && request !== null ? request : {}
  ) as Readonly<Record<string, unknown>>;
  const body = filter ?? query;
  const known = body === undefined ? request : body;
  const parts = [
    record,
    Array.isArray(records) ? `${records.length} records` : undefined,
    Array.isArray(operations) ? `${operations.length} operations` : undefined,
  ].filter((part) => part !== undefined);
  if (parts.length === 0 || (record !== undefined && request !== undefined)) {
    const text = typeof known === "string" ? known : JSON.stringify(known);
    if (text !== undefined && text !== "{}") parts.push(text);
  }
  const brief = parts.join(" ");
  return brief.length > MAX_BRIEF ? `${brief.slice(0, MAX_BRIEF)}…` : brief;
}

function reasonOf(response: unknown, status: number | undefined): string | undefined {
  if (status === undefined || status < 400) return undefined;
  if (typeof response !== "object" || response === null) return undefined;
  const { message, errors } = response as { message?: unknown; errors?: { message?: unknown }[] };
  const text = message ?? errors?.[0]?.message;
  return typeof text === "string" ? text.slice(0, 2 * MAX_BRIEF) : undefined;
}
