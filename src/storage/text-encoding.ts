import { CHUNK_ROWS } from "./chunk.js";
import { type Dictionary, MAX_TEXT_CODES } from "./dictionary.js";
import { CodeVector, TextVector } from "./text-vectors.js";

/** A text column whose first full chunk has more distinct values than this is kept plain. */
const MAX_DISTINCT_IN_CHUNK = 512;

/** The vector as codes; undefined when its values hardly repeat or the dictionary is full. */
export function encodeTexts(vector: TextVector, dictionary: Dictionary): CodeVector | undefined {
  const distinct = new Set(vector.texts);
  if (distinct.size > MAX_DISTINCT_IN_CHUNK || dictionary.size + distinct.size > MAX_TEXT_CODES)
    return undefined;
  for (const text of distinct) if (text !== null) dictionary.encode(text);
  const coded = new CodeVector(CHUNK_ROWS, dictionary);
  for (const [row, text] of vector.texts.entries()) coded.set(row, text);
  return coded;
}

/** The same values as plain strings. */
export function decodeTexts(vector: CodeVector, count: number): TextVector {
  const plain = new TextVector(vector.codes.length);
  for (let row = 0; row < count; row++) plain.set(row, vector.get(row));
  return plain;
}
