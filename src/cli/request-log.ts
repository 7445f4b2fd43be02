import { escapeControls } from "../errors.js";
import type { Journal } from "../http.js";

/** A line as a person reads it, or an object of JSON. */
export const LOG_FORMATS = ["text", "json"] as const;
type LogFormat = (typeof LOG_FORMATS)[number];

/** A journal that also says a line of each call: method, path, status, milliseconds, records. */
export function withLog(journal: Journal, format: LogFormat, say: (line: string) => void): Journal {
  return {
    ...journal,
    add(call, request, answer, ms) {
      journal.add(call, request, answer, ms);
      const { method, path } = call;
      const status = answer.hangUpAfter === -1 ? null : answer.status;
      const rounded = Math.round(ms * 10) / 10;
      const rows = countRows(answer.body);
      const timing = answer.headers["server-timing"];
      const line = { method, path, status, ms: rounded, rows, ...(timing && { timing }) };
      say(escapeControls(format === "json" ? JSON.stringify(line) : describeLine(line)));
    },
  };
}

interface LogLine {
  readonly method: string;
  readonly path: string;
  /** Null where the connection was dropped. */
  readonly status: number | null;
  readonly ms: number;
  /** How many records were answered; null where the answer is no list of them. */
  readonly rows: number | null;
  /** What the database did for it, where there is one. */
  readonly timing?: string | undefined;
}

function describeLine({ method, path, status, ms, rows, timing }: LogLine): string {
  const counted = rows === null ? "" : `, ${rows} ${rows === 1 ? "record" : "records"}`;
  const [, dur, desc] = /dur=([\d.]+);desc="([^"]*)"/.exec(timing ?? "") ?? [];
  const done = desc === undefined ? "" : `; database: ${desc}, ${dur} ms`;
  return `${method} ${path} → ${status ?? "dropped"} in ${ms} ms${counted}${done}`;
}

function countRows(body: string | Uint8Array | undefined): number | null {
  if (typeof body !== "string" || !body.startsWith('{"records":')) return null;
  const { records } = JSON.parse(body) as { records?: unknown }; // the service's own answer
  return Array.isArray(records) ? records.length : null;
}
