/// <reference lib="esnext.disposable" preserve="true" />
import { findWorkspace } from "./catalog/find.js";
import type { CatalogState } from "./catalog/state.js";
import {
  addWorkspace,
  changeWorkspace,
  listWorkspaces,
  removeWorkspace,
  type WorkspaceMetadata,
  type WorkspaceOptions,
} from "./catalog/workspaces.js";
import type { Clock } from "./engine/clock.js";
import { EngineContext } from "./engine/context.js";
import { type EngineOptions, resolveSetup } from "./engine/options.js";
import { createContents } from "./engine/setup.js";
import { Snapshot } from "./engine/snapshot.js";
import { Streams } from "./engine/streams.js";
import { EngineUsers } from "./engine/users.js";
import { type AnyWorkspace, Workspace } from "./engine/workspace.js";
import type { Limits, Profile, ProfileOption } from "./profile.js";
import type { DocumentedProfile, ProfileShape, ProfileShapeOf } from "./typed/shape.js";

/**
 * Makes an engine without workspaces. Engines know nothing of each other. A profile that is written
 * out in the call, or `as const`, is known to the types of records too.
 *
 * @throws TwinbaseError `invalid_request` for an unknown or unfit option.
 *
 * @example
 * const engine = createEngine({ profile: "xata", now: 0, seed: 1 });
 */
export function createEngine<const O extends ProfileOption | undefined = undefined>(
  options?: EngineOptions & { readonly profile?: O },
): Engine<ProfileShapeOf<O>> {
  const setup = resolveSetup(options);
  return new Engine(new EngineContext(setup, createContents(setup)));
}

