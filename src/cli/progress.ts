import type { CheckTitle, ConformanceOptions, Divergence } from "../conformance.js";
import { escapeControls } from "../errors.js";

/** A standard stream. */
export interface ProgressStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

const CLEAR_LINE = "\r\x1b[K";

/** Prints divergences as they occur; terminals also show the current check, coloured unless `NO_COLOR`. */
export function showProgress(
  stream: ProgressStream,
  environment: { readonly NO_COLOR?: string | undefined },
): Pick<ConformanceOptions, "onCheck" | "onDivergence" | "onResult"> {
  const isTerminal = stream.isTTY === true;
  const isColoured = isTerminal && !environment.NO_COLOR;
  const paint = (code: number, text: string): string =>
    isColoured ? `\x1b[${code}m${text}\x1b[0m` : text;
  const clear = isTerminal ? CLEAR_LINE : "";
  const onDivergence = ({ check, rules, message }: Divergence): void => {
    stream.write(
      `${clear}${paint(RED, "diverges")}: ${escapeControls(`${rules[0]} ${check}: ${message}`)}\n`,
    );
  };
  if (!isTerminal) return { onDivergence };
  return {
    onDivergence,
    onCheck({ id, rules, title }: CheckTitle, done, all) {
      const count = `${done + 1}/${all}`;
      // Terminals of unknown width report 0.
      const room = Math.max(0, (stream.columns || 80) - count.length - 2);
      const text = escapeControls(`${rules[0]} ${id}: ${title}`).slice(0, room);
      stream.write(`${CLEAR_LINE}${paint(DIM, count)} ${text}`);
    },
    onResult(_, done, all) {
      if (done === all) stream.write(CLEAR_LINE);
    },
  };
}

const RED = 31;
const DIM = 2;
