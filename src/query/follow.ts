import { rowAt, vectorAt } from "../storage/chunk.js";
import type { TableVersion } from "../storage/table.js";
import { NULL_CODE } from "../storage/vectors.js";
import type { Hop } from "./bound/column-ref.js";
import { linkedSource, type Source } from "./source.js";
import { MAX_REMEMBERED_LINKS } from "./thresholds.js";

const UNKNOWN = -2;

/** Maps a row to the linked row; −1 if the link is null or dangling (T-9). */
export type Follow = (ordinal: number) => number;

/** Follows a path of links; undefined for an empty path. */
export function createFollow(source: Source, hops: readonly Hop[]): Follow | undefined {
  let follow: Follow | undefined;
  let from = source;
  for (const hop of hops) {
    const to = linkedSource(from, hop);
    const step = createStep(from.table, hop.slot, to.table);
    const before = follow;
    follow =
      before === undefined
        ? step
        : (ordinal) => {
            const reached = before(ordinal);
            return reached < 0 ? -1 : step(reached);
          };
    from = to;
  }
  return follow;
}

function createStep(source: TableVersion, slot: number, target: TableVersion): Follow {
  const { chunks } = source;
  const size = source.dictionaries.get(slot)?.size ?? 0;
  const targets = size <= MAX_REMEMBERED_LINKS ? new Int32Array(size).fill(UNKNOWN) : undefined;
  return (ordinal) => {
    const vector = vectorAt(chunks, ordinal, slot);
    if (vector?.kind !== "code") return -1;
    const code = vector.codes[rowAt(ordinal)]!;
    if (code === NULL_CODE) return -1;
    if (targets === undefined) return target.find(vector.dictionary.values[code]!);
    let reached = targets[code]!;
    if (reached === UNKNOWN) {
      reached = target.find(vector.dictionary.values[code]!);
      targets[code] = reached;
    }
    return reached;
  };
}
