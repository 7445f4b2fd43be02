import { describe, TwinbaseError } from "../../errors.js";
import { hasByte } from "./bytes.js";
import { CHECKSUM_LENGTH, LineChecksum, OldLineChecksum } from "./seal.js";

/**
 * A line is at most so long, as rules L-6 and L-12 bound what a line holds: what is longer is no
 * export, and need not be held until it ends.
 */
const MAX_LINE_LENGTH = 2 ** 28;
/** What is read at a time, of bytes and of the units of a text: each takes up to three bytes. */
const PIECE_BYTES = 2 ** 16;
const PIECE_UNITS = 2 ** 14;
const MAX_UNIT_BYTES = 3;

/** `,"checksum"]` */
const SEAL_LENGTH: number = CHECKSUM_LENGTH + 4;
const LINE_END = 0x0a;
const COMMA = 0x2c;
const QUOTE = 0x22;
const CLOSE = 0x5d;
/** Where the checksum is in that. */
const SUM_AT = 2;

/** Takes lines in by their bytes, some at a time. */
export interface LineScanner {
  /**
   * Takes in a line of which the checksum is right; false where it has to be read as JSON.
   *
   * @param view of the bytes
   * @param end where its checksum begins, with the comma
   */
  scan(bytes: Uint8Array, view: DataView, start: number, end: number): boolean;
  /** Checks and takes over all lines that were scanned; false where they have to be read as JSON. */
  settle(): boolean;
}

/**
 * Takes the text of an export apart into its lines, in whatever chunks it comes, and checks each
 * by its checksum.
 */
export class LineReader {
  readonly #take: (line: readonly unknown[]) => void;
  readonly #what: string;
  readonly #scanner: LineScanner | undefined;
  readonly #checksum: LineChecksum = new LineChecksum();
  /** Where the first line has a checksum of an older version. */
  #oldChecksum: OldLineChecksum | undefined;
  readonly #encoder: TextEncoder = new TextEncoder();
  readonly #decoder: TextDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  /** What is not read yet, from the beginning of a line on, and how much of it has no end of a line. */
  #bytes: Uint8Array = new Uint8Array(4 * PIECE_BYTES);
  #view: DataView = new DataView(this.#bytes.buffer);
  #length = 0;
  #searched = 0;
  /** The first half of a character that a text ended in. */
  #half = "";
  #number = 1;
  /** The lines before that one that were scanned and not settled, and where they begin. */
  #scanned = 0;
  #scannedFrom = 0;

  /**
   * @param take is given each line without its checksum; what it refuses is refused with the line
   * @param what is read, for messages
   * @param scanner is offered each line first
   */
  constructor(take: (line: readonly unknown[]) => void, what = "import", scanner?: LineScanner) {
    this.#take = take;
    this.#what = what;
    this.#scanner = scanner;
  }

  /** The number of the line at hand, counted from 1. */
  get number(): number {
    return this.#number;
  }

