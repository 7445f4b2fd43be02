import { current, isDraft } from "immer";

/** Renames a map key without changing its position. */
export function renameKey(
  map: Map<string, unknown>,
  from: string,
  to: string,
): Map<string, unknown> {
  return new Map(Array.from(plainMap(map), ([key, value]) => [key === from ? to : key, value]));
}

/** Copies a draft, which is slow to iterate. Returns any other map itself. */
export function plainMap(map: Map<string, unknown>): Map<string, unknown> {
  return isDraft(map) ? new Map(current(map)) : map;
}

/** Sorts a map by the positions of its values in another. New values follow, in ascending order. */
export function orderAsBefore(
  map: Map<string, unknown>,
  before: ReadonlyMap<string, unknown>,
): Map<string, unknown> {
  const places = new Map(Array.from(before.values(), (value, place) => [value, place]));
  const placeOf = (value: unknown): number => places.get(value) ?? places.size + Number(value);
  return new Map([...plainMap(map)].sort(([, a], [, b]) => placeOf(a) - placeOf(b)));
}
