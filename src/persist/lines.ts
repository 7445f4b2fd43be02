import { describe, refuse, TwinbaseError } from "../errors.js";
import { checksum } from "../value/hash.js";

/** Maximum line length in characters; records are shorter (rules L-6, L-12). */
const MAX_LINE_LENGTH = 2 ** 28;
const CHUNK_LENGTH = 65_536;
/** `,"checksum"]` */
const SEAL_LENGTH = 12;
const PIECE_BYTES = 2 ** 20;

/** Chained checksums detect changed, missing, added and moved lines; they miss one in 2^44. */
export function sumOf(before: string, line: string): string {
  return checksum(before + line);
}

export type Line = readonly [tag: string, ...parts: unknown[]];

function sealOf(sum: string): string {
  return `,"${sum}"]`;
}

export class LineWriter {
  #sum: string;
  #text = "";

  /** @param sum the checksum of the previous line */
  constructor(sum = "") {
    this.#sum = sum;
  }

  get length(): number {
    return this.#text.length;
  }

  /** @throws TwinbaseError `invalid_request`, without effect, for invalid lines */
  add(...lines: readonly Line[]): void {
    for (const json of lines.map(formatLine)) {
      const line = json.slice(0, -1);
      this.#sum = sumOf(this.#sum, line);
      this.#text += `${line}${sealOf(this.#sum)}\n`;
    }
  }

  take(): string {
    const text = this.#text;
    this.#text = "";
    return text;
  }

  /** Yields chunks that don't split characters, if there is enough text. */
  *takeChunks(least: number = CHUNK_LENGTH): Generator<string> {
    if (this.#text.length < least) return;
    const text = this.take();
    for (let at = 0; at < text.length; ) {
      let end = at + CHUNK_LENGTH;
      if ((text.charCodeAt(end) & 0xfc00) === 0xdc00) end--; // a low surrogate
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
    if (!(error instanceof RangeError)) throw error; // exceeds the maximum string length
  }
  if (json !== "" && json.length + SEAL_LENGTH <= MAX_LINE_LENGTH) return json;
  return refuse("invalid_request", `a line of more than ${MAX_LINE_LENGTH} characters`, {
    rule: "L-12",
  });
}

export class LineFault extends Error {
  readonly line: number;

  constructor(line: number, fault: string) {
    super(fault);
    this.line = line;
  }
}

/** Splits chunks of text into lines and checks them. */
export class LineReader {
  readonly #take: (line: Line, number: number) => void;
  readonly #what: string;
  #sum = "";
  /** Not fatal: the checksum detects malformed UTF-8. */
  readonly #decoder: TextDecoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #rest = "";
  #number = 1;

  /** @param take its errors get the line number */
  constructor(take: (line: Line, number: number) => void, what = "import") {
    this.#take = take;
    this.#what = what;
  }

  get number(): number {
    return this.#number;
  }

  get sum(): string {
    return this.#sum;
  }

  /** @throws TwinbaseError `invalid_request` with the number of a damaged or invalid line */
  write(chunk: string | Uint8Array): void {
    if (typeof chunk === "string") this.#split(this.#decoder.decode() + chunk);
    else if (chunk instanceof Uint8Array) {
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
        const piece = chunk.subarray(at, at + PIECE_BYTES);
        this.#split(this.#decoder.decode(piece, { stream: true }));
      }
    } else this.#refuse(`expected text or bytes, found ${describe(chunk)}`);
  }

  /** Errors of `finish` get the number of the last line. */
  end<T>(finish: () => T): T {
    this.#split(this.#decoder.decode());
    if (this.#rest !== "") this.#refuse("it ends in the middle of a line");
    try {
      return finish();
    } catch (error) {
      return this.#rethrow(error);
    }
  }

  /** Ends the input; accepts a truncated last line. */
  endTorn(): void {
    const line = this.#rest.slice(0, -1 - SEAL_LENGTH);
    // A line with a checksum is not truncated.
    const isWhole =
      line !== "" && this.#rest.startsWith(sealOf(sumOf(this.#sum, line)), line.length);
    if (isWhole) this.#refuse("it is damaged at its end");
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
    if (this.#rest.length > MAX_LINE_LENGTH) this.#refuse("it is not a line of an export");
  }

  #open(text: string, start: number, end: number): void {
    const seal = end - SEAL_LENGTH;
    if (!(seal > start && text.startsWith(',"', seal) && text.startsWith('"]', end - 2))) {
      this.#refuse("it is not a line of an export, or damaged");
    }
    const line = text.slice(start, seal);
    this.#sum = sumOf(this.#sum, line);
    if (!text.startsWith(sealOf(this.#sum), seal)) {
      this.#refuse("it is damaged, or lines before it are missing");
    }
    const parts = this.#parse(`${line}]`);
    try {
      this.#take(parts as unknown as Line, this.#number); // `take` checks the tag
    } catch (error) {
      this.#rethrow(error);
    }
  }

  #parse(text: string): unknown[] {
    let parts: unknown;
    try {
      parts = JSON.parse(text);
    } catch {
      this.#refuse("it is not JSON");
    }
    return Array.isArray(parts) ? parts : this.#refuse("it is not an array");
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
