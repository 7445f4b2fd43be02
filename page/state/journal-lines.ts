import type { SampleCall } from "./samples.js";

export interface JournalLine extends SampleCall {
  readonly index: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly status?: number;
  readonly ms: number;
  /** The filter, the id or the beginning of the body. */
  readonly brief?: string;
  /** The message of an error. */
  readonly reason?: string;
}

/** Identical consecutive calls, latest first. */
export interface Fold {
  readonly lines: readonly JournalLine[];
  readonly latest: JournalLine;
}

/** The journal's filter; an empty string matches all. */
export interface JournalFilter {
  readonly words: string;
  readonly operation: string;
  readonly table: string;
  readonly status: string;
}

/** The name of a call's operation. */
export function operationOf({ operation, method }: JournalLine): string {
  return operation ?? `${method} (unknown route)`;
}

/** Whether a call is shown. `withText` has the indexes of calls whose bodies contain the words. */
export function isShown(
  line: JournalLine,
  filter: JournalFilter,
  withText: ReadonlySet<number>,
): boolean {
  const { words, operation, table, status } = filter;
  if (operation !== "" && operationOf(line) !== operation) return false;
  if (table !== "" && line.table !== table) return false;
  if (status === "ok" && !(line.status !== undefined && line.status < 400)) return false;
  if (status === "failed" && line.status !== undefined && line.status < 400) return false;
  if (words === "") return true;
  return withText.has(line.index) || textOf(line).includes(words.toLowerCase());
}

function textOf(line: JournalLine): string {
  const { method, path, status, brief = "", reason = "" } = line;
  const text = [operationOf(line), method, decodePath(path), status ?? "dropped", brief, reason];
  return text.join(" ").toLowerCase();
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Folds identical consecutive calls. */
export function foldLines(lines: readonly JournalLine[]): Fold[] {
  const folds: { key: string; lines: JournalLine[] }[] = [];
  for (const line of lines) {
    const { method, path, search, status, brief, reason } = line;
    const key = JSON.stringify([method, path, search, status, brief, reason]);
    const last = folds.at(-1);
    if (last?.key === key) last.lines.push(line);
    else folds.push({ key, lines: [line] });
  }
  return folds.map((fold) => ({ lines: fold.lines, latest: fold.lines[0]! }));
}
