import type { Chunk, RowCache } from "../../storage/chunk.js";
import { KEPT_TEXT_CHARACTERS } from "../thresholds.js";
import type { MakeRecord } from "./sink.js";

/** What a record was written as, undefined until it was asked for a second time. */
type Texts = Map<number, string | undefined>;

/**
 * Keeps the texts of records that are asked for again and again, as the first pages of a table are.
 *
 * They are kept with the chunk, by row: a write takes the text of its row away, and gives other
 * versions of the table a chunk of their own. That holds as long as a text says only what is in the
 * record itself; a linked record may change without it.
 */
export function keepRecentTexts(write: MakeRecord<string>): MakeRecord<string> {
  const maker = {};
  const all: Texts[] = [];
  let room = KEPT_TEXT_CHARACTERS;
  const textsOf = (chunk: Chunk): Texts => {
    const known = chunk.rowCache;
    if (known?.maker === maker) return known.byRow as Texts; // this maker's own, as made below
    const cache: RowCache = { maker, byRow: new Map() };
    chunk.rowCache = cache;
    all.push(cache.byRow as Texts);
    return cache.byRow as Texts;
  };
  return (chunk, row) => {
    const texts = textsOf(chunk);
    const known = texts.get(row);
    if (known !== undefined) return known;
    const text = write(chunk, row);
    if (texts.has(row)) texts.set(row, flatten(text));
    else if (room < text.length) {
      for (const each of all) each.clear();
      room = KEPT_TEXT_CHARACTERS;
    } else {
      texts.set(row, undefined);
      room -= text.length;
    }
    return text;
  };
}

/**
 * Has V8 make one string of the parts that a text was put together from: it keeps them, which takes
 * more memory, until something reads the characters. Reading it as a number is the cheapest way.
 */
export function flatten(text: string): string {
  Number(text);
  return text;
}
