import { describe, pointer, refuse } from "../../errors.js";
import { TRAITS } from "../../schema/traits.js";
import { isArray, isPlainObject } from "../../value/json.js";
import type { Order, SortKey } from "../bound/order.js";
import { resolvePath, type Scope } from "./scope.js";

/** Binds a sort (section S); `given` is the seed when a random order continues. */
export function bindSort(scope: Scope, sort: unknown, at: string, given?: number): Order {
  const keys: SortKey[] = [];
  const sorted = new Set<string>();
  let seed: number | undefined;
  for (const { path, direction, keyAt } of listKeys(sort, at)) {
    if (seed !== undefined) {
      refuseSort("no sort key may follow the random order", keyAt, "S-4");
    }
    if ((path === "*") !== (direction === "random")) {
      const found = `${describe(direction)} for ${describe(path)}`;
      refuseSort(`the random order is {"*": "random"}, found ${found}`, keyAt, "S-4");
    }
    if (direction === "random") {
      seed = given ?? scope.run.drawSeed();
      continue;
    }
    if (direction !== "asc" && direction !== "desc") {
      const message = `sort [${path}]: expected asc or desc, found ${describe(direction)}`;
      refuseSort(message, keyAt, "S-2");
    }
    const { ref } = resolvePath(scope, path, keyAt);
    if (ref.type === "object" || !TRAITS[ref.type].sortable) {
      refuseSort(`sort [${path}]: a column of type ${ref.type} has no order`, keyAt, "S-2");
    }
    // A repeated column cannot break ties.
    const slots = [...ref.hops, ref].map(({ slot }) => slot);
    const column = [...slots, ...(ref.keys ?? [])].join(".");
    if (sorted.has(column)) continue;
    sorted.add(column);
    keys.push({ column: ref, descending: direction === "desc" });
  }
  return { keys, seed };
}

interface GivenKey {
  readonly path: string;
  readonly direction: unknown;
  readonly keyAt: string;
}

function listKeys(sort: unknown, at: string): GivenKey[] {
  if (isPlainObject(sort)) return keysOf(sort, at);
  if (!isArray(sort)) {
    const forms = 'an object or an array, such as ["age"] or { "age": "desc" }';
    return refuseSort(`expected ${forms}, found ${describe(sort)}`, at, "S-1");
  }
  const keys: GivenKey[] = [];
  for (const [index, member] of (sort as readonly unknown[]).entries()) {
    const keyAt = pointer(at, index);
    if (typeof member === "string") {
      keys.push({ path: member, direction: member === "*" ? "random" : "asc", keyAt });
    } else if (isPlainObject(member)) {
      for (const key of keysOf(member, keyAt)) keys.push(key);
    } else {
      refuseSort(`expected an object or a column name, found ${describe(member)}`, keyAt, "S-1");
    }
  }
  return keys;
}

function keysOf(keys: Readonly<Record<string, unknown>>, at: string): GivenKey[] {
  return Object.keys(keys)
    .filter((path) => keys[path] !== undefined)
    .map((path) => ({ path, direction: keys[path], keyAt: pointer(at, path) }));
}

function refuseSort(message: string, path: string, rule: string): never {
  refuse("invalid_sort", message, { path, rule });
}
