import type { ProgressStream } from "./progress.js";

/** Milliseconds before progress is shown. */
const SHOWN_AFTER = 1000;
const SHOWN_EVERY = 200;

/** Reports the progress of a load. */
export interface LoadProgress {
  /** Reports the number of rows read so far, and the part of the file if it is known. */
  rows(count: number, part?: number): void;
  /** Passes chunks on and counts their bytes. */
  bytes(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** Ends the line, with the number of rows if known. */
  end(rows?: number): void;
}

/** Shows the progress and rate of loads over a second, on terminals only. */
export function showLoading(
  path: string,
  stream: ProgressStream,
  now: () => number = () => performance.now(),
): LoadProgress {
  const start = now();
  let shown = Number.NEGATIVE_INFINITY;
  const isDue = (): boolean => now() - start > SHOWN_AFTER && now() - shown > SHOWN_EVERY;
  const show = (amount: number, unit: string, part?: number): void => {
    if (stream.isTTY !== true || !isDue()) return;
    shown = now();
    const rate = Math.round((amount / (shown - start)) * 1000);
    const percent = part === undefined ? "" : `${Math.floor(part * 100)} %, `;
    stream.write(`\r\x1b[K${path}: ${percent}${format(amount)} ${unit}, ${format(rate)} a second`);
  };
  return {
    rows: (count, part) => show(count, "rows", part),
    async *bytes(chunks) {
      let bytes = 0;
      for await (const chunk of chunks) {
        bytes += chunk.byteLength;
        show(Math.floor(bytes / 1e6), "MB");
        yield chunk;
      }
    },
    end(rows) {
      if (shown < 0) return;
      const seconds = ((now() - start) / 1000).toFixed(1);
      const count = rows === undefined ? "" : `${format(rows)} rows `;
      stream.write(`\r\x1b[K${path}: ${count}in ${seconds} s\n`);
    },
  };
}

function format(amount: number): string {
  return amount.toLocaleString("en-US");
}
