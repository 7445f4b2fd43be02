import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  openSync,
  renameSync,
  write,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { EngineContext } from "../../engine/context.js";
import { exportContext } from "../../engine/export.js";
import { ChangeLog } from "../../engine/log/change-log.js";
import type { Keeper, Notice } from "../../engine/notice.js";
import { TwinbaseError } from "../../errors.js";
import { baseName, logName, removeBefore, syncFolder } from "./segments.js";

/** Logs are put together once there are so many of them, however small. */
const MAX_LOGS = 16;
/** Of a new base, at most so many characters are written at a time: calls go on in between. */
const BASE_CHUNK = 1 << 18;

/** Where a store goes on. */
export interface StorePlace {
  readonly folder: string;
  /** The number of the present base, and its size in bytes. */
  readonly base: number;
  readonly baseBytes: number;
  /** The number of the next log, and the size of those before it. */
  readonly log: number;
  readonly logBytes: number;
  /** So many groups of changes are in the logs before. */
  readonly commits: number;
  /** The logs are put together once they are so long, and twice as long as the base. */
  readonly compactAfter: number;
}

interface Waiting {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Keeps what an engine holds in a folder. Whatever is written while one group is, is the next. */
export class Store implements Keeper {
  readonly #context: EngineContext;
  readonly #folder: string;
  readonly #log: ChangeLog;
  readonly #compactAfter: number;
  #base: number;
  #baseBytes: number;
  #number: number;
  #file: number;
  #logBytes: number;
  /** For the group that is written now, and for the one after it. */
  #running: Waiting | undefined;
  #next: Waiting | undefined;
  #compacting: Promise<void> | undefined;
  #failure: TwinbaseError | undefined;
  #isClosed = false;

  constructor(context: EngineContext, place: StorePlace) {
    this.#context = context;
    this.#folder = place.folder;
    this.#log = new ChangeLog(context, place.commits);
    this.#base = place.base;
    this.#baseBytes = place.baseBytes;
    this.#number = place.log;
    this.#logBytes = place.logBytes;
    this.#compactAfter = place.compactAfter;
    this.#file = this.#openLog(place.log);
  }

  readonly requireReady = (): void => {
    if (this.#failure !== undefined) throw this.#failure;
  };

  readonly keep = (notice: Notice): void => {
    this.#log.add(notice);
    this.#begin();
  };

  readonly flushed = (): Promise<void> | undefined => {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.#log.isChanged) return this.#begin().promise;
    return this.#running?.promise;
  };

  /** Keeps all there is, and releases the folder. */
  async close(): Promise<void> {
    while (!this.#isClosed) {
      const waited = this.#failure === undefined ? this.flushed() : undefined;
      if (waited !== undefined) {
        await waited.catch(() => {});
        continue;
      }
      await this.#compacting;
      if (this.#failure === undefined && this.flushed() !== undefined) continue;
      this.#isClosed = true;
      closeSync(this.#file);
    }
    if (this.#failure !== undefined && this.#failure !== CLOSED) throw this.#failure;
    this.#failure = CLOSED;
  }

  /** The group that is to come, which begins once the present one is done. */
  #begin(): Waiting {
    if (this.#next === undefined) {
      this.#next = createWaiting();
      if (this.#running === undefined) setImmediate(this.#run);
    }
    return this.#next;
  }

  readonly #run = (): void => {
    const waiting = this.#next;
    if (waiting === undefined) return;
    this.#next = undefined;
    this.#running = waiting;
    let bytes: Buffer;
    try {
      bytes = Buffer.concat(this.#log.commit());
    } catch (error) {
      this.#fail(error, waiting);
      return;
    }
    this.#logBytes += bytes.length;
    writeAll(this.#file, bytes, (fault) => {
      if (fault !== null) {
        this.#fail(fault, waiting);
        return;
      }
      this.#running = undefined;
      waiting.resolve();
      if (this.#isDue) this.#compact();
      if (this.#next !== undefined) setImmediate(this.#run);
    });
  };

  /** From here on nothing is kept: whether the last group is, is not known. */
  #fail(fault: unknown, waiting?: Waiting): void {
    const message = fault instanceof Error ? fault.message : String(fault);
    const text = `data cannot be kept in ${this.#folder}: ${message}; nothing more is written`;
    this.#failure = new TwinbaseError("unavailable", text);
    this.#running = undefined;
    waiting?.reject(this.#failure);
    this.#next?.reject(this.#failure);
    this.#next = undefined;
  }

  get #isDue(): boolean {
    if (this.#compacting !== undefined || this.#failure !== undefined) return false;
    if (this.#number - this.#base >= MAX_LOGS) return true;
    return this.#logBytes > Math.max(this.#compactAfter, 2 * this.#baseBytes);
  }

  /** Begins the next log, and writes what there is up to it as the base that it goes on from. */
  #compact(): void {
    const number = this.#number + 1;
    try {
      const rest = this.#log.commit();
      const text = exportContext(this.#context);
      writeFileSync(this.#file, Buffer.concat(rest));
      fdatasyncSync(this.#file);
      const file = this.#openLog(number);
      closeSync(this.#file);
      this.#file = file;
      this.#number = number;
      this.#logBytes = 0;
      this.#compacting = this.#writeBase(number, text)
        .catch((error) => console.error(error)) // the base before it and the logs since are whole
        .finally(() => {
          this.#compacting = undefined;
        });
    } catch (error) {
      this.#fail(error);
    }
  }

  async #writeBase(number: number, text: Iterable<string>): Promise<void> {
    const beside = join(this.#folder, `${baseName(number)}.new`);
    const file = openSync(beside, "w");
    let size = 0;
    try {
      let chunk = "";
      const put = async (): Promise<void> => {
        const bytes = Buffer.from(chunk);
        chunk = "";
        size += bytes.length;
        await new Promise<void>((resolve, reject) => {
          writeAll(file, bytes, (fault) => (fault === null ? resolve() : reject(fault)), false);
        });
      };
      for (const part of text) {
        chunk += part;
        if (chunk.length >= BASE_CHUNK) await put();
      }
      await put();
      await new Promise<void>((resolve, reject) => {
        fdatasync(file, (fault) => (fault === null ? resolve() : reject(fault)));
      });
    } finally {
      closeSync(file);
    }
    renameSync(beside, join(this.#folder, baseName(number)));
    syncFolder(this.#folder);
    this.#base = number;
    this.#baseBytes = size;
    removeBefore(this.#folder, number);
  }

  #openLog(number: number): number {
    const file = openSync(join(this.#folder, logName(number)), "w");
    writeSync(file, this.#log.begin());
    fdatasyncSync(file);
    syncFolder(this.#folder);
    return file;
  }
}

const CLOSED = new TwinbaseError("unavailable", "the folder of this engine was closed");

function createWaiting(): Waiting {
  const { promise, resolve, reject } = withResolvers();
  promise.catch(() => {}); // nobody may wait for it
  return { promise, resolve, reject };
}

function withResolvers(): Waiting {
  let resolve: () => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<void>((done, fail) => {
    resolve = done;
    reject = fail;
  });
  return { promise, resolve, reject };
}

/** Writes bytes at the end of a file, and has them on the disk unless that is not asked for. */
function writeAll(
  file: number,
  bytes: Buffer,
  done: (fault: NodeJS.ErrnoException | null) => void,
  isSynced = true,
): void {
  write(file, bytes, (fault, count) => {
    if (fault !== null) done(fault);
    else if (count < bytes.length) writeAll(file, bytes.subarray(count), done, isSynced);
    else if (isSynced) fdatasync(file, done);
    else done(null);
  });
}
