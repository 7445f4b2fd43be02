import { escapeControls } from "../errors.js";
import type { Answer } from "../http/message.js";
import type { Journal } from "../http.js";
import { rootOf } from "../postgres/failure.js";

/**
 * A journal that also prints a line for each call: method, path, status, milliseconds, records, and what caused
 * an error: the message of the database, or a stack.
 */
export function withLog(
  journal: Journal,
  format: "text" | "json",
  say: (line: string) => void,
): Journal {
  return {
    ...journal,
    add(call, request, answer, ms) {
      journal.add(call, request, answer, ms);
      const { method, path } = call;
      const status = answer.hangUpAfter === -1 ? null : answer.status;
      const rounded = Math.round(ms * 10) / 10;
      const rows = countRows(answer.body);
      const timing = answer.headers["server-timing"];
      const reason = status !== null && status >= 400 ? readMessage(answer.body) : undefined;
      const more = { ...(timing && { timing }), ...(reason !== undefined && { reason }) };
      const line = { method, path, status, ms: rounded, rows, ...more, ...describeCause(answer) };
      const lines = format === "json" ? [JSON.stringify(line)] : describeLine(line).split("\n");
      for (const one of lines) say(escapeControls(one));
    },
  };
}

interface LogLine {
  readonly method: string;
  readonly path: string;
  /** Null if the connection was dropped. */
  readonly status: number | null;
  readonly ms: number;
  /** Number of records; null if the answer is not a list of records. */
  readonly rows: number | null;
  /** `server-timing` of PostgreSQL. */
  readonly timing?: string | undefined;
  /** The message of an error. */
  readonly reason?: string | undefined;
  /** The message of the database or the network. */
  readonly cause?: string | undefined;
  readonly sqlState?: string | undefined;
  /** The worker of a cluster that said it. */
  readonly worker?: string | undefined;
  /** Of an internal error. */
  readonly stack?: string | undefined;
}

/** Describes the cause of an error, which the client does not get. */
function describeCause({
  error,
  status,
}: Answer): Pick<LogLine, "cause" | "sqlState" | "worker" | "stack"> {
  const root = rootOf(error);
  const { message, code, where, stack } = (root ?? {}) as Partial<Record<string, unknown>>;
  const [, worker] = /while executing command on (\S+)/.exec(String(where)) ?? [];
  return {
    ...(root !== error && typeof message === "string" && message !== "" && { cause: message }),
    ...(typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) && { sqlState: code }),
    ...(worker !== undefined && { worker }),
    ...(status === 500 && { stack: String(stack ?? root) }),
  };
}

function describeLine(line: LogLine): string {
  const { method, path, status, ms, rows, timing, reason, cause, sqlState, worker, stack } = line;
  const counted = rows === null ? "" : `, ${rows} ${rows === 1 ? "record" : "records"}`;
  const [, dur, desc] = /dur=([\d.]+);desc="([^"]*)"/.exec(timing ?? "") ?? [];
  const done = desc === undefined ? "" : `; database: ${desc}, ${dur} ms`;
  const why = reason === undefined ? "" : `: ${reason}`;
  const said = [sqlState, worker].filter((part) => part !== undefined).join(", ");
  const from = [cause, said && `(${said})`].filter(Boolean).join(" ");
  const because = from === "" ? "" : `; database: ${from}`;
  const trace = stack === undefined ? "" : `\n${stack}`;
  const answered = `${method} ${path} → ${status ?? "dropped"} in ${ms} ms`;
  return `${answered}${counted}${done}${why}${because}${trace}`;
}

function readMessage(body: Answer["body"]): string | undefined {
  const { message } = readObject(body, "{");
  return typeof message === "string" ? message : undefined;
}

function countRows(body: Answer["body"]): number | null {
  const { records } = readObject(body, '{"records":');
  return Array.isArray(records) ? records.length : null;
}

/** Parses the body of an object; returns {} for other bodies, such as a fault's text. */
function readObject(body: Answer["body"], beginning: string): Readonly<Record<string, unknown>> {
  if (typeof body !== "string" || !body.startsWith(beginning)) return {};
  try {
    return JSON.parse(body) as Readonly<Record<string, unknown>>; // JSON that begins with "{"
  } catch {
    return {};
  }
}
