/** A sort key. */
export interface SortKey {
  readonly path: string;
  readonly direction: "asc" | "desc" | "random";
}

/** Sort keys in the form of a request. */
export function toSort(keys: readonly SortKey[]): Readonly<Record<string, string>>[] {
  return keys.map(({ path, direction }) => Object.fromEntries([[path, direction]]));
}

/** Formats sort keys for the URL: `population:desc,name`. Names have no colon or comma. */
export function formatSort(keys: readonly SortKey[]): string {
  return keys
    .map(({ path, direction }) => (direction === "asc" ? path : `${path}:${direction}`))
    .join(",");
}

export function parseSort(text: string | undefined): SortKey[] {
  return splitList(text).map((key): SortKey => {
    const [path = "", direction] = key.split(":");
    return { path, direction: direction === "desc" || direction === "random" ? direction : "asc" };
  });
}

/** Splits a list in the URL. */
export function splitList(text: string | undefined): string[] {
  return (text ?? "").split(",").filter((member) => member !== "");
}

/** Cycles a column's sort: ascending, descending, none; `isAdded` keeps other keys. */
export function turnSort(
  keys: readonly SortKey[],
  path: string,
  isAdded: boolean,
): readonly SortKey[] {
  const known = keys.find((key) => key.path === path);
  const next: SortKey[] =
    known === undefined
      ? [{ path, direction: "asc" }]
      : known.direction === "asc"
        ? [{ path, direction: "desc" }]
        : [];
  if (!isAdded) return next;
  if (known === undefined) return [...keys, ...next];
  return keys.flatMap((key) => (key.path === path ? next : [key]));
}
