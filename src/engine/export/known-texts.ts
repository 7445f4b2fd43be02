/** Texts that are kept for a column at most, and how long they are. */
const MAX_TEXTS = 4096;
const MAX_LENGTH = 64;
/** A text has one of so many places, from that of its hash on. */
const PLACES = 8;
const SMALLEST = 64;
/** A column is given up at so many texts where fewer than eight in nine values were known. */
const TRIAL = 512;

/** The texts that were found in a column so far, by the ASCII they are: those that repeat are made once. */
export class KnownTexts {
  /** Whether it is known that values repeat. */
  readonly #isKept: boolean;
  #texts: (string | undefined)[] = [];
  #count = 0;
  #asked = 0;
  #isOpen = true;

  constructor(isKept: boolean) {
    this.#isKept = isKept;
  }

  /** Whether it is of use to ask. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  find(bytes: Uint8Array, start: number, end: number, hash: number): string | undefined {
    this.#asked++;
    const texts = this.#texts;
    const mask = texts.length - 1;
    const first = placeOf(hash);
    for (let i = 0; i < PLACES; i++) {
      const text = texts[(first + i) & mask];
      if (text === undefined) return undefined;
      if (isSame(text, bytes, start, end)) return text;
    }
    return undefined;
  }

  add(text: string, hash: number): void {
    if (text.length > MAX_LENGTH || !this.#isOpen) return;
    if (this.#count * 2 >= this.#texts.length) this.#grow();
    if (!this.#enter(text, hash)) return;
    this.#count++;
    const isUseless = !this.#isKept && this.#count === TRIAL && this.#asked < TRIAL * 9;
    if (!isUseless && this.#count < MAX_TEXTS) return;
    this.#isOpen = false;
    this.#texts = [];
  }

  #enter(text: string, hash: number): boolean {
    const mask = this.#texts.length - 1;
    const first = placeOf(hash);
    for (let i = 0; i < PLACES; i++) {
      const place = (first + i) & mask;
      if (this.#texts[place] !== undefined) continue;
      this.#texts[place] = text;
      return true;
    }
    return false;
  }

  #grow(): void {
    const texts = this.#texts;
    this.#texts = new Array<string | undefined>(Math.max(SMALLEST, texts.length * 2)).fill(
      undefined,
    );
    for (const text of texts) {
      if (text !== undefined && !this.#enter(text, hashAscii(text))) this.#count--;
    }
  }
}

/** One more byte of a text; the hash of none is 0. */
export function addToHash(hash: number, byte: number): number {
  return ((hash << 5) - hash + byte) | 0;
}

/** Where a text of that hash is looked for first. */
function placeOf(hash: number): number {
  return Math.imul(hash, 0x9e3779b1) >>> 16;
}

function hashAscii(text: string): number {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = addToHash(hash, text.charCodeAt(i));
  return hash;
}

function isSame(text: string, bytes: Uint8Array, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) !== bytes[start + i]) return false;
  return true;
}
