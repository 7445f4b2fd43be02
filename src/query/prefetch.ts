import { CREATED_AT_SLOT, ID_SLOT, UPDATED_AT_SLOT, VERSION_SLOT } from "../schema/columns.js";
import { CHUNK_MASK, type Chunk } from "../storage/chunk.js";
import type { ColumnChoice } from "./selection.js";

/** Reads the cells of a row, ahead of its record. */
export type Prefetch = (chunk: Chunk, ordinal: number) => void;

/** Rows no further apart than this share what is in the processor's caches. */
const NEAR = 64;

/**
 * Makes what brings the cells of a row into the processor's caches. Where rows are taken in an order
 * that is not theirs, each cell has to come from memory. A loop as short as this lets the processor
 * ask for all of them at once; in between the steps of building a record it would wait for one after
 * the other, which takes half as long again in all.
 */
export function createPrefetch(choices: ReadonlyMap<string, ColumnChoice>): Prefetch {
  const slots = [ID_SLOT, VERSION_SLOT, CREATED_AT_SLOT, UPDATED_AT_SLOT, ...slotsOf(choices)];
  let last = Number.NEGATIVE_INFINITY;
  return ({ vectors }, ordinal) => {
    const distance = Math.abs(ordinal - last);
    last = ordinal;
    if (distance <= NEAR) return;
    const row = ordinal & CHUNK_MASK;
    let sum = 0;
    for (let i = 0; i < slots.length; i++) {
      const vector = vectors[slots[i]!];
      if (vector === undefined) continue;
      if (vector.kind === "number") sum += vector.values[row]!;
      else if (vector.kind === "instant") sum += vector.ms[row]!;
      else if (vector.kind === "code") sum += vector.codes[row]!;
      else if (vector.kind === "list") sum += vector.starts[row]! + vector.lengths[row]!;
      else if (vector.kind === "text" && vector.texts[row] === null) sum++;
    }
    READ.sum += sum;
  };
}

/** Of what was read. It stands for nothing, but without it a compiler need not read. */
const READ = { sum: 0 };

function* slotsOf(choices: ReadonlyMap<string, ColumnChoice>): Generator<number> {
  for (const choice of choices.values()) {
    if (choice.kind === "object") yield* slotsOf(choice.columns);
    else yield choice.column.slot;
  }
}
