import { ID_SLOT } from "../../schema/columns.js";
import type { Chunk } from "../../storage/chunk.js";
import type { TextVector } from "../../storage/text-vectors.js";

/** The id of a row. */
export function idAt(chunk: Chunk, row: number): string {
  return (chunk.vectors[ID_SLOT] as TextVector).texts[row]!; // as every id vector
}
