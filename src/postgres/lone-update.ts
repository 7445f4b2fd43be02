import type { BranchAddress } from "../catalog/address.js";
import type { AnyBranch } from "../engine/branch.js";
import type { AnyRecord } from "../types.js";
import type { Backend } from "./backend.js";
import type { Outcome } from "./held-rows.js";
import { type CompiledUpdate, compileUpdate, sendUpdate } from "./update-record.js";

/** A program whose first run leaves its first update undone, as it may be all that it does. */
export interface Deferring<T> {
  readonly run: (branch: AnyBranch) => T;
  /** Whether the first run has left an update undone. */
  readonly isPending: () => boolean;
  /**
   * Sends it, by one statement, if it was all that the run did. Returns whether this did what the
   * program does; else it must run again.
   */
  readonly finish: (result: Outcome<T>["result"], isAlone: boolean) => Promise<boolean>;
}

export function deferUpdate<T>(
  backend: Backend,
  address: BranchAddress,
  program: (branch: AnyBranch) => T,
): Deferring<T> {
  let isFirst = true;
  let isSeen = false;
  let isDone = false;
  let update: CompiledUpdate | undefined;
  const record = {} as AnyRecord; // filled where it is sent
  const guarded = guard(record, () => {
    if (isDone) return;
    isSeen = true;
    throw new Error("the record is not read yet");
  });
  const defer = (table: string, id: unknown, changes: unknown): boolean => {
    if (update !== undefined || typeof id !== "string") return false;
    update = compileUpdate(backend, { table, ...address }, { id, changes });
    return update !== undefined;
  };
  const watch = (branch: AnyBranch): void => {
    const open = branch.table.bind(branch);
    branch.table = (name: string) => {
      const table = open(name);
      const own = table.update.bind(table);
      table.update = (id, changes, options) =>
        options === undefined && defer(name, id, changes) ? guarded : own(id, changes, options);
      return table;
    };
  };
  return {
    run: (branch) => {
      if (isFirst) watch(branch);
      isFirst = false;
      const value = program(branch);
      return value === guarded ? (record as T) : value; // the same record
    },
    isPending: () => update !== undefined,
    finish: async (result, isAlone) => {
      const sent = update;
      update = undefined;
      if (sent === undefined || !isAlone || isSeen || "error" in result) return false;
      // Another value may contain the record.
      const { value } = result;
      if (value !== record && Object(value) === value) return false;
      const updated = await sendUpdate(backend, sent);
      isDone = updated !== undefined;
      Object.assign(record, updated);
      return isDone;
    },
  };
}

/** Returns an object that calls `onUse` before each use. */
function guard<T extends object>(target: T, onUse: () => void): T {
  const trap = (name: string | symbol) => (own: T, key: unknown, given: unknown) => {
    onUse();
    const act = Reflect[name as "get"]; // a trap has the name of what it replaces
    return act(own, key as string, given);
  };
  return new Proxy(target, new Proxy({}, { get: (_traps, name) => trap(name) }));
}
