import {
  addKey,
  countSecret,
  findKeyByName,
  type KeyMetadata,
  listKeys,
  type NewKey,
  removeKey,
  restrictKey,
} from "../catalog/keys.js";
import { addMember, removeMember } from "../catalog/members.js";
import type { Role } from "../catalog/state.js";
import {
  addUser,
  changeUser,
  findUser,
  hasGivenKeys,
  listUsers,
  removeUser,
  requireUser,
  type UserDetails,
  type UserOptions,
  type UserRecord,
} from "../catalog/users.js";
import type { EngineContext } from "./context.js";

/** The users of an engine, with their keys and what they are members of. */
export abstract class EngineUsers {
  readonly #context: EngineContext;

  constructor(context: EngineContext) {
    this.#context = context;
  }

  /** Draws characters of `0-9a-z` by chance, others each time; the same in every run of a seed. */
  drawSecret(length: number): string {
    const { streams } = this.#context;
    const number = this.#context.changeCatalog(countSecret);
    return streams.drawSecret("name", number, length);
  }

  /** Makes a user with its keys and memberships (rules U-1, U-2); throws `invalid_request`. */
  createUser(options: UserOptions): UserRecord {
    const context = this.#context;
    const id = context.changeCatalog((draft) => addUser(draft, options, context.now()));
    return findUser(context.state, id)!;
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

  /**
   * Whether anybody was given a key (rule U-1). Those that the built-in user made for itself do not
   * count: in open mode anybody can make one, and any other key stays as good.
   */
  hasKeys(): boolean {
    return hasGivenKeys(this.#context.state);
  }

  /** Changes what a user is known by; an absent image stays (rule U-2). */
  updateUser(id: string, details: UserDetails): UserRecord {
    this.#context.changeCatalog((draft) => changeUser(draft, id, details));
    return findUser(this.#context.state, id)!;
  }

  /** Removes a user, its keys and memberships, or resets the built-in one; whether it was there. */
  deleteUser(id: string): boolean {
    const found = this.#context.state.users.has(id);
    this.#context.changeCatalog((draft) => removeUser(draft, id));
    return found;
  }

  /** The keys of a user by their names; what they are is told only when they are made. */
  keys(userId: string): KeyMetadata[] {
    requireUser(this.#context.state, userId);
    return listKeys(this.#context.state, userId);
  }

  /**
   * Makes a key for a user (rule A-1); throws `invalid_name`, `key_exists`.
   *
   * @param openOnly whether closed mode refuses it; default false
   */
  createKey(userId: string, name: string, openOnly = false): NewKey {
    const context = this.#context;
    const key = context.changeCatalog((draft) => {
      requireUser(draft, userId);
      const secret = `key_${context.streams.drawSecret("key", countSecret(draft), 32)}`;
      addKey(draft, userId, secret, context.now(), name);
      if (openOnly) restrictKey(draft, secret);
      return secret;
    });
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
    const context = this.#context;
    context.changeCatalog((draft) => {
      requireUser(draft, userId);
      addKey(draft, userId, key, context.now()); // asked for here: it cannot take the user away
    });
  }

  /** Takes a key from its user. */
  removeKey(key: string): void {
    this.#context.changeCatalog((draft) => removeKey(draft, key));
  }

  /** Whether a key was there and was deleted (rule A-1). */
  isDeletedKey(key: string): boolean {
    return this.#context.state.deletedKeys.has(key);
  }

  /** Makes a user a member of a workspace (rule U-1), by default an owner. */
  addMember(workspace: string, userId: string, role?: Role): void {
    this.#context.changeCatalog((draft) => addMember(draft, workspace, userId, role));
  }

  /** Ends a membership; throws `forbidden` for the last owner (rule A-3). */
  removeMember(workspace: string, userId: string): void {
    this.#context.changeCatalog((draft) => removeMember(draft, workspace, userId));
  }

  /** Whether a user is a member of a workspace (rule U-1); of an unknown one nobody is. */
  isMember(workspace: string, userId: string): boolean {
    return this.roleOf(workspace, userId) !== null;
  }

  /** What a user may do in a workspace (rule A-3); null where it is no member. */
  roleOf(workspace: string, userId: string): Role | null {
    return this.#context.state.workspaces.get(workspace)?.members.get(userId) ?? null;
  }
}
