import { describe, pointer, refuse } from "../../errors.js";
import { METADATA_KEYS, metadataPath } from "../../schema/record-names.js";
import { TRAITS } from "../../schema/traits.js";
import { readFields, refuseValue } from "../../shape/fields.js";
import { isArray, isPlainObject } from "../../value/json.js";
import { BY_ID, type Order, type SortKey } from "../bound/bound-query.js";
import { resolvePath, type Scope } from "./scope.js";

/** Binds a sort (section S), by default by id; a random order continues with `continuedSeed`. */
export function bindSort(scope: Scope, sort: unknown, at: string, continuedSeed?: number): Order {
  if (sort === undefined) return BY_ID;
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
      seed = continuedSeed ?? scope.run.drawSeed();
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

/** `random` is left to the sort that `order` becomes. */
const DIRECTIONS: readonly unknown[] = ["asc", "desc", "random"];

/** Binds the `order` of a reverse link (rule P-11). */
export function bindReverseOrder(scope: Scope, order: unknown, at: string): Order {
  const { run, table } = scope;
  const part = { path: at, rule: "P-11", code: "invalid_sort" } as const;
  if (!isArray(order)) refuseValue(order, 'an array of {"column", "order"}', part);
  const sort = order.map((member: unknown, index) => {
    const path = pointer(at, index);
    const fields = readFields(member, ["column", "order"], { ...part, path });
    const { column, order: direction = "asc" } = fields;
    if (typeof column !== "string")
      return refuseValue(column, "a path", { ...part, path: pointer(path, "column") });
    if (!DIRECTIONS.includes(direction)) {
      const directionPart = { ...part, path: pointer(path, "order"), rule: "S-2" };
      return refuseValue(direction, "asc or desc", directionPart);
    }
    const isMetadata = METADATA_KEYS.includes(column) && !table.schema.columnsByName.has(column);
    return { [isMetadata ? metadataPath(run.profile, column) : column]: direction };
  });
  return bindSort(scope, sort, at);
}

function refuseSort(message: string, path: string, rule: string): never {
  refuse("invalid_sort", message, { path, rule });
}
