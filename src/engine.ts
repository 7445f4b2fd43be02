/// <reference lib="esnext.disposable" preserve="true" />
import { createCatalog } from "./catalog/empty.js";
import { findWorkspace } from "./catalog/find.js";
import {
  addKey,
  countSecret,
  drawSecret,
  findKeyByName,
  type KeyMetadata,
  listKeys,
  type NewKey,
  removeKey,
} from "./catalog/keys.js";
import { addMember, removeMember } from "./catalog/members.js";
import type { Role } from "./catalog/state.js";
import {
  addUser,
  changeUser,
  findUser,
  listUsers,
  removeUser,
  requireUser,
  type UserDetails,
  type UserOptions,
  type UserRecord,
} from "./catalog/users.js";
import {
  addWorkspace,
  changeWorkspace,
  listWorkspaces,
  removeWorkspace,
  type WorkspaceMetadata,
  type WorkspaceOptions,
} from "./catalog/workspaces.js";
import type { Change, Subscription } from "./engine/change.js";
import { diffStates } from "./engine/changes.js";
import type { Clock } from "./engine/clock.js";
import { EngineContext } from "./engine/context.js";
import { type EngineOptions, resolveSetup } from "./engine/options.js";
import { Snapshot } from "./engine/snapshot.js";
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
  const state = createCatalog(setup.profile.base);
  return new Engine(new EngineContext(setup, { state, nextId: 0, tablesMade: 0 }));
}

/** A database service in memory. Every call is synchronous, and throws a `TwinbaseError`. */
export class Engine<P extends ProfileShape = DocumentedProfile> implements Disposable {
  /** Names and limits of what it speaks; a copy. */
  readonly profile: Profile;
  /** What one request may hold; a copy. */
  readonly limits: Limits;
  /** The time it goes by, to be set and moved at will. A fork has a clock of its own. */
  readonly clock: Clock;
  readonly #context: EngineContext;

  constructor(context: EngineContext) {
    this.profile = context.profile;
    this.limits = context.limits;
    this.clock = context.clock;
    this.#context = context;
  }

  /** The context of an engine, for an entry that does more with it. */
  static contextOf(engine: AnyEngine): EngineContext {
    return (engine as Engine).#context; // the one class there is; the private name tells any other
  }

  /** Characters of `0-9a-z` by chance, others each time; the same in every run of a seed. */
  drawSecret(length: number): string {
    const { state, seed } = this.#context;
    this.#context.changeState(countSecret);
    return drawSecret(state, seed, length);
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
    this.#context.changeState((state) => addWorkspace(state, id, options));
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
    this.#context.changeState((state) => changeWorkspace(state, id, { name }));
  }

  /** Removes a workspace and everything in it. */
  deleteWorkspace(id: string): void {
    this.#context.changeState((state) => removeWorkspace(state, id));
  }

  /** Makes a user with its keys and memberships (rules U-1, U-2); throws `invalid_request`. */
  createUser(options: UserOptions): UserRecord {
    const context = this.#context;
    return context.write(() => {
      const { state, id } = addUser(context.state, options, context.now());
      context.setState(state);
      return findUser(state, id)!;
    });
  }

