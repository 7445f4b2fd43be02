import type { BranchAddress } from "../catalog/address.js";
import type { AnyBranch } from "../engine/branch.js";
import type { Backend } from "./backend.js";
import { type CompiledUpdate, compileUpdate, sendUpdate } from "./update-record.js";

/**
 * Runs a program that only updates a record, by one statement. Returns undefined, and has no effect,
 * for any other program and for one that looks at the record before returning it.
 */
export async function runLoneUpdate<T>(
  backend: Backend,
  address: BranchAddress,
  program: (branch: AnyBranch) => T,
): Promise<{ readonly value: T } | undefined> {
  let isLone = true;
  let update: CompiledUpdate | undefined;
  const stop = (): never => {
    isLone = false;
    throw STOPPED;
  };
  const record = onlyWith({}, stop);
  const tableOf = (table: string): object => {
    const updateOf = (id: unknown, changes: unknown, ...options: unknown[]): object => {
      if (update !== undefined || typeof id !== "string" || options.length > 0) return stop();
      update = compileUpdate(backend, { table, ...address }, { id, changes });
      return update === undefined ? stop() : record;
    };
    return onlyWith({ update: updateOf }, stop);
  };
  let value: unknown;
  try {
    value = program(onlyWith({ table: tableOf }, stop) as AnyBranch); // all other members stop it
    if (value !== record) value = await value;
  } catch {
    return undefined;
  }
  const isKnown = value === record || Object(value) !== value;
  if (!isLone || !isKnown || update === undefined) return undefined;
  const updated = await sendUpdate(backend, update);
  if (updated === undefined) return undefined;
  return { value: (value === record ? updated : value) as T }; // what it returned
}

const STOPPED = new Error("a program does more than to update a record");

/** Returns an object with some members, where any other use calls `stop`. */
function onlyWith(members: Readonly<Record<string, unknown>>, stop: () => never): object {
  const use =
    (trap: unknown) =>
    (_members: object, key: string): unknown =>
      trap === "get" && Object.hasOwn(members, key) ? members[key] : stop();
  return new Proxy(members, new Proxy({}, { get: (_traps, trap) => use(trap) }));
}
