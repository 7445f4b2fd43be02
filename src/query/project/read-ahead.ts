import {
  CREATED_AT_SLOT,
  ID_SLOT,
  type LeafColumn,
  UPDATED_AT_SLOT,
  VERSION_SLOT,
} from "../../schema/columns.js";
import { TRAITS, type Traits } from "../../schema/traits.js";
import { type Chunk, rowAt, vectorAt } from "../../storage/chunk.js";
import type { ColumnChoice } from "../bound/selection.js";
import { NEAR_ROWS } from "../thresholds.js";

/** Rows by their ordinals. */
export type Rows = ArrayLike<number>;

/** Reads the cells of rows before their records are made. */
export type ReadAhead = (chunks: readonly Chunk[], rows: Rows) => void;

/**
 * Makes what brings the cells of many rows into the processor's caches, column by column. Where rows
 * are taken in an order other than that of storage, each cell has to come from memory. Loops as
 * short as these let the processor ask for many cells at once; between the steps that build records
 * it would wait for one after the other.
 */
export function createReadAhead(choices: ReadonlyMap<string, ColumnChoice>): ReadAhead {
  let loops: readonly Loop[] | undefined; // made once they are wanted: of few rows never
  return (chunks, rows) => {
    const { length } = rows;
    if (chunks.length <= 1) return; // so few rows are in the caches
    if (Math.abs(rows[length - 1]! - rows[0]!) <= NEAR_ROWS * length) return;
    loops ??= createLoops(choices);
    for (let i = 0; i < loops.length; i++) READ.sum += loops[i]!(chunks, rows);
  };
}

function createLoops(choices: ReadonlyMap<string, ColumnChoice>): Loop[] {
  return [
    createLoop(ID_SLOT, "text"),
    createLoop(VERSION_SLOT, "number"),
    createLoop(CREATED_AT_SLOT, "instant"),
    createLoop(UPDATED_AT_SLOT, "instant"),
    ...Array.from(leavesOf(choices), ({ slot, type }) => createLoop(slot, TRAITS[type].stored)),
  ];
}

/** The sum has no meaning, but without a use for it a compiler need not read the cells. */
const READ = { sum: 0 };

function* leavesOf(choices: ReadonlyMap<string, ColumnChoice>): Generator<LeafColumn> {
  for (const choice of choices.values()) {
    if (choice.kind === "object") yield* leavesOf(choice.columns);
    else yield choice.column;
  }
}

type Loop = (chunks: readonly Chunk[], rows: Rows) => number;

/** Two loops, each for a few kinds of vectors: one that sees all of them takes three times as long. */
function createLoop(slot: number, stored: Traits["stored"]): Loop {
  switch (stored) {
    case "number":
    case "instant":
      return (chunks, rows) => {
        let sum = 0;
        for (let i = 0; i < rows.length; i++) {
          const vector = vectorAt(chunks, rows[i]!, slot);
          const row = rowAt(rows[i]!);
          if (vector?.kind === "number") sum += vector.values[row]!;
          else if (vector?.kind === "instant") sum += vector.ms[row]!;
        }
        return sum;
      };
    case "list":
    case "code":
    case "text":
      return (chunks, rows) => {
        let sum = 0;
        for (let i = 0; i < rows.length; i++) {
          const vector = vectorAt(chunks, rows[i]!, slot);
          const row = rowAt(rows[i]!);
          if (vector?.kind === "code") sum += vector.codes[row]!;
          else if (vector?.kind === "list") sum += vector.starts[row]! + vector.lengths[row]!;
          else if (vector?.kind === "text" && vector.texts[row] === null) sum++;
        }
        return sum;
      };
    default:
      return () => 0; // a byte each, or values that lie elsewhere
  }
}
