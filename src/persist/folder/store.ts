import { closeSync, fdatasyncSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EngineContext } from "../../engine/context.js";
import type { Notice, PersistenceSink } from "../../engine/notice.js";
import { TwinbaseError } from "../../errors.js";
import { ChangeLog, type LogPosition } from "../change-log.js";
import { logHeader } from "../write.js";
import { append, createLog, writeBase } from "./files.js";
import type { Lock } from "./lock.js";
import { logName } from "./segments.js";

/** Where a store goes on. */
export interface StorePosition extends LogPosition {
  /** An absolute path. */
  readonly folder: string;
  readonly lock: Lock;
  /** The size of the present base in bytes. */
  readonly baseBytes: number;
  /** The number of the present log, and the size of all logs since the base. */
  readonly log: number;
  readonly logBytes: number;
  /** The logs are put together once they are so long, and twice as long as the base. */
  readonly compactAfter: number;
}

interface Waiting {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Persists what an engine holds in a folder. Whatever is written while one group is, is the next. */
export class Store implements PersistenceSink {
  readonly #folder: string;
  readonly #lock: Lock;
  readonly #log: ChangeLog;
  #number: number;
  #file: number;
  #logBytes: number;
  /** Compaction is due from so many bytes of logs on. */
  #compactAt: number;
  readonly #compactAfter: number;
  /** For the group that is written now, and for the one after it. */
  #running: Waiting | undefined;
  #next: Waiting | undefined;
  #compacting: Promise<void> | undefined;
  #failure: TwinbaseError | undefined;
  #isClosed = false;

  constructor(context: EngineContext, position: StorePosition) {
    const { folder, lock, log, logBytes, baseBytes, compactAfter } = position;
    this.#folder = folder;
    this.#lock = lock;
    this.#log = new ChangeLog(context, position);
    this.#number = log;
    this.#logBytes = logBytes;
    this.#compactAfter = compactAfter;
    this.#compactAt = Math.max(compactAfter, 2 * baseBytes);
    this.#file = openSync(join(folder, logName(log)), "a");
  }

  readonly requireReady = (): void => {
    if (this.#failure !== undefined) throw this.#failure;
  };

  readonly persist = (notice: Notice): void => {
    this.#log.add(notice);
    this.#begin();
  };

  readonly flushed = (): Promise<void> | undefined => {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    if (this.#log.isChanged) return this.#begin().promise;
    return this.#running?.promise;
  };

  /** Persists all there is, and closes the log. */
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
      this.#lock.requireHeld();
      bytes = Buffer.from(this.#log.commit().join(""));
    } catch (error) {
      this.#fail(error, waiting);
      return;
    }
    this.#logBytes += bytes.length;
    append(this.#file, bytes, true).then(
      () => {
        this.#running = undefined;
        waiting.resolve();
        if (this.#isDue) this.#compact();
        if (this.#next !== undefined) setImmediate(this.#run);
      },
      (fault) => this.#fail(fault, waiting),
    );
  };

  /** From here on nothing is persisted: whether the last group is, is not known. */
  #fail(fault: unknown, waiting?: Waiting): void {
    console.error(`${this.#folder}:`, fault); // callers need not know where it is
    const why = fault instanceof TwinbaseError ? fault.message : codeOf(fault);
    const text = `data cannot be persisted (${why}); nothing more is written until the folder is opened again`;
    this.#failure = new TwinbaseError("unavailable", text);
    this.#running = undefined;
    waiting?.reject(this.#failure);
    this.#next?.reject(this.#failure);
    this.#next = undefined;
  }

  get #isDue(): boolean {
    if (this.#compacting !== undefined || this.#failure !== undefined) return false;
    return this.#logBytes > this.#compactAt;
  }

  /**
   * Begins the next log, and writes what there is up to it as the base that it goes on from. Where that
   * fails, the base before it and the logs since are whole; it is tried again once they are twice as long.
   */
  #compact(): void {
    this.#compactAt = 2 * this.#logBytes;
    try {
      this.#lock.requireHeld();
      this.#writeNow(this.#log.commit().join(""));
      const number = this.#number + 1;
      const file = tryLog(this.#folder, number, logHeader(this.#log.commits), this.#lock);
      if (file === undefined) return;
      const base = this.#log.writeBase();
      this.#writeNow(this.#log.next());
      closeSync(this.#file);
      this.#file = file;
      this.#number = number;
      const logBytes = this.#logBytes;
      this.#compacting = writeBase(this.#folder, number, base, this.#lock)
        .then((size) => {
          this.#logBytes -= logBytes;
          this.#compactAt = Math.max(this.#compactAfter, 2 * size);
        })
        .catch((error) => console.error(error))
        .finally(() => {
          this.#compacting = undefined;
        });
    } catch (error) {
      this.#fail(error);
    }
  }

  #writeNow(text: string): void {
    writeFileSync(this.#file, text);
    fdatasyncSync(this.#file);
  }
}

/** Makes a log; gives undefined where that fails. */
function tryLog(...given: Parameters<typeof createLog>): number | undefined {
  try {
    return createLog(...given);
  } catch (error) {
    console.error(error);
    return undefined;
  }
}

const CLOSED = new TwinbaseError("unavailable", "the folder of this engine was closed");

function createWaiting(): Waiting {
  let resolve: () => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<void>((done, fail) => {
    resolve = done;
    reject = fail;
  });
  promise.catch(() => {}); // nobody may wait for it
  return { promise, resolve, reject };
}

function codeOf(fault: unknown): string {
  return String((fault as Partial<NodeJS.ErrnoException> | null)?.code ?? "of a fault");
}
