import type { At } from "../errors.js";
import type { Instant } from "../value/datetime.js";
import type { Constraints } from "./columns.js";
import type { RecordReader } from "./record.js";

/** Fills missing keys with their defaults; a given null stays null (rule T-16). */
export function fillDefaults(
  reader: RecordReader,
  { objectDefaults, defaults }: Constraints,
  now: Instant,
  at: At,
): void {
  const { objects, values } = reader;
  for (const column of objectDefaults)
    if (!objects.includes(column)) reader.readDefault(column, at);
  for (const { slot, defaultValue } of defaults) {
    if (values[slot] !== undefined || defaultValue === undefined) continue;
    values[slot] = defaultValue.kind === "now" ? now : defaultValue.value;
  }
}