/** A database service in memory. Every call is synchronous, and throws a `TwinbaseError`. */
export class Engine<P extends ProfileShape = DocumentedProfile>
  extends EngineUsers
  implements Disposable
{
  /** Names and limits of what it speaks; a copy. */
  readonly profile: Profile;
  /** What one request may hold; a copy. */
  readonly limits: Limits;
  /** The time it goes by, to be set and moved at will. A fork has a clock of its own. */
  readonly clock: Clock;
  readonly #context: EngineContext;

  constructor(context: EngineContext) {
    super(context);
    this.profile = context.profile;
    this.limits = context.limits;
    this.clock = context.clock;
    this.#context = context;
  }

  /** The context of an engine, for an entry that does more with it. */
  static contextOf(engine: AnyEngine): EngineContext {
    return (engine as Engine).#context; // the one class there is; the private name tells any other
  }

  /** What ids and chance come from. */
  get seed(): number {
    return this.#context.seed;
  }

  /**
   * Makes an empty workspace; its id is 1–255 characters of `A-Z a-z 0-9 _ - ~`.
   *
   * @throws TwinbaseError `invalid_name`, `invalid_request` also where the id is taken.
   *
   * @example
   * const main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
   */
  createWorkspace(id: string, options?: WorkspaceOptions): Workspace<P> {
    this.#context.changeCatalog((draft) => addWorkspace(draft, id, options));
    return new Workspace(this.#context, id);
  }

  /** The workspace of that id; throws `workspace_not_found` (rule D-5). */
  workspace(id: string): Workspace<P> {
    findWorkspace(this.#context.state, id);
    return new Workspace(this.#context, id);
  }

  /** Every workspace, in the order they were made. */
  workspaces(): WorkspaceMetadata[] {
    return listWorkspaces(this.#context.state);
  }

  /** Gives a workspace another name; its id and its slug stay. */
  renameWorkspace(id: string, name: string): void {
    this.#context.changeCatalog((draft) => changeWorkspace(draft, id, { name }));
  }

  /** Removes a workspace and everything in it. */
  deleteWorkspace(id: string): void {
    this.#context.changeCatalog((draft) => removeWorkspace(draft, id, this.#context));
  }

  /** Whether a workspace has a database of that name; of an unknown one none is. */
  hasDatabase(workspace: string, name: string): boolean {
    return this.#context.state.workspaces.get(workspace)?.databases.has(name) ?? false;
  }

  /**
   * Everything the engine holds now, as a value; O(1).
   *
   * @example
   * const saved = engine.snapshot();
   * users.delete("ada");
   * engine.restore(saved);
   */
  snapshot(): Snapshot {
    return new Snapshot(this.#context.share(), this.profile);
  }

  /**
   * Goes back to what a snapshot holds, taken of this engine or another; O(1). Handles find what
   * has their names then.
   *
   * @throws TwinbaseError `invalid_request` for a snapshot of another kind of profile.
   */
  restore(snapshot: Snapshot): void {
    const contents = Snapshot.open(snapshot, this.profile);
    this.#context.write(() => this.#context.restore(contents));
  }

  /**
   * Another engine with the same contents, options and course of ids and times; O(1).
   *
   * @example
   * const own = seeded.fork(); // for one test
   */
  fork(): Engine<P> {
    return new Engine(this.#context.fork());
  }

  /** From here on {@link reset} comes back to what the engine holds now; O(1). */
  setBaseline(): void {
    this.#context.setBaseline();
  }

  /**
   * Goes back to the baseline, with the clock and the course of ids and chance; O(1). The baseline
   * is what the engine began with, for a fork what it was forked with, until one is set.
   */
  reset(): void {
    this.#context.reset();
  }

  /** Drops everything the engine holds; what was forked from it stays. */
  [Symbol.dispose](): void {
    this.#context.dispose();
  }
}

/** What holds for the calls of one request. */
export interface RequestBounds {
  /** Milliseconds they may take together; 0: any time (rule L-10). */
  readonly ms: number;
  /** What addresses of files begin with (rule H-4). */
  readonly publicUrl: string;
  /** Whether what they write is undone where anything in them throws (rule L-11). */
  readonly isAtomic: boolean;
}

/**
 * Runs the calls of an engine for one request. What is no engine of this module keeps limits of its
 * own.
 */
export function runWithin<T>(
  engine: AnyEngine,
  { ms, publicUrl, isAtomic }: RequestBounds,
  act: () => T,
): T {
  if (!(engine instanceof Engine)) return act();
  const context = Engine.contextOf(engine);
  const before = context.publicUrl;
  context.publicUrl = publicUrl;
  try {
    return context.time.run(ms, isAtomic ? () => context.atomic(act) : act);
  } finally {
    context.publicUrl = before;
  }
}

/**
 * The catalog of an engine as it is now: another object once anything in it has changed, but for the
 * records of its tables. Undefined of what is no engine of this module.
 */
export function catalogOf(engine: AnyEngine): CatalogState | undefined {
  return engine instanceof Engine ? Engine.contextOf(engine).state : undefined;
}

/** What an engine draws by chance; of what is no engine of this module, by its seed. */
export function streamsOf(engine: AnyEngine): Streams {
  if (!(engine instanceof Engine)) return new Streams(engine.seed, undefined);
  return Engine.contextOf(engine).streams;
}

/** Whether closed mode refuses a key because a caller of open mode made it. */
export function isOpenOnlyKey(engine: AnyEngine, key: string): boolean {
  return catalogOf(engine)?.keys.get(key)?.openOnly === true;
}

/**
 * Resolves once what an engine holds now is kept, where it is kept anywhere; undefined where nothing
 * is waited for.
 */
export function flushedOf(engine: AnyEngine): Promise<void> | undefined {
  return engine instanceof Engine ? Engine.contextOf(engine).feed.sink?.flushed() : undefined;
}

/** An engine of whatever profile: what takes an engine and does not care takes this. */
export interface AnyEngine extends Omit<Engine, "createWorkspace" | "workspace" | "fork"> {
  /** Makes a workspace. */
  createWorkspace(id: string, options?: WorkspaceOptions): AnyWorkspace;
  /** The handle of a workspace. */
  workspace(id: string): AnyWorkspace;
  /** An engine of its own that holds the same. */
  fork(): AnyEngine;
}
