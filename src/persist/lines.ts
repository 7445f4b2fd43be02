import { describe, refuse, TwinbaseError } from "../errors.js";
import { formatSixes } from "../value/hash.js";

/**
 * Characters of a line, at most. The bounds of what is stored (rules L-6, L-12) keep lines shorter;
 * a reader need not hold what is longer until it ends.
 */
const MAX_LINE_LENGTH = 2 ** 28;
/** Text is given in chunks of so many characters. */
const CHUNK_LENGTH = 65_536;
/** `,"checksum"]` */
const SEAL_LENGTH = 12;
const CHECKSUM_LENGTH = 8;
/** Bytes that are decoded at a time. */
const PIECE_BYTES = 2 ** 20;

/**
 * A running checksum over the lines of a file: that of each line covers all lines up to it, so that a
 * line changed, left out, added or moved is noticed there. Any one changed character always is; other
 * damage goes unseen once in 2^44.
 */
export class LineChecksum {
  // For a given word each step is a bijection of a lane, and one-to-one in the word: once a changed
  // word has made the first lane another it stays so, and all of its bits are given out.
  #first: number = 0x811c9dc5 | 0;
  #second: number = 0x2545f491 | 0;

  /** Adds the next line, a part of a text, and returns the checksum up to there. */
  add(text: string, start: number, end: number): string {
    let first = this.#first;
    let second = this.#second;
    let at = start;
    for (; at + 1 < end; at += 2) {
      const word = text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16);
      first = Math.imul(first ^ word, 0x9e3779b1);
      first ^= first >>> 15;
      second = Math.imul(second ^ word, 0x85ebca6b);
      second ^= second >>> 13;
    }
    // Its length, and its last character: otherwise two lines could be parted at another place.
    for (let word = end - start; ; word = text.charCodeAt(at++)) {
      first = Math.imul(first ^ word, 0x9e3779b1);
      first ^= first >>> 15;
      second = Math.imul(second ^ word, 0x85ebca6b);
      second ^= second >>> 13;
      if (at === end) break;
    }
    this.#first = first;
    this.#second = second;
    return formatSixes(first, second >>> 16);
  }

  copy(): LineChecksum {
    const copy = new LineChecksum();
    copy.#first = this.#first;
    copy.#second = this.#second;
    return copy;
  }
}

/** A line without its checksum: a tag and whatever belongs to it. */
export type Line = readonly [tag: string, ...parts: unknown[]];

/** Writes lines, each a JSON array that ends with its checksum. */
export class LineWriter {
  readonly #checksum: LineChecksum;
  #text = "";

  /** @param checksum of the lines before, which others have written */
  constructor(checksum: LineChecksum = new LineChecksum()) {
    this.#checksum = checksum;
  }

  /** The characters that were written and not taken yet. */
  get length(): number {
    return this.#text.length;
  }

  /** @throws TwinbaseError `invalid_request` for a line that no reader would take; none is added then */
  add(...lines: readonly Line[]): void {
    for (const json of lines.map(formatLine)) {
      const end = json.length - 1;
      this.#text += `${json.slice(0, end)},"${this.#checksum.add(json, 0, end)}"]\n`;
    }
  }

  take(): string {
    const text = this.#text;
    this.#text = "";
    return text;
  }

  /** Takes what was written in chunks, if that is enough for one; no character is parted. */
  *takeChunks(least: number = CHUNK_LENGTH): Generator<string> {
    if (this.#text.length < least) return;
    const text = this.take();
    for (let at = 0; at < text.length; ) {
      let end = at + CHUNK_LENGTH;
      if ((text.charCodeAt(end) & 0xfc00) === 0xdc00) end--; // the second half of a character
      yield text.slice(at, end);
      at = end;
    }
  }
}

function formatLine(line: Line): string {
  let json = "";
  try {
    json = JSON.stringify(line);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error; // longer than any text can be
  }
  if (json !== "" && json.length + SEAL_LENGTH <= MAX_LINE_LENGTH) return json;
  return refuse("invalid_request", `a line of more than ${MAX_LINE_LENGTH} characters`, {
    rule: "L-12",
  });
}

/** A fault of a line that was found after it. */
export class LineFault extends Error {
  readonly line: number;

