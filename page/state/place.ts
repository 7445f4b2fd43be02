import { type Signal, signal } from "@preact/signals";

/** The views and their titles. */
export const VIEWS = {
  databases: "Databases",
  schema: "Schema",
  records: "Records",
  charts: "Charts",
  search: "Search",
  journal: "Journal",
  snapshots: "Snapshots and branches",
  faults: "Faults and clock",
} as const;

export type ViewName = keyof typeof VIEWS;

/** The views of the whole engine, independent of the branch. */
export const ENGINE_VIEWS: readonly ViewName[] = ["databases", "journal", "snapshots", "faults"];

/** A location, which fully determines the view. */
export interface Place {
  /** Workspace, database, branch, table; a prefix of these. */
  readonly address: readonly string[];
  readonly view: ViewName;
  /** URL parameters of the view, such as a filter. */
  readonly params: Readonly<Record<string, string>>;
}

const DEFAULT_VIEWS: readonly ViewName[] = ["databases", "databases", "databases", "schema"];

/** Parses the fragment of a URL. */
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

/** Formats a location as a URL fragment. */
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

/** The current location. */
export const place: Signal<Place> = signal<Place>(parsePlace(isBrowser ? location.hash : ""));
if (isBrowser) addEventListener("hashchange", () => (place.value = parsePlace(location.hash)));

/** Navigates; `replace` adds no history entry. */
export function go(to: Place, { replace = false }: { replace?: boolean } = {}): void {
  const url = formatPlace(to);
  if (replace) history.replaceState(null, "", url);
  else history.pushState(null, "", url);
  place.value = to;
}

/** Changes URL parameters of the view; empty values are removed. */
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

/** The href of a view, by default at the current address. */
export function hrefTo(
  view: ViewName | undefined,
  address: readonly string[] = place.value.address,
  params: Readonly<Record<string, string>> = {},
): string {
  return formatPlace({ address, view: view ?? defaultView(address), params });
}

/** The URL parameter for a comparison: `workspace/database/before/after`. */
export function formatBranches(names: readonly (string | undefined)[]): string {
  return names.map((name) => encodeURIComponent(name ?? "")).join("/");
}