  /** Every user, the built-in one first (rule U-1). */
  users(): UserRecord[] {
    return listUsers(this.#context.state);
  }

  /** The user of that id, or null. */
  user(id: string): UserRecord | null {
    return findUser(this.#context.state, id);
  }

  /** The user that a key is of, or null (rule U-1). */
  userByKey(key: string): UserRecord | null {
    const { state } = this.#context;
    return findUser(state, state.keys.get(key)?.userId ?? "");
  }

  /** Whether any user has a key (rule U-1). */
  hasKeys(): boolean {
    return this.#context.state.keys.size > 0;
  }

  /** Changes what a user is known by; an absent image stays (rule U-2). */
  updateUser(id: string, details: UserDetails): UserRecord {
    this.#context.changeState((state) => changeUser(state, id, details));
    return findUser(this.#context.state, id)!;
  }

  /** Removes a user, its keys and memberships, or resets the built-in one; whether it was there. */
  deleteUser(id: string): boolean {
    const found = this.#context.state.users.has(id);
    this.#context.changeState((state) => removeUser(state, id));
    return found;
  }

  /** The keys of a user by their names; what they are is told only when they are made. */
  keys(userId: string): KeyMetadata[] {
    requireUser(this.#context.state, userId);
    return listKeys(this.#context.state, userId);
  }

  /** Makes a key for a user (rule A-1); throws `invalid_name`, `key_exists`. */
  createKey(userId: string, name: string): NewKey {
    const { state, seed } = this.#context;
    requireUser(state, userId);
    const now = this.#context.now();
    const key = `key_${drawSecret(state, seed, 32)}`;
    this.#context.changeState((before) => countSecret(addKey(before, userId, key, now, name)));
    return { ...this.keys(userId).at(-1)!, key };
  }

  /** Deletes a key, which is refused from then on; throws `key_not_found` (rule A-1). */
  deleteKey(userId: string, name: string): void {
    this.removeKey(findKeyByName(this.#context.state, userId, name));
  }

  /**
   * Gives a user a key of one's own (rule U-1), under the name `default`, `default-2` …; throws
   * `invalid_request` where it is taken.
   */
  addKey(userId: string, key: string): void {
    requireUser(this.#context.state, userId);
    const now = this.#context.now();
    this.#context.changeState((state) => addKey(state, userId, key, now));
  }

  /** Takes a key from its user. */
  removeKey(key: string): void {
    this.#context.changeState((state) => removeKey(state, key));
  }

  /** Whether a key was there and was deleted (rule A-1). */
  isDeletedKey(key: string): boolean {
    return this.#context.state.deletedKeys.has(key);
  }

  /** Makes a user a member of a workspace (rule U-1), by default an owner. */
  addMember(workspace: string, userId: string, role?: Role): void {
    this.#context.changeState((state) => addMember(state, workspace, userId, role));
  }

  /** Ends a membership; throws `forbidden` for the last owner (rule A-3). */
  removeMember(workspace: string, userId: string): void {
    this.#context.changeState((state) => removeMember(state, workspace, userId));
  }

  /** Whether a user is a member of a workspace (rule U-1); of an unknown one nobody is. */
  isMember(workspace: string, userId: string): boolean {
    return this.roleOf(workspace, userId) !== null;
  }

  /** What a user may do in a workspace (rule A-3); null where it is no member. */
  roleOf(workspace: string, userId: string): Role | null {
    return this.#context.state.workspaces.get(workspace)?.members.get(userId) ?? null;
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

  /**
   * Tells of what every write changes from here on, once it is done: all changes of one call
   * together. Writing takes twice as long meanwhile, and a listener cannot write to this engine.
   *
   * @example
   * const subscription = engine.subscribe((changes) => console.log(changes));
   */
  subscribe(listener: (changes: readonly Change[]) => void): Subscription {
    const unsubscribe = this.#context.feed.listen(({ records, before, after }) => {
      const changes = diffStates(before, after, this.profile).concat(records);
      if (changes.length > 0) listener(changes);
    });
    return { unsubscribe, [Symbol.dispose]: unsubscribe };
  }

  /** Lets go of everything the engine holds; what was forked from it stays. */
  [Symbol.dispose](): void {
    this.#context.dispose();
  }
}

/**
 * Runs calls of an engine that may take so many milliseconds together; 0: any time (rule L-10). What
 * is no engine of this module keeps limits of its own.
 *
 * @param isJoint whether what they write is undone where anything in `act` throws (rule L-11)
 */
export function runWithin<T>(engine: AnyEngine, ms: number, act: () => T, isJoint = false): T {
  if (!(engine instanceof Engine)) return act();
  const context = Engine.contextOf(engine);
  return context.time.run(ms, isJoint ? () => context.writeJointly(act) : act);
}

/**
 * Resolves once what an engine holds now is kept, where it is kept anywhere; undefined where nothing
 * is waited for.
 */
export function flushedOf(engine: AnyEngine): Promise<void> | undefined {
  return engine instanceof Engine ? Engine.contextOf(engine).feed.keeper?.flushed() : undefined;
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
