import { randomUUID } from "node:crypto";
import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { EngineContext } from "../../engine/context.js";
import type { Notice, PersistenceSink } from "../../engine/notice.js";
import { TwinbaseError } from "../../errors.js";
import { ChangeLog, type LogPosition } from "../change-log.js";
import { logHeader } from "../write.js";
import type { Lock } from "./lock.js";
import { append, createLog, writeBase } from "./log-files.js";
import { logName } from "./segments.js";

export interface StorePosition extends LogPosition {
  readonly folder: string;
  readonly lock: Lock;
  readonly baseBytes: number;
  /** The number of the last log, and the size of all logs since the base. */
  readonly log: number;
  readonly logBytes: number;
  readonly compactAfter: number;
}

/** Persists an engine in a folder. Group commit: writes during a sync form the next group. */
export class Store implements PersistenceSink {
  readonly #folder: string;
  readonly #lock: Lock;
  readonly #log: ChangeLog;
  #number: number;
  #file: number;
  /** Size of the file without a change that is being written. */
  #size: number;
  #logBytes: number;
  /** Size of logs that triggers compaction. */
  #compactAt: number;
  readonly #compactAfter: number;
  /** The group being written, and the next one. */
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #compacting: Promise<void> | undefined;
  #failure: TwinbaseError | undefined;

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
    this.#size = fstatSync(this.#file).size;
  }

  readonly requireReady = (): void => {
    if (this.#failure !== undefined) throw this.#failure;
  };

  readonly persist = (notice: Notice): void => {
    this.#log.add(notice);
    this.#schedule();
  };

  readonly flushed = (): Promise<void> | undefined => {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return this.#log.isChanged ? this.#schedule() : (this.#running ?? this.#next);
  };

  async close(): Promise<void> {
    do {
      await this.flushed()?.catch(() => {});
      await this.#compacting;
    } while (this.#failure === undefined && this.flushed() !== undefined);
    closeSync(this.#file);
    const failure = this.#failure;
    this.#failure = CLOSED;
    if (failure !== undefined) throw failure;
  }

  #schedule(): Promise<void> {
    if (this.#next === undefined) {
      this.#next = Promise.resolve(this.#running).then(nextTurn, nextTurn).then(this.#write);
      this.#next.catch(() => {}); // possibly nobody awaits it
    }
    return this.#next;
  }

  readonly #write = async (): Promise<void> => {
    this.#running = this.#next;
    this.#next = undefined;
    try {
      this.requireReady();
      this.#lock.requireHeld();
      const bytes = Buffer.from(this.#log.commit().join(""));
      this.#logBytes += bytes.length;
      await append(this.#file, bytes, true);
      this.#size += bytes.length;
    } catch (error) {
      throw this.#fail(error);
    } finally {
      this.#running = undefined;
    }
    if (this.#isDue) this.#compact();
  };

  /** Stops persisting, and removes the change that failed, since it is refused. */
  #fail(fault: unknown): TwinbaseError {
    if (this.#failure === undefined) {
      console.error(`${this.#folder}:`, fault); // the path is not disclosed to callers
      const why = fault instanceof TwinbaseError ? fault.message : codeOf(fault);
      const doubt = this.#truncate() ? "" : " and the outcome of the last writes is unknown";
      const text = `data cannot be persisted (${why})${doubt}; nothing more is written until the folder is opened again`;
      this.#failure = new TwinbaseError("unavailable", text);
    }
    return this.#failure;
  }

  /** Returns whether the log ends with the last persisted change. */
  #truncate(): boolean {
    try {
      if (fstatSync(this.#file).size === this.#size) return true;
      this.#lock.requireHeld();
      ftruncateSync(this.#file, this.#size);
      fdatasyncSync(this.#file);
      return true;
    } catch {
      return false;
    }
  }

  get #isDue(): boolean {
    if (this.#compacting !== undefined || this.#failure !== undefined) return false;
    return this.#logBytes > this.#compactAt;
  }

  /** Starts the next log and writes its base. After a failure, retries at twice the size. */
  #compact(): void {
    this.#compactAt = 2 * this.#logBytes;
    try {
      this.#lock.requireHeld();
      this.#writeNow(this.#log.commit().join(""));
      const number = this.#number + 1;
      const id = randomUUID();
      const file = tryLog(this.#folder, number, logHeader(this.#log.commits, id), this.#lock);
      if (file === undefined) return;
      const base = this.#log.writeBase(id);
      this.#writeNow(this.#log.next(id));
      closeSync(this.#file);
      this.#file = file;
      this.#size = fstatSync(file).size;
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
    this.#size = fstatSync(this.#file).size;
  }
}

function tryLog(...args: Parameters<typeof createLog>): number | undefined {
  try {
    return createLog(...args);
  } catch (error) {
    console.error(error);
    return undefined;
  }
}

const CLOSED = new TwinbaseError("unavailable", "the folder of this engine was closed");

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function codeOf(fault: unknown): string {
  return String((fault as Partial<NodeJS.ErrnoException> | null)?.code ?? "unknown error");
}
