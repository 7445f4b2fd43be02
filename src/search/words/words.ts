const SEPARATOR = 1;
const PART = 2;
const SINGLE = 3;

const WORD_PART = /^[\p{L}\p{M}\p{N}]$/u;
const WORD_ALONE = /^[\p{Script=Han}\p{Script=Hiragana}]$/u;

/** Cached kinds of BMP code units; 0 if unknown. */
const kinds: Uint8Array = new Uint8Array(0x10000);

/**
 * Iterates over the words of a text: runs of letters, marks and digits; each Han or Hiragana
 * character by itself.
 */
export class WordReader {
  start = 0;
  end = 0;
  #text = "";

  open(text: string): void {
    this.#text = text;
    this.end = 0;
  }

  next(): boolean {
    const text = this.#text;
    const { length } = text;
    let at = this.end;
    let kind = SEPARATOR;
    let width = 1;
    for (; at < length; at += width) {
      const unit = text.charCodeAt(at);
      kind = kinds[unit]! || kindOf(text, at);
      width = isWide(text, at, unit) ? 2 : 1;
      if (kind !== SEPARATOR) break;
    }
    this.start = at;
    if (at >= length) return false;
    at += width;
    while (kind === PART && at < length) {
      const unit = text.charCodeAt(at);
      if ((kinds[unit]! || kindOf(text, at)) !== PART) break;
      at += isWide(text, at, unit) ? 2 : 1;
    }
    this.end = at;
    return true;
  }
}

function isWide(text: string, at: number, unit: number): boolean {
  return (unit & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00;
}

function kindOf(text: string, at: number): number {
  const point = text.codePointAt(at)!;
  const character = String.fromCodePoint(point);
  const kind = !WORD_PART.test(character) ? SEPARATOR : WORD_ALONE.test(character) ? SINGLE : PART;
  // A lone surrogate has no kind of its own, so it is not cached.
  if (point < 0x10000 && (point & 0xf800) !== 0xd800) kinds[point] = kind;
  return kind;
}

const ASCII_ONLY = /^[\0-\x7f]*$/;
const ACCENTS = /[\u0300-\u036f]/g;

/** Returns the form in which words are compared; empty if nothing remains. */
export function foldWord(word: string): string {
  if (ASCII_ONLY.test(word)) return word.toUpperCase();
  return word
    .normalize("NFKD")
    .replaceAll(ACCENTS, "")
    .toLowerCase()
    .toUpperCase()
    .normalize("NFKC");
}

export function wordsIn(text: string): string[] {
  const reader = new WordReader();
  reader.open(text);
  const words: string[] = [];
  while (reader.next()) {
    const word = foldWord(text.slice(reader.start, reader.end));
    if (word !== "") words.push(word);
  }
  return words;
}
