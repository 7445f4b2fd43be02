import type { ProgressStream } from "./progress.js";

/** Loads that take longer show how far they are. */
const SHOWN_AFTER = 1000;
const SHOWN_EVERY = 200;

/** Tells how far the load of a file is. */
export interface Loading {
  /** So many rows are read. */
  rows(count: number): void;
  /** The same chunks, which are counted as they are read. */
  bytes(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** It is done; how many rows it was, where that is known. */
  end(rows?: number): void;
}

/** Shows on a terminal how far a load is that takes over a second, with its rate; elsewhere nothing. */
export function showLoading(
  path: string,
  stream: ProgressStream,
  now: () => number = () => performance.now(),
): Loading {
  const start = now();
  let shown = Number.NEGATIVE_INFINITY;
  const isDue = (): boolean => now() - start > SHOWN_AFTER && now() - shown > SHOWN_EVERY;
  const show = (amount: number, unit: string): void => {
    if (stream.isTTY !== true || !isDue()) return;
    shown = now();
    const rate = Math.round((amount / (shown - start)) * 1000);
    stream.write(`\r\x1b[K${path}: ${format(amount)} ${unit}, ${format(rate)} a second`);
  };
  return {
    rows: (count) => show(count, "rows"),
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
