/** Freezes a JSON value at every level. */
export function freezeDeep<T>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  for (const member of Object.values(value)) freezeDeep(member);
  return Object.freeze(value);
}
