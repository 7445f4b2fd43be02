import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import type { EngineContext } from "../../engine/context.js";
import { type EngineOptions, resolveSetup } from "../../engine/options.js";
import type { EngineSetup } from "../../engine/setup.js";
import { requireAlike } from "../../engine/snapshot.js";
import { type AnyEngine, createEngine, Engine } from "../../engine.js";
import { refuse, TwinbaseError } from "../../errors.js";
import type { ProfileOption } from "../../profile.js";
import type { ProfileShape, ProfileShapeOf } from "../../typed/shape.js";
import { readFields, refuseValue } from "../../value/fields.js";
import { MigrationNumbers } from "../catalog-lines.js";
import { exportContext, openReplayed } from "../contexts.js";
import { LineReader, LineWriter } from "../lines.js";
import { Replay } from "../replay.js";
import { logLine } from "../write.js";
import { type Lock, lockFolder } from "./lock.js";
import {
  baseName,
  isBare,
  logName,
  numbersOf,
  readChunks,
  readLog,
  removeBefore,
  removeUnfinished,
  syncFolder,
} from "./segments.js";
import { createLog, Store } from "./store.js";

/** How an engine is opened whose data stay. */
export interface OpenOptions extends EngineOptions {
  /** Where its data are; made where it is missing. Nothing else is to be in it. */
  readonly folder: string;
  /** Makes what a new folder begins with; default an empty engine. */
  readonly initial?: (() => AnyEngine | Promise<AnyEngine>) | undefined;
  /** Bytes of changes after which the whole is written anew; default 64 MiB, and twice as many as the whole. */
  readonly compactAfter?: number | undefined;
}

const DEFAULT_COMPACT_AFTER = 64 * 1024 * 1024;

/** An engine whose data stay: every write is in its folder as well. */
export class FolderEngine<P extends ProfileShape = ProfileShape>
  extends Engine<P>
  implements AsyncDisposable
{
  readonly #context: EngineContext;
  readonly #close: () => Promise<void>;
  #closed: Promise<void> | undefined;

  /** @internal Made by {@link openEngine}. */
  constructor(context: EngineContext, close: () => Promise<void>) {
    super(context);
    this.#context = context;
    this.#close = close;
  }

  /**
   * Resolves once all that has been written so far is on the disk. What is written and never waited
   * for gets there soon all the same.
   *
   * @throws TwinbaseError `unavailable` where it could not be persisted; from then on no write is taken
   */
  async flushed(): Promise<void> {
    await this.#context.feed.keeper?.flushed();
  }

  /** Persists all that has been written and gives the folder back; from then on no write is taken. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  /** Closes it; what was written is on the disk a little later. */
  override [Symbol.dispose](): void {
    this.close().catch((error) => console.error(error));
  }

  /** As {@link close}, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/**
 * Opens an engine whose data stay in a folder, with all that was written to it before, the clock and
 * the course of ids among it.
 *
 * @throws TwinbaseError `unavailable` where another process has it open, or the disk fails;
 * `invalid_request` for a file that is damaged, with its line, and for options that are not those of
 * the data
 */
export async function openEngine<const O extends ProfileOption | undefined = undefined>(
  options: OpenOptions & { readonly profile?: O },
): Promise<FolderEngine<ProfileShapeOf<O>>> {
  const given = readOptions(options);
  const { folder, initial, compactAfter: _, ...own } = given;
  let lock: Lock | undefined;
  try {
    mkdirSync(folder, { recursive: true });
    lock = lockFolder(folder);
    removeUnfinished(folder);
    if (numbersOf(folder, "base").length === 0) {
      requireNew(folder);
      const engine = initial === undefined ? createEngine(own) : await initial();
      begin(folder, exportContext(Engine.contextOf(engine)));
    }
    return open(given, lock);
  } catch (error) {
    lock?.release();
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof TwinbaseError || code === undefined) throw error;
    return refuse("unavailable", `${folder}: ${message}`);
  }
}

function requireNew(folder: string): void {
  // The first log is made before the first base.
  const logs = numbersOf(folder, "log");
  if (logs.every((number) => number === 1 && isBare(join(folder, logName(number))))) return;
  refuse("invalid_request", `${folder}: there are logs, but no ${baseName(1)}`);
}

