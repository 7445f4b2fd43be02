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
import { createEngineContents } from "./engine/setup.js";
import { Snapshot } from "./engine/snapshot.js";
import type { Streams } from "./engine/streams.js";
import { EngineUsers } from "./engine/users.js";
import { type AnyWorkspace, Workspace } from "./engine/workspace.js";
import type { Limits, Profile, ProfileOption } from "./profile.js";
import type { DocumentedProfile, ProfileShape, ProfileShapeOf } from "./typed/shape.js";

/**
 * Creates an engine without workspaces. A profile given as a literal or `as const` determines the
 * types of records. Throws `invalid_request` for an unknown or invalid option.
 *
 * @example
 * const engine = createEngine({ profile: "xata", now: 0, seed: 1 });
 */
export function createEngine<const O extends ProfileOption | undefined = undefined>(
  options?: EngineOptions & { readonly profile?: O },
): Engine<ProfileShapeOf<O>> {
  const setup = resolveSetup(options);
  return new Engine(new EngineContext(setup, createEngineContents(setup)));
}

/** An in-memory database service. All calls are synchronous and throw `TwinbaseError`. */
export class Engine<P extends ProfileShape = DocumentedProfile>
  extends EngineUsers
  implements Disposable
{
  /** The engine's names and limits; a copy. */
  readonly profile: Profile;
  /** The limits of one request; a copy. */
  readonly limits: Limits;
  /** The engine's clock, which can be set and advanced. A fork has its own. */
  readonly clock: Clock;
  readonly #context: EngineContext;

  constructor(context: EngineContext) {
    super(context);
    this.profile = context.profile;
    this.limits = context.limits;
    this.clock = context.clock;
    this.#context = context;
  }

  /** Internal: the context of an engine, for the package's other entries. */
  static contextOf(engine: AnyEngine): EngineContext {
    return (engine as Engine).#context; // only `Engine` has this private name
  }

  /** The seed of ids and random values. */
  get seed(): number {
    return this.#context.seed;
  }

  /**
   * Creates an empty workspace; its id is 1–255 characters of `A-Z a-z 0-9 _ - ~`. Throws
   * `invalid_name`, `invalid_request` if the id is taken.
   *
   * @example
   * const main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
   */
  createWorkspace(id: string, options?: WorkspaceOptions): Workspace<P> {
    this.#context.change((state) => addWorkspace(state, id, options));
    return new Workspace(this.#context, id);
  }

  /** Returns a workspace; throws `workspace_not_found` (D-5). */
  workspace(id: string): Workspace<P> {
    findWorkspace(this.#context.state, id);
    return new Workspace(this.#context, id);
  }

  /** Returns all workspaces, in the order of creation. */
  workspaces(): WorkspaceMetadata[] {
    return listWorkspaces(this.#context.state);
  }

  /** Renames a workspace; its id and slug don't change. */
  renameWorkspace(id: string, name: string): void {
    this.#context.change((state) => changeWorkspace(state, id, { name }));
  }

  /** Deletes a workspace and everything in it. */
  deleteWorkspace(id: string): void {
    this.#context.change((state) => removeWorkspace(state, id));
  }

  /** Whether a workspace has a database of that name; false for an unknown workspace. */
  hasDatabase(workspace: string, name: string): boolean {
    return this.#context.state.workspaces.get(workspace)?.databases.has(name) ?? false;
  }

  /**
   * Returns the engine's state as an immutable value, in O(1).
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
   * Restores a snapshot of any engine, in O(1). Handles then refer to the restored objects with
   * the same names. Throws `invalid_request` for a snapshot of another base profile.
   */
  restore(snapshot: Snapshot): void {
    const contents = Snapshot.open(snapshot, this.profile);
    this.#context.write(() => this.#context.restore(contents));
  }

  /**
   * Returns an independent copy with the same sequence of ids and times, in O(1).
   *
   * @example
   * const own = seeded.fork(); // for one test
   */
  fork(): Engine<P> {
    return new Engine(this.#context.fork());
  }

  /** Makes the current state the baseline of {@link reset}, in O(1). */
  setBaseline(): void {
    this.#context.setBaseline();
  }

  /**
   * Restores the baseline, with the clock and the sequence of ids, in O(1). The default
   * baseline is the initial state; for a fork, its state when forked.
   */
  reset(): void {
    this.#context.reset();
  }

  /** Deletes all contents of the engine. Its forks are unaffected. */
  [Symbol.dispose](): void {
    this.#context.dispose();
  }
}

export interface RequestBounds {
  /** Timeout of all calls together, in milliseconds; 0 for none (L-10). */
  readonly ms: number;
  /** The part of it that reading the body has used. */
  readonly spentMs: number;
  /** Base URL of file addresses (H-4). */
  readonly publicUrl: string;
}

/** Runs the calls of one request. */
export function runWithin<T>(
  engine: AnyEngine,
  { ms, spentMs, publicUrl }: RequestBounds,
  act: () => T,
): T {
  const context = Engine.contextOf(engine);
  const before = context.publicUrl;
  context.publicUrl = publicUrl;
  try {
    return context.time.run(ms, act, spentMs);
  } finally {
    context.publicUrl = before;
  }
}

/** Returns the catalog, a new object after every change except to records. */
export function catalogOf(engine: AnyEngine): CatalogState {
  return Engine.contextOf(engine).state;
}

export function streamsOf(engine: AnyEngine): Streams {
  return Engine.contextOf(engine).streams;
}

/** Whether closed mode rejects a key because a caller of open mode created it. */
export function isOpenOnlyKey(engine: AnyEngine, key: string): boolean {
  return catalogOf(engine).keys.get(key)?.openOnly === true;
}

/** Resolves when all current state is persisted; undefined if nothing is pending. */
export function flushedOf(engine: AnyEngine): Promise<void> | undefined {
  return Engine.contextOf(engine).feed.sink?.flushed();
}

/** An engine of any profile: the parameter type of functions that accept every engine. */
export interface AnyEngine extends Omit<Engine, "createWorkspace" | "workspace" | "fork"> {
  createWorkspace(id: string, options?: WorkspaceOptions): AnyWorkspace;
  workspace(id: string): AnyWorkspace;
  fork(): AnyEngine;
}
