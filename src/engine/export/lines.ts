import { describe, TwinbaseError } from "../../errors.js";
import { CHECKSUM_LENGTH, LineChecksum } from "./seal.js";

/**
 * A line is at most so long, as rules L-6 and L-12 bound what a line holds: what is longer is no
 * export, and need not be held until it ends.
 */
const MAX_LINE_LENGTH = 2 ** 28;

/** `,"checksum"]` */
const SEAL_LENGTH: number = CHECKSUM_LENGTH + 4;

/**
 * Takes the text of an export apart into its lines, in whatever chunks it comes, and checks each
 * by its checksum.
 */
export class LineReader {
  readonly #take: (line: readonly unknown[]) => void;
  readonly #what: string;
  readonly #checksum: LineChecksum = new LineChecksum();
  readonly #decoder: TextDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #rest = "";
  #number = 1;

  /**
   * @param take is given each line without its checksum; what it refuses is refused with the line
   * @param what is read, for messages
   */
  constructor(take: (line: readonly unknown[]) => void, what = "import") {
    this.#take = take;
    this.#what = what;
  }

  /** The number of the line at hand, counted from 1. */
  get number(): number {
    return this.#number;
  }

  /** Takes in the next chunk of the text, or of its UTF-8. */
  write(chunk: string | Uint8Array): void {
    if (typeof chunk !== "string" && !(chunk instanceof Uint8Array)) {
      this.refuse(`expected text or bytes, found ${describe(chunk)}`);
    }
    this.#split(typeof chunk === "string" ? chunk : this.#decode(chunk));
  }

  /** The text is to end here, with the end of a line. */
  end(): void {
    this.#split(this.#decode());
    if (this.#rest !== "") this.refuse("it ends in the middle of a line");
  }

  /** The text may end here in the middle of a line, as one that was cut off does. */
  endTorn(): void {
    const line = this.#rest.slice(0, -1);
    const open = line.length - SEAL_LENGTH;
    // What has all of a line but its end was not cut off there.
    const isWhole = open > 0 && line.startsWith(this.#checksum.add(line, open), open + 2);
    if (isWhole) this.refuse("it is damaged at its end");
  }

  /** Refuses the whole, for what is wrong with the line at hand. */
  refuse(fault: string): never {
    throw this.#placed(fault);
  }

  #split(text: string): void {
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      const line = this.#rest + text.slice(start, end);
      this.#requireLength(line);
      this.#open(line);
      this.#rest = "";
      this.#number++;
      start = end + 1;
    }
    this.#rest += text.slice(start);
    this.#requireLength(this.#rest);
  }

  #requireLength({ length }: string): void {
    if (length > MAX_LINE_LENGTH) this.refuse("it is no line of an export");
  }

  #open(line: string): void {
    const open = line.length - SEAL_LENGTH;
    if (open < 1 || !line.startsWith(',"', open) || !line.endsWith('"]')) {
      this.refuse("it is no line of an export, or damaged");
    }
    const sum = this.#checksum.add(line, open);
    if (!line.startsWith(sum, open + 2))
      this.refuse("it is damaged, or lines before it are missing");
    const parts = this.#parse(line);
    try {
      this.#take(parts.slice(0, -1));
    } catch (error) {
      throw error instanceof TwinbaseError ? this.#placed(error.message) : error;
    }
  }

  #placed(fault: string): TwinbaseError {
    return new TwinbaseError("invalid_request", `${this.#what}: line ${this.#number}: ${fault}`);
  }

  #parse(line: string): readonly unknown[] {
    let parts: unknown;
    try {
      parts = JSON.parse(line);
    } catch {
      this.refuse("it is no JSON");
    }
    return Array.isArray(parts) ? parts : this.refuse("it is no array");
  }

  #decode(bytes?: Uint8Array): string {
    try {
      return this.#decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      return this.refuse("it is no UTF-8");
    }
  }
}
