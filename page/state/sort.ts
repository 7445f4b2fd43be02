/** A key of an order. */
export interface SortKey {
  readonly path: string;
  readonly direction: "asc" | "desc" | "random";
}

/** The keys of an order as the service takes them. */
export function toSort(keys: readonly SortKey[]): Readonly<Record<string, string>>[] {
  return keys.map(({ path, direction }) => Object.fromEntries([[path, direction]]));
}

/** The keys of an order in the URL: `population:desc,name`. No name holds a colon or a comma. */
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

/** The members of a list in the URL. */
export function splitList(text: string | undefined): string[] {
  return (text ?? "").split(",").filter((member) => member !== "");
}

/** What a click on a column makes of an order: up, down, none; with others kept or without them. */
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
