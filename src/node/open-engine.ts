import { resolve } from "node:path";
import type { EngineContext } from "../engine/context.js";
import { type EngineOptions, resolveSetup } from "../engine/options.js";
import type { EngineSetup } from "../engine/setup.js";
import { requireAlike } from "../engine/snapshot.js";
import { type AnyEngine, createEngine, Engine } from "../engine.js";
import { openFolder } from "../persist/folder/open.js";
import type { ProfileOption } from "../profile.js";
import type { ProfileShape, ProfileShapeOf } from "../typed/shape.js";
import { readFields, refuseValue } from "../value/fields.js";

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
    await this.#context.feed.sink?.flushed();
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
  const { folder, initial, compactAfter, ...own } = readOptions(options);
  const begin = async (): Promise<EngineContext> =>
    Engine.contextOf(initial === undefined ? createEngine(own) : await initial());
  const complete = (setup: EngineSetup): EngineSetup => completeSetup(folder, own, setup);
  const { now } = own;
  const { context, close } = await openFolder(folder, { now, compactAfter, begin, complete });
  return new FolderEngine(context, close);
}

/** The setup of the data, with the options that may be others; refuses those that may not. */
function completeSetup(folder: string, options: EngineOptions, own: EngineSetup): EngineSetup {
  const { profile, seed, indexes = own.indexes } = options;
  if (seed !== undefined && seed !== own.seed) {
    refuseValue(seed, `${own.seed}, which the data in ${folder} have`, option("seed"));
  }
  if (profile !== undefined) {
    requireAlike("openEngine", own.profile, resolveSetup({ profile }).profile);
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