/** Makes the first base, and the log that goes on from it before. */
function begin(folder: string, text: Iterable<string>): void {
  const writer = new LineWriter();
  writer.add(logLine(1));
  closeSync(createLog(folder, 1, writer.take()));
  const beside = join(folder, `${baseName(1)}.new`);
  try {
    const file = openSync(beside, "w");
    try {
      for (const chunk of text) writeFileSync(file, chunk);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(beside, join(folder, baseName(1)));
    syncFolder(folder);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

function open<P extends ProfileShape>(
  { folder, compactAfter, initial: _, ...options }: ReturnType<typeof readOptions>,
  lock: Lock,
): FolderEngine<P> {
  const base = numbersOf(folder, "base").at(-1) ?? 1;
  const path = join(folder, baseName(base));
  requireLog(folder, base); // it was made before
  const replay = new Replay({ now: options.now });
  const baseBytes = readBase(replay, path);
  let log = base;
  let last = readLog(replay, requireLog(folder, log));
  let logBytes = last.size;
  while (last.hasNext) {
    last = readLog(replay, requireLog(folder, ++log));
    logBytes += last.size;
  }
  // A log is made before the one before it says so; nothing is written to it until then.
  for (const number of numbersOf(folder, "log")) {
    if (number <= log) continue;
    const stray = join(folder, logName(number));
    if (number !== log + 1 || !isBare(stray)) {
      refuse("invalid_request", `${folder}: ${logName(log)} ends before ${logName(number)} begins`);
    }
    rmSync(stray);
  }
  const replayed = replay.end();
  requireSame(folder, options, replayed.setup);
  const { indexes = replayed.setup.indexes } = options;
  const limits = { ...replayed.setup.limits, ...options.limits };
  const resolved = resolveSetup({ limits, indexes });
  const setup = { ...replayed.setup, limits: resolved.limits, indexes: resolved.indexes };
  const context = openReplayed({ ...replayed, setup });
  context.setBaseline();
  const numbers = new MigrationNumbers();
  for (const [number, migration] of replay.migrations) numbers.set(migration, number);
  const { commits } = replay;
  const position = { commits, numbers, checksum: last.checksum };
  const sizes = { base, baseBytes, log, logBytes, compactAfter };
  const store = new Store(context, { ...position, ...sizes, folder, lock });
  removeBefore(folder, base); // not before all that follows was found whole
  context.feed.keepBy(store);
  return new FolderEngine<P>(context, async () => {
    try {
      await store.close();
    } finally {
      lock.release();
    }
  });
}

function readBase(replay: Replay, path: string): number {
  const file = openSync(path, "r");
  try {
    const reader = new LineReader(replay.take, path);
    for (const chunk of readChunks(file)) reader.write(chunk);
    reader.end(() => replay.end());
    return statSync(path).size;
  } finally {
    closeSync(file);
  }
}

function requireLog(folder: string, number: number): string {
  const path = join(folder, logName(number));
  if (existsSync(path)) return path;
  return refuse("invalid_request", `${folder}: ${logName(number)} is missing`);
}

/** Refuses options that would make another engine of the same data. */
function requireSame(folder: string, { profile, seed }: EngineOptions, own: EngineSetup): void {
  if (seed !== undefined && seed !== own.seed) {
    refuseValue(seed, `${own.seed}, which the data in ${folder} have`, option("seed"));
  }
  if (profile !== undefined) {
    requireAlike("openEngine", own.profile, resolveSetup({ profile }).profile);
  }
}

function readOptions(options: unknown) {
  const {
    folder,
    initial,
    compactAfter = DEFAULT_COMPACT_AFTER,
    ...rest
  } = readFields(
    options,
    ["folder", "initial", "compactAfter", "profile", "now", "seed", "limits", "indexes"],
    { what: "openEngine", rule: "E-3" },
  );
  if (typeof folder !== "string" || folder === "") {
    refuseValue(folder, "the path of a folder", option("folder"));
  }
  if (initial !== undefined && typeof initial !== "function") {
    refuseValue(initial, "a function that gives an engine", option("initial"));
  }
  if (!(typeof compactAfter === "number" && compactAfter >= 0)) {
    refuseValue(compactAfter, "a number of bytes", option("compactAfter"));
  }
  resolveSetup(rest);
  return {
    folder: resolve(folder), // the working folder may be another later
    initial: initial as OpenOptions["initial"], // what it gives is checked when it does
    compactAfter,
    ...(rest as EngineOptions), // just checked
  };
}

function option(name: string) {
  return { what: name, path: `/${name}`, rule: "E-3" };
}
