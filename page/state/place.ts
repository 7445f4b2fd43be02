import { type Signal, signal } from "@preact/signals";

/** The views and their titles. */
export const VIEWS = {
  databases: "Databases",
  schema: "Schema",
  records: "Records",
  charts: "Charts",
  search: "Search",
  journal: "Journal",
  snapshots: "Snapshots",
  faults: "Faults and clock",
} as const;

export type ViewName = keyof typeof VIEWS;

/** The views of the whole engine, whatever branch is chosen. */
export const ENGINE_VIEWS: readonly ViewName[] = ["databases", "journal", "snapshots", "faults"];

/** Where the reader is, as the URL says it: what is shown follows from it alone. */
export interface Place {
  /** Workspace, database, branch, table; as many of them as are chosen. */
  readonly address: readonly string[];
  readonly view: ViewName;
  /** What the view keeps in the URL: a filter, an order. */
  readonly params: Readonly<Record<string, string>>;
}

const DEFAULT_VIEWS: readonly ViewName[] = ["databases", "databases", "databases", "schema"];

/** The place that the part of a URL after `#` names. */
export function parsePlace(hash: string): Place {
  const [path = "", query = ""] = hash.replace(/^#?\/?/, "").split(/\?(.*)/s);
  const address = path
    .split("/")
    .filter((name) => name !== "")
    .map(decode)
    .slice(0, 4);
  const { view, ...params } = Object.fromEntries(new URLSearchParams(query));
  const isKnown = view !== undefined && Object.hasOwn(VIEWS, view);
  return { address, view: isKnown ? (view as ViewName) : defaultView(address), params };
}

/** The part of a URL, from `#`, that names a place. */
export function formatPlace({ address, view, params }: Place): string {
  const query = new URLSearchParams();
  if (view !== defaultView(address)) query.set("view", view);
  for (const [key, value] of Object.entries(params)) if (value !== "") query.set(key, value);
  const text = query.toString();
  return `#/${address.map(encodeURIComponent).join("/")}${text === "" ? "" : `?${text}`}`;
}

function defaultView(address: readonly string[]): ViewName {
  return DEFAULT_VIEWS[address.length] ?? "records";
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

const isBrowser = typeof location !== "undefined";

/** Where the reader is now. */
export const place: Signal<Place> = signal<Place>(parsePlace(isBrowser ? location.hash : ""));
if (isBrowser) addEventListener("hashchange", () => (place.value = parsePlace(location.hash)));

/** Goes elsewhere; without a step in the history where the place is only refined. */
export function go(to: Place, { replace = false }: { replace?: boolean } = {}): void {
  const url = formatPlace(to);
  if (replace) history.replaceState(null, "", url);
  else history.pushState(null, "", url);
  place.value = to;
}

/** Changes what the view keeps in the URL. */
export function setParams(
  changes: Readonly<Record<string, string | undefined>>,
  options: { readonly replace?: boolean } = {},
): void {
  const { address, view, params } = place.value;
  const next = { ...params };
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined || value === "") delete next[key];
    else next[key] = value;
  }
  go({ address, view, params: next }, options);
}

/** A link to a place: of the same address unless another is given. */
export function hrefTo(
  view: ViewName | undefined,
  address: readonly string[] = place.value.address,
  params: Readonly<Record<string, string>> = {},
): string {
  return formatPlace({ address, view: view ?? defaultView(address), params });
}
