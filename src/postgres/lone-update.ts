import type { BranchAddress } from "../catalog/address.js";
import type { AnyBranch } from "../engine/branch.js";
import type { Backend } from "./backend.js";
import { type CompiledUpdate, compileUpdate, sendUpdate } from "./update-record.js";

/**
 * Runs a program that only updates a record, by one statement. Returns undefined, and has no effect,
 * for any other program and for one that looks at the record.
 */
export async function runLoneUpdate<T>(
  backend: Backend,
  address: BranchAddress,
  program: (branch: AnyBranch) => T,
): Promise<{ readonly value: T } | undefined> {
  let isLone = true;
  let isDone = false;
  let update: CompiledUpdate | undefined;
  const stop = (): never => {
    isLone = false;
    throw STOPPED;
  };
  const fields = {};
  const record = guard(fields, () => isDone || stop());
  const tableOf = (table: string): object => {
    const updateOf = (id: unknown, changes: unknown, ...options: unknown[]): object => {
      if (update !== undefined || typeof id !== "string" || options.length > 0) return stop();
      update = compileUpdate(backend, { table, ...address }, { id, changes });
      return update === undefined ? stop() : record;
    };
    return guard({ update: updateOf }, (use) => use === "get update" || stop());
  };
  const branch = guard({ table: tableOf }, (use) => use === "get table" || stop());
  let value: unknown;
  try {
    value = program(branch as AnyBranch); // other uses stop it
    if (value !== record) value = await value;
  } catch {
    return undefined;
  }
  const isKnown = value === record || Object(value) !== value;
  if (!isLone || !isKnown || update === undefined) return undefined;
  const updated = await sendUpdate(backend, update);
  if (updated === undefined) return undefined;
  // The program may have kept it.
  Object.assign(fields, updated);
  isDone = true;
  return { value: (value === record ? updated : value) as T }; // as the program returned it
}

const STOPPED = new Error("a program does more than to update a record");

/** Returns an object that asks before each use, such as `get update`. */
function guard(target: object, ask: (use: string) => unknown): object {
  const trap = (name: string | symbol) => (own: object, key: unknown, given: unknown) => {
    ask(`${String(name)} ${String(key)}`);
    const act = Reflect[name as "get"]; // a trap has the name of what it replaces
    return act(own, key as string, given);
  };
  return new Proxy(target, new Proxy({}, { get: (_traps, name) => trap(name) }));
}
