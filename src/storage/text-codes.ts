import { CHUNK_ROWS, type Chunk } from "./chunk.js";
import { putVector } from "./ownership.js";
import type { NextVersion } from "./table.js";
import { CodeVector, Dictionary, MAX_TEXT_CODES, TextVector } from "./vectors.js";

/** Maximum distinct values of a full chunk for a dictionary. */
const MAX_DISTINCT_IN_CHUNK = 512;

/** Dictionary-encodes texts that repeat in a full chunk. */
export function encodeChunk(table: NextVersion, chunk: Chunk): void {
  for (const { slot } of table.schema.leaves) {
    const vector = chunk.vectors[slot];
    if (vector?.kind !== "text" || table.plainText.has(slot)) continue;
    const dictionary = table.dictionaries.get(slot) ?? new Dictionary();
    const coded = encodeTexts(vector, dictionary);
    if (coded === undefined) table.plainText = new Set(table.plainText).add(slot);
    else {
      putVector(chunk, slot, coded);
      if (!table.dictionaries.has(slot)) {
        table.dictionaries = new Map(table.dictionaries).set(slot, dictionary);
      }
    }
  }
}

/** Returns undefined if values rarely repeat or the dictionary is full. */
function encodeTexts(vector: TextVector, dictionary: Dictionary): CodeVector | undefined {
  const distinct = new Set(vector.texts);
  if (distinct.size > MAX_DISTINCT_IN_CHUNK || dictionary.size + distinct.size > MAX_TEXT_CODES)
    return undefined;
  for (const text of distinct) if (text !== null) dictionary.encode(text);
  const coded = new CodeVector(CHUNK_ROWS, dictionary);
  for (const [row, text] of vector.texts.entries()) coded.set(row, text);
  return coded;
}

export function decodeTexts(vector: CodeVector, count: number): TextVector {
  const plain = new TextVector(vector.codes.length);
  for (let row = 0; row < count; row++) plain.set(row, vector.get(row));
  return plain;
}
