import { CREATED_AT_SLOT, ID_SLOT, UPDATED_AT_SLOT, VERSION_SLOT } from "../../schema/columns.js";
import { TRAITS } from "../../schema/traits.js";
import { type Chunk, chunkIndexOf, rowAt } from "../../storage/chunk.js";
import type { Codes } from "../../storage/codes.js";
import type { InstantVector, NumberVector } from "../../storage/number-vectors.js";
import type { TableVersion } from "../../storage/table.js";
import type { CodeVector, TextVector } from "../../storage/text-vectors.js";
import type { ColumnChoice } from "../bound/selection.js";
import { NEAR_ROWS } from "../thresholds.js";

/** Rows by their ordinals. */
export type Rows = ArrayLike<number>;

/** Reads the cells of some of the rows, before their records are made. */
export type ReadAhead = (table: TableVersion, rows: Rows, from: number, end: number) => void;

/**
 * Makes what brings the cells of many rows into the processor's caches, column by column. Where rows
 * are taken in an order other than that of storage, each cell has to come from memory. Loops as
 * short as these let the processor ask for many cells at once; between the steps that build records
 * it would wait for one after the other.
 */
export function createReadAhead(choices: ReadonlyMap<string, ColumnChoice>): ReadAhead {
  let known: WeakMap<readonly Chunk[], Known> | undefined; // of few rows there are none
  return ({ chunks, position }, rows, from, end) => {
    if (chunks.length <= 1) return; // so few rows are in the caches
    if (Math.abs(rows[end - 1]! - rows[from]!) <= NEAR_ROWS * (end - from)) return;
    known ??= new WeakMap();
    const last = known.get(chunks);
    if (last?.position !== position) {
      known.set(chunks, { position, loops: undefined }); // one small page does not pay for loops
      return;
    }
    last.loops ??= createLoops(chunks, choices);
    for (const loop of last.loops) READ.sum += loop(rows, from, end);
  };
}

/** The sum has no meaning, but without a use for it a compiler need not read the cells. */
const READ = { sum: 0 };

/** What is known of a list of chunks, until a write changes that in place. */
interface Known {
  readonly position: number;
  /** Made once it is read again. */
  loops: readonly Loop[] | undefined;
}

type Loop = (rows: Rows, from: number, end: number) => number;

function createLoops(
  chunks: readonly Chunk[],
  choices: ReadonlyMap<string, ColumnChoice>,
): readonly Loop[] {
  const loops = [createTextLoop(chunks, ID_SLOT)];
  for (const slot of [VERSION_SLOT, CREATED_AT_SLOT, UPDATED_AT_SLOT])
    loops.push(createNumberLoop(chunks, slot));
  const add = (chosen: ReadonlyMap<string, ColumnChoice>): void => {
    for (const choice of chosen.values()) {
      if (choice.kind === "object") add(choice.columns);
      else {
        const { slot, type } = choice.column;
        switch (TRAITS[type].stored) {
          case "text":
          case "code":
            loops.push(createTextLoop(chunks, slot));
            break;
          case "number":
          case "instant":
            loops.push(createNumberLoop(chunks, slot));
          // Of the others a cell is small, or lies elsewhere.
        }
      }
    }
  };
  add(choices);
  return loops;
}

// Both loops keep the arrays that the cells lie in, by the number of the chunk: the way to one, by the
// chunk, its vectors and one of those, takes as long as the cell itself. There are two, each for a few
// kinds of arrays: one that saw all of them would take three times as long.

function createNumberLoop(chunks: readonly Chunk[], slot: number): Loop {
  const arrays = new Array<Float64Array | undefined>(chunks.length);
  return (rows, from, end) => {
    let sum = 0;
    for (let i = from; i < end; i++) {
      const at = chunkIndexOf(rows[i]!);
      let array = arrays[at];
      if (array === undefined) {
        const vector = chunks[at]!.vectors[slot] as NumberVector | InstantVector | undefined;
        if (vector === undefined) continue;
        array = vector.kind === "number" ? vector.values : vector.ms;
        arrays[at] = array;
      }
      sum += array[rowAt(rows[i]!)]!;
    }
    return sum;
  };
}

function createTextLoop(chunks: readonly Chunk[], slot: number): Loop {
  const arrays = new Array<Codes | readonly (string | null)[] | undefined>(chunks.length);
  return (rows, from, end) => {
    let nulls = 0;
    for (let i = from; i < end; i++) {
      const at = chunkIndexOf(rows[i]!);
      let array = arrays[at];
      if (array === undefined) {
        const vector = chunks[at]!.vectors[slot] as CodeVector | TextVector | undefined;
        if (vector === undefined) continue;
        array = vector.kind === "code" ? vector.codes : vector.texts;
        arrays[at] = array;
      }
      if (array[rowAt(rows[i]!)] === null) nulls++;
    }
    return nulls;
  };
}
