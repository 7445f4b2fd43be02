import type { InstantVector } from "../../storage/number-vectors.js";
import { formatInstant } from "../../value/datetime.js";

/** Formats a row's instant or null. Caches the last one: bulk loads repeat it. */
export function createInstantReader(): (vector: InstantVector, row: number) => string | null {
  let lastMs = Number.NaN;
  let lastMicros = 0;
  let lastText = "";
  return (vector, row) => {
    const ms = vector.ms[row]!;
    const micros = vector.micros === undefined ? 0 : vector.micros[row]!;
    if (ms === lastMs && micros === lastMicros) return lastText;
    if (Number.isNaN(ms)) return null;
    lastMs = ms;
    lastMicros = micros;
    lastText = formatInstant(ms, micros);
    return lastText;
  };
}