  /** Takes in the next chunk of the text, or of its UTF-8. */
  write(chunk: string | Uint8Array): void {
    if (typeof chunk === "string") this.#writeText(this.#half + chunk);
    else if (chunk instanceof Uint8Array) {
      this.#endText();
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
        const piece = chunk.subarray(at, at + PIECE_BYTES);
        this.#reserve(piece.length).set(piece);
        this.#length += piece.length;
        this.#split();
      }
    } else this.refuse(`expected text or bytes, found ${describe(chunk)}`);
  }

  /** The text is to end here, with the end of a line. */
  end(): void {
    this.#endText();
    if (this.#length > 0) this.refuse("it ends in the middle of a line");
  }

  /** The text may end here in the middle of a line, as one that was cut off does. */
  endTorn(): void {
    const open = this.#length - 1 - SEAL_LENGTH;
    // What has all of a line but its end was not cut off there.
    if (open > 0 && this.#isSealed(0, open)) this.refuse("it is damaged at its end");
  }

  /** Refuses the whole, for what is wrong with the line at hand. */
  refuse(fault: string): never {
    this.#settle();
    throw this.#placed(fault, this.#number);
  }

  #writeText(text: string): void {
    const last = text.length - (isFirstHalf(text, text.length - 1) ? 1 : 0);
    for (let at = 0; at < last; ) {
      let end = Math.min(at + PIECE_UNITS, last);
      if (end < last && isFirstHalf(text, end - 1)) end--;
      this.#encode(text.slice(at, end));
      at = end;
    }
    this.#half = text.slice(last);
  }

  /** A half of a character that nothing follows is none. */
  #endText(): void {
    this.#encode(this.#half);
    this.#half = "";
  }

  #encode(piece: string): void {
    if (piece === "") return;
    const room = this.#reserve(piece.length * MAX_UNIT_BYTES);
    this.#length += this.#encoder.encodeInto(piece, room).written;
    this.#split();
  }

  #split(): void {
    let start = 0;
    for (let end = this.#findEnd(this.#searched); end < this.#length; ) {
      this.#open(start, end);
      this.#number++;
      start = end + 1;
      end = this.#findEnd(start);
    }
    this.#settle();
    this.#bytes.copyWithin(0, start, this.#length);
    this.#length -= start;
    this.#searched = this.#length;
    if (this.#length > MAX_LINE_LENGTH) this.refuse("it is no line of an export");
  }

  /** Where the line ends that a place is in; the length of all where that is not there yet. */
  #findEnd(from: number): number {
    const bytes = this.#bytes;
    const view = this.#view;
    const length = this.#length;
    let at = from;
    while (at + 4 <= length && !hasByte(view.getInt32(at, true), LINE_END)) at += 4;
    while (at < length && bytes[at] !== LINE_END) at++;
    return at;
  }

  #open(start: number, end: number): void {
    const open = end - SEAL_LENGTH;
    const bytes = this.#bytes;
    const hasSeal =
      open > start &&
      bytes[open] === COMMA &&
      bytes[open + 1] === QUOTE &&
      bytes[end - 2] === QUOTE &&
      bytes[end - 1] === CLOSE;
    if (!hasSeal) this.refuse("it is no line of an export, or damaged");
    if (!this.#isSealed(start, open)) this.refuse("it is damaged, or lines before it are missing");
    if (this.#scanner?.scan(bytes, this.#view, start, open)) {
      if (this.#scanned++ === 0) this.#scannedFrom = start;
      return;
    }
    this.#settle();
    this.#read(start, end);
  }

  /** Whether a line has the checksum that it should. */
  #isSealed(start: number, open: number): boolean {
    const given = open + SUM_AT;
    if (this.#oldChecksum === undefined) {
      this.#checksum.add(this.#view, start, open);
      if (this.#checksum.isAt(this.#bytes, given)) return true;
      if (this.#number > 1) return false;
      this.#oldChecksum = new OldLineChecksum();
    }
    const text = new TextDecoder().decode(this.#bytes.subarray(start, given + CHECKSUM_LENGTH));
    const line = text.slice(0, -CHECKSUM_LENGTH - SUM_AT);
    return text.endsWith(this.#oldChecksum.add(line));
  }

  /** Has the lines taken over that were scanned, or reads them: that tells what is wrong with them. */
  #settle(): void {
    const count = this.#scanned;
    this.#scanned = 0;
    if (count === 0 || this.#scanner?.settle()) return;
    const number = this.#number;
    let start = this.#scannedFrom;
    for (this.#number -= count; this.#number < number; this.#number++) {
      const end = this.#findEnd(start);
      this.#read(start, end);
      start = end + 1;
    }
  }

  /** Reads a line as JSON. */
  #read(start: number, end: number): void {
    const parts = this.#parse(start, end);
    parts.pop();
    try {
      this.#take(parts);
    } catch (error) {
      throw error instanceof TwinbaseError ? this.#placed(error.message, this.#number) : error;
    }
  }

  #placed(fault: string, line: number): TwinbaseError {
    return new TwinbaseError("invalid_request", `${this.#what}: line ${line}: ${fault}`);
  }

  #parse(start: number, end: number): unknown[] {
    let parts: unknown;
    try {
      parts = JSON.parse(this.#decoder.decode(this.#bytes.subarray(start, end)));
    } catch {
      this.refuse("it is no JSON");
    }
    return Array.isArray(parts) ? parts : this.refuse("it is no array");
  }

  /** The place after what there is, with room for so much. */
  #reserve(count: number): Uint8Array {
    const needed = this.#length + count;
    if (needed > this.#bytes.length) {
      const bytes = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
      bytes.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = bytes;
      this.#view = new DataView(bytes.buffer);
    }
    return this.#bytes.subarray(this.#length, needed);
  }
}

/** Whether a unit of UTF-16 is the first half of a character. */
function isFirstHalf(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xd800;
}