  constructor(line: number, fault: string) {
    super(fault);
    this.line = line;
  }
}

/** Takes the text of a file apart into its lines, in whatever chunks it comes, and checks each. */
export class LineReader {
  readonly #take: (line: Line, number: number) => void;
  readonly #what: string;
  readonly #checksum: LineChecksum = new LineChecksum();
  /** Not fatal: what is no UTF-8 has another checksum. */
  readonly #decoder: TextDecoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #rest = "";
  #number = 1;

  /**
   * @param take is given each line without its checksum; its refusals get the number of the line
   * @param what the name of what is read, for messages
   */
  constructor(take: (line: Line, number: number) => void, what = "import") {
    this.#take = take;
    this.#what = what;
  }

  /** The number of the next line, counted from 1. */
  get number(): number {
    return this.#number;
  }

  /** For a writer that goes on after these lines. */
  get checksum(): LineChecksum {
    return this.#checksum.copy();
  }

  /** @throws TwinbaseError `invalid_request` with the line that is damaged or refused */
  write(chunk: string | Uint8Array): void {
    if (typeof chunk === "string") this.#split(this.#decoder.decode() + chunk);
    else if (chunk instanceof Uint8Array) {
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
        const piece = chunk.subarray(at, at + PIECE_BYTES);
        this.#split(this.#decoder.decode(piece, { stream: true }));
      }
    } else this.#refuse(`expected text or bytes, found ${describe(chunk)}`);
  }

  /** Runs what is left to do once all was read; its refusals get the number of the last line. */
  end<T>(finish: () => T): T {
    this.#split(this.#decoder.decode());
    if (this.#rest !== "") this.#refuse("it ends in the middle of a line");
    try {
      return finish();
    } catch (error) {
      return this.#rethrow(error);
    }
  }

  /** The text may end here in the middle of a line, as one that was cut off does. */
  endTorn(): void {
    const { length } = this.#rest;
    const seal = length - 1 - SEAL_LENGTH;
    if (seal <= 0) return;
    // What has all of a line but its end was not cut off there.
    const sum = this.#checksum.add(this.#rest, 0, seal);
    if (this.#rest.startsWith(`,"${sum}"]`, seal)) this.#refuse("it is damaged at its end");
  }

  #split(text: string): void {
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      if (this.#rest === "") this.#open(text, start, end);
      else {
        const line = this.#rest + text.slice(start, end);
        this.#rest = "";
        this.#open(line, 0, line.length);
      }
      this.#number++;
      start = end + 1;
    }
    this.#rest += text.slice(start);
    if (this.#rest.length > MAX_LINE_LENGTH) this.#refuse("it is no line of an export");
  }

  #open(text: string, start: number, end: number): void {
    const seal = end - SEAL_LENGTH;
    if (!(seal > start && text.startsWith(',"', seal) && text.startsWith('"]', end - 2))) {
      this.#refuse("it is no line of an export, or damaged");
    }
    const sum = this.#checksum.add(text, start, seal);
    if (!text.startsWith(sum, end - 2 - CHECKSUM_LENGTH)) {
      this.#refuse("it is damaged, or lines before it are missing");
    }
    const parts = this.#parse(text.slice(start, end));
    parts.pop();
    try {
      this.#take(parts as unknown as Line, this.#number); // its tag is looked at there
    } catch (error) {
      this.#rethrow(error);
    }
  }

  #parse(text: string): unknown[] {
    let parts: unknown;
    try {
      parts = JSON.parse(text);
    } catch {
      this.#refuse("it is no JSON");
    }
    return Array.isArray(parts) ? parts : this.#refuse("it is no array");
  }

  #rethrow(error: unknown): never {
    if (error instanceof LineFault) this.#refuse(error.message, error.line);
    if (error instanceof TwinbaseError) this.#refuse(error.message);
    throw error;
  }

  #refuse(fault: string, line: number = this.#number): never {
    refuse("invalid_request", `${this.#what}: line ${line}: ${fault}`);
  }
}
