import {
  addKey,
  COUNT_SECRET,
  findKeyByName,
  type KeyMetadata,
  listKeys,
  type NewKey,
  removeKeys,
} from "../catalog/keys.js";
import { addMember, removeMember } from "../catalog/members.js";
import type { Role } from "../catalog/state.js";
import {
  addUser,
  changeUser,
  findUser,
  hasGivenKeys,
  listUsers,
  nextUserId,
  removeUser,
  requireUser,
  type UserDetails,
  type UserOptions,
  type UserRecord,
} from "../catalog/users.js";
import { refuseValue } from "../shape/fields.js";
import type { EngineContext } from "./context.js";

const MAX_SECRET_LENGTH = 1024;

/** Users with their keys and memberships. */
export abstract class EngineUsers {
  readonly #context: EngineContext;

  constructor(context: EngineContext) {
    this.#context = context;
  }

  /** Draws random characters of `0-9a-z`, repeatable with a seed. */
  drawSecret(length: number): string {
    if (!(Number.isInteger(length) && length >= 0 && length <= MAX_SECRET_LENGTH)) {
      refuseValue(length, `a whole number from 0 to ${MAX_SECRET_LENGTH}`, { rule: "E-3" });
    }
    const { streams } = this.#context;
    const { secretsMade } = this.#context.change(() => [COUNT_SECRET]);
    return streams.drawSecret("name", secretsMade, length);
  }

  /** Creates a user with keys and memberships (rules U-1, U-2); throws `invalid_request`. */
  createUser(options: UserOptions): UserRecord {
    const context = this.#context;
    const before = context.change((state) => addUser(state, options, context.now()));
    return findUser(context.state, nextUserId(before))!;
  }

  /** Lists the users, the built-in one first (rule U-1). */
  users(): UserRecord[] {
    return listUsers(this.#context.state);
  }

  /** Returns the user with an id, or null. */
  user(id: string): UserRecord | null {
    return findUser(this.#context.state, id);
  }

  /** Returns the user of a key, or null (rule U-1). */
  userByKey(key: string): UserRecord | null {
    const { state } = this.#context;
    return findUser(state, state.keys.get(key)?.userId ?? "");
  }

  /** Whether any key was added (rule U-1), except by the built-in user. */
  hasKeys(): boolean {
    return hasGivenKeys(this.#context.state);
  }

  /** Changes a user's details; an absent image is unchanged (rule U-2). */
  updateUser(id: string, details: UserDetails): UserRecord {
    this.#context.change((state) => changeUser(state, id, details));
    return findUser(this.#context.state, id)!;
  }

  /** Deletes a user, or resets the built-in one; returns whether it existed. */
  deleteUser(id: string): boolean {
    const found = this.#context.state.users.has(id);
    this.#context.change((state) => removeUser(state, id));
    return found;
  }

  /** Lists a user's keys by name, without the keys themselves. */
  keys(userId: string): KeyMetadata[] {
    requireUser(this.#context.state, userId);
    return listKeys(this.#context.state, userId);
  }

  /** Creates a key, for open mode only if `openOnly`. Throws `invalid_name`, `key_exists`. */
  createKey(userId: string, name: string, openOnly = false): NewKey {
    const context = this.#context;
    let key = "";
    context.change((state) => {
      requireUser(state, userId);
      key = `key_${context.streams.drawSecret("key", state.secretsMade, 32)}`;
      return [COUNT_SECRET, ...addKey(state, userId, key, context.now(), name, openOnly)];
    });
    return { ...this.keys(userId).at(-1)!, key };
  }

  /** Deletes a key, which is rejected from then on; throws `key_not_found` (rule A-1). */
  deleteKey(userId: string, name: string): void {
    this.removeKey(findKeyByName(this.#context.state, userId, name));
  }

  /** Adds a key named `default`, `default-2` … (rule U-1); throws `invalid_request` if taken. */
  addKey(userId: string, key: string): void {
    const context = this.#context;
    context.change((state) => {
      requireUser(state, userId);
      return addKey(state, userId, key, context.now()); // here: a custom clock could delete the user
    });
  }

  /** Removes a key. */
  removeKey(key: string): void {
    this.#context.change((state) => removeKeys(state, [key]));
  }

  /** Whether a key is one of the last thousand deleted ones (rule A-1). */
  isDeletedKey(key: string): boolean {
    return this.#context.state.deletedKeys.has(key);
  }

  /** Adds a member to a workspace (rule U-1), by default an owner. */
  addMember(workspace: string, userId: string, role?: Role): void {
    this.#context.change((state) => addMember(state, workspace, userId, role));
  }

  /** Removes a member; throws `forbidden` for the last owner (rule A-3). */
  removeMember(workspace: string, userId: string): void {
    this.#context.change((state) => removeMember(state, workspace, userId));
  }

  /** Whether a user is a member; false for an unknown workspace (rule U-1). */
  isMember(workspace: string, userId: string): boolean {
    return this.roleOf(workspace, userId) !== null;
  }

  /** Returns a user's role (rule A-3), null for non-members. */
  roleOf(workspace: string, userId: string): Role | null {
    return this.#context.state.workspaces.get(workspace)?.members.get(userId) ?? null;
  }
}
