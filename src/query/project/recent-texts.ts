import type { Chunk, RowCache } from "../../storage/chunk.js";
import { KEPT_TEXT_CHARACTERS } from "../thresholds.js";
import type { MakeRecord } from "./sink.js";

/** What the records of a chunk were written as, of those that were asked for twice. */
interface Texts extends RowCache {
  readonly byRow: Map<number, string>;
  /** A bit for each row that was asked for: a walk asks for all of them, and for none again. */
  asked: number[];
}

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
    if (known?.maker === maker) return known as Texts; // this maker's own, as made below
    const texts: Texts = { maker, byRow: new Map(), asked: [] };
    chunk.rowCache = texts;
    all.push(texts);
    return texts;
  };
  return (chunk, row) => {
    const texts = textsOf(chunk);
    const known = texts.byRow.get(row);
    if (known !== undefined) return known;
    const text = write(chunk, row);
    const word = texts.asked[row >>> 5] ?? 0;
    const bit = 1 << (row & 31);
    if ((word & bit) !== 0) texts.byRow.set(row, flatten(text));
    else if (room < text.length) {
      for (const each of all) {
        each.byRow.clear();
        each.asked = [];
      }
      room = KEPT_TEXT_CHARACTERS;
    } else {
      texts.asked[row >>> 5] = word | bit;
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
