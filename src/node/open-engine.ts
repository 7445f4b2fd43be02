import { resolve } from "node:path";
import type { EngineContext } from "../engine/context.js";
import { type EngineOptions, resolveSetup } from "../engine/options.js";
import type { EngineSetup } from "../engine/setup.js";
import { requireAlike } from "../engine/snapshot.js";
import { type AnyEngine, createEngine, Engine } from "../engine.js";
import { openFolder } from "../persist/folder/open.js";
import type { Profile, ProfileOption } from "../profile.js";
import { partAt, readFields, refuseValue } from "../shape/fields.js";
import type { ProfileShape, ProfileShapeOf } from "../typed/shape.js";

/** Options of {@link openEngine}. */
export interface OpenOptions extends EngineOptions {
  /** The folder of the data, created if missing. It must contain nothing else. */
  readonly folder: string;
  /** Creates the initial contents of a new folder; default an empty engine. */
  readonly initial?: (() => AnyEngine | Promise<AnyEngine>) | undefined;
  /** Bytes of changes that trigger compaction, if they exceed twice the base; default 64 MiB. */
  readonly compactAfter?: number | undefined;
}

const DEFAULT_COMPACT_AFTER = 64 * 1024 * 1024;

/** An engine that persists every write to its folder. */
export class FolderEngine<P extends ProfileShape = ProfileShape>
  extends Engine<P>
  implements AsyncDisposable
{
  readonly #context: EngineContext;
  readonly #close: () => Promise<void>;
  #closed: Promise<void> | undefined;

  /** @internal Created by {@link openEngine}. */
  constructor(context: EngineContext, close: () => Promise<void>) {
    super(context);
    this.#context = context;
    this.#close = close;
  }

  /**
   * Resolves when all writes so far are on disk. They are persisted soon in any case. Throws
   * `unavailable` if that fails; the engine then rejects all writes.
   */
  async flushed(): Promise<void> {
    await this.#context.feed.sink?.flushed();
  }

  /** Persists all writes and unlocks the folder; the engine then rejects writes. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  /** Closes the engine; its writes reach the disk a little later. */
  override [Symbol.dispose](): void {
    this.close().catch((error) => console.error(error));
  }

  /** Same as {@link close}, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/**
 * Opens an engine whose data persist in a folder, with the clock and the sequence of ids. Throws
 * `unavailable` if another process has it open or the disk fails; `invalid_request` for a damaged
 * file, with its line, and for options that contradict the data.
 */
export async function openEngine<const O extends ProfileOption | undefined = undefined>(
  options: OpenOptions & { readonly profile?: O },
): Promise<FolderEngine<ProfileShapeOf<O>>> {
  const { folder, initial, compactAfter, ...own } = readOptions(options);
  const begin = async (): Promise<EngineContext> =>
    Engine.contextOf(initial === undefined ? createEngine(own) : await initial());
  const complete = (setup: EngineSetup): EngineSetup => completeSetup(folder, own, setup);
  const { now } = own;
  const { context, close } = await openFolder(folder, { now, compactAfter, begin, complete });
  return new FolderEngine(context, close);
}

/** Merges the options into the stored setup; rejects those that cannot change. */
function completeSetup(folder: string, options: EngineOptions, own: EngineSetup): EngineSetup {
  const { profile, seed, indexes = own.indexes } = options;
  if (seed !== undefined && seed !== own.streams.seed) {
    refuseValue(seed, `${own.streams.seed}, which the data in ${folder} have`, partAt("seed"));
  }
  if (profile !== undefined) {
    const resolved = resolveSetup({ profile }).profile;
    const call = `openEngine: ${folder}`;
    requireAlike(call, resolved, own.profile);
    const names = Object.keys(resolved) as (keyof Profile)[]; // a profile has no other keys
    const others = names.filter((name) => resolved[name] !== own.profile[name]);
    requireAlike(call, resolved, own.profile, others);
  }
  const { limits } = resolveSetup({ limits: { ...own.limits, ...options.limits } });
  return { ...own, limits, indexes };
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
    refuseValue(folder, "the path of a folder", partAt("folder"));
  }
  if (initial !== undefined && typeof initial !== "function") {
    refuseValue(initial, "a function that gives an engine", partAt("initial"));
  }
  if (!(typeof compactAfter === "number" && compactAfter >= 0)) {
    refuseValue(compactAfter, "a number of bytes", partAt("compactAfter"));
  }
  resolveSetup(rest);
  return {
    folder: resolve(folder), // the working directory may change later
    initial: initial as OpenOptions["initial"], // its result is validated
    compactAfter,
    ...(rest as EngineOptions), // just checked
  };
}
