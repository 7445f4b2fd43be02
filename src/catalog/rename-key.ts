/** Renames a map key without changing its position. */
export function renameKey(
  map: Map<string, unknown>,
  from: string,
  to: string,
): Map<string, unknown> {
  return new Map(Array.from(map, ([key, value]) => [key === from ? to : key, value]));
}

/** Sorts a map by the positions of its values in another. New values follow, in ascending order. */
export function orderAsBefore(
  map: Map<string, unknown>,
  before: ReadonlyMap<string, unknown>,
): Map<string, unknown> {
  const places = new Map(Array.from(before.values(), (value, index) => [value, index]));
  const placeOf = (value: unknown): number => places.get(value) ?? places.size + Number(value);
  return new Map([...map].sort(([, a], [, b]) => placeOf(a) - placeOf(b)));
}
