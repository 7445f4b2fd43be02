import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { EngineContext } from "../../engine/context.js";
import { ExportReader } from "../../engine/export/read.js";
import { exportContext } from "../../engine/export.js";
import { createFileKeeping } from "../../engine/files.js";
import { Replay } from "../../engine/log/replay.js";
import { type EngineOptions, resolveSetup } from "../../engine/options.js";
import type { EngineSetup } from "../../engine/setup.js";
import { requireAlike } from "../../engine/snapshot.js";
import { type AnyEngine, createEngine, Engine } from "../../engine.js";
import { refuse } from "../../errors.js";
import type { ProfileOption } from "../../profile.js";
import type { ProfileShape, ProfileShapeOf } from "../../typed/shape.js";
import { readFields, refuseValue } from "../../value/fields.js";
import { type Lock, lockFolder } from "./lock.js";
import {
  baseName,
  listSegments,
  logName,
  openLog,
  readFile,
  removeBefore,
  syncFolder,
} from "./segments.js";
import { Store } from "./store.js";

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
   * @throws TwinbaseError `unavailable` where it could not be kept; from then on no write is taken
   */
  async flushed(): Promise<void> {
    await this.#context.feed.keeper?.flushed();
  }

  /** Keeps all that has been written and gives the folder back; from then on no write is taken. */
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
 * @throws TwinbaseError `unavailable` where another process has it open; `invalid_request` for a
 * file that is damaged, with its line, and for options that are not those of the data
 */
export async function openEngine<const O extends ProfileOption | undefined = undefined>(
  options: OpenOptions & { readonly profile?: O },
): Promise<FolderEngine<ProfileShapeOf<O>>> {
  const given = readOptions(options);
  const { folder, initial, compactAfter: _, ...own } = given;
  mkdirSync(folder, { recursive: true });
  const lock = lockFolder(folder);
  try {
    const isNew = listSegments(folder).base === undefined;
    if (isNew) writeBase(folder, await openInitial(initial, own));
    return open(given, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

function open<P extends ProfileShape>(
  { folder, compactAfter, ...options }: ReturnType<typeof readOptions>,
  lock: Lock,
): FolderEngine<P> {
  const { base = 1, logs } = listSegments(folder);
  const path = join(folder, baseName(base));
  const { setup, clock, contents } = readBase(path, options.now);
  const files = setup.files ?? createFileKeeping();
  const replay = new Replay(
    setup.profile,
    { contents, seed: setup.seed, secret: setup.secret, clock },
    files,
  );
  const sizes = logs.map((number, place) =>
    readLog(replay, join(folder, logName(number)), place === logs.length - 1),
  );
  const end = replay.end();
  requireSame(folder, options, { ...setup, seed: end.seed });
  const { indexes = setup.indexes } = options;
  const limits = { ...setup.limits, ...options.limits };
  const own = resolveSetup({ profile: setup.profile, limits, indexes, seed: end.seed });
  const { secret } = end;
  const context = new EngineContext({ ...own, secret, clock: setup.clock, files }, end.contents);
  if (options.now === undefined && end.clock !== undefined) context.clock.turnTo(end.clock);
  context.setBaseline();
  const last = logs.at(-1) ?? base;
  const store = new Store(context, {
    folder,
    base,
    baseBytes: statSync(path).size,
    log: sizes.at(-1) === 0 ? last : last + 1,
    logBytes: sizes.reduce((sum, size) => sum + size, 0),
    commits: replay.commits,
    compactAfter,
  });
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

/** Reads one log; gives the bytes of it that were committed. */
function readLog(replay: Replay, path: string, isLast: boolean): number {
  const log = openLog(path);
  try {
    if (!isLast && log.end < log.size)
      refuse("invalid_request", `${path}: it is cut off at its end`);
    replay.read(path, log.committed, log.rest);
    log.cut();
  } finally {
    log.close();
  }
  return log.end;
}

function readBase(path: string, now: EngineOptions["now"]) {
  const reader = new ExportReader(now, path);
  for (const chunk of readFile(path)) reader.write(chunk);
  return reader.end();
}

/** What a new folder begins with; the log of the same number is there before. */
function writeBase(folder: string, text: Iterable<string>): void {
  closeSync(openSync(join(folder, logName(1)), "w"));
  const beside = join(folder, `${baseName(1)}.new`);
  const file = openSync(beside, "w");
  try {
    for (const chunk of text) writeFileSync(file, chunk);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(beside, join(folder, baseName(1)));
  syncFolder(folder);
}

async function openInitial(
  initial: OpenOptions["initial"],
  options: EngineOptions,
): Promise<Iterable<string>> {
  const engine = initial === undefined ? createEngine(options) : await initial();
  return exportContext(Engine.contextOf(engine));
}

/** Refuses options that would make another engine of the same data. */
function requireSame(folder: string, { profile, seed }: EngineOptions, own: EngineSetup): void {
  if (seed !== undefined && seed !== own.seed) {
    refuseValue(seed, `${own.seed}, which the data in ${folder} have`, option("seed"));
  }
  if (profile === undefined) return;
  const given = resolveSetup({ profile }).profile;
  requireAlike("openEngine", own.profile, given);
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
    folder,
    initial: initial as OpenOptions["initial"], // what it gives is checked when it does
    compactAfter,
    ...(rest as EngineOptions), // just checked
  };
}

function option(name: string) {
  return { what: name, path: `/${name}`, rule: "E-3" };
}
