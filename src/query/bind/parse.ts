import { type ErrorCode, refuse } from "../../errors.js";
import type { Profile } from "../../profile.js";
import { readNumber, refuseValue, requireKnownKeys, requireObject } from "../../value/fields.js";

/** A query whose keys and page settings are valid; its parts and cursors are not bound yet. */
export interface ParsedQuery {
  readonly columns: unknown;
  readonly filter: unknown;
  readonly sort: unknown;
  readonly page: ParsedPage;
}

/** Page settings (rules G-1, G-7, G-8); cursors are not decoded yet. */
export interface ParsedPage {
  readonly size: number | undefined;
  readonly offset: number;
  readonly after: string | undefined;
  readonly before: string | undefined;
  readonly start: string | undefined;
  readonly end: string | undefined;
}

/** Rule G-10. */
export const END = "end";
export const DEFAULT_PAGE_SIZE = 20;

const QUERY_KEYS = ["columns", "filter", "sort", "page", "consistency"] as const;
const CURSOR_KEYS = ["after", "before", "start", "end"] as const;
const PAGE_KEYS = ["size", "offset", ...CURSOR_KEYS] as const;

/** Reads a query's keys and page settings; throws `invalid_request` (E-3), `invalid_page`. */
export function parseQuery(request: unknown, profile: Profile): ParsedQuery {
  if (request === undefined) return parseQuery({}, profile);
  requireObject(request, { rule: "E-3" });
  requireKnownKeys(request, QUERY_KEYS);
  requireConsistency(request.consistency);
  const { page = {} } = request;
  requireObject(page, { path: "/page", rule: "G-1", code: "invalid_page" });
  requireKnownKeys(page, PAGE_KEYS, { path: "/page" });
  const parsed = parsePage(page, profile);
  requireAlone(request, parsed);
  const { columns, filter, sort } = request;
  return { columns, filter, sort, page: parsed };
}

/** Checks `consistency`, which has no effect (rule E-3). */
export function requireConsistency(consistency: unknown): void {
  if (consistency === undefined || consistency === "strong" || consistency === "eventual") return;
  const part = { what: "consistency", path: "/consistency", rule: "E-3" };
  refuseValue(consistency, "strong or eventual", part);
}

export function parsePage(page: Readonly<Record<string, unknown>>, profile: Profile): ParsedPage {
  const { size, offset } = page;
  requireWhole(size, 1, "size");
  if (size !== undefined && size > profile.maxPageSize) {
    refusePage(`page size exceeds max limit of ${profile.maxPageSize}`, "size", "G-1");
  }
  requireWhole(offset, 0, "offset");
  if (offset !== undefined && offset > profile.maxPageOffset) {
    refusePage(`page offset must not exceed ${profile.maxPageOffset}`, "offset", "G-1");
  }
  const [after, before, start, end] = CURSOR_KEYS.map((key) => {
    const cursor = page[key];
    if (cursor === undefined || typeof cursor === "string") return cursor;
    const what = `page.${key}`;
    const code = "invalid_cursor";
    return refuseValue(cursor, "a cursor", { what, path: `/page/${key}`, rule: "G-13", code });
  });
  return { size, offset: offset ?? 0, after, before, start, end };
}

function requireWhole(
  value: unknown,
  least: number,
  key: string,
): asserts value is number | undefined {
  if (value === undefined) return;
  const [what, path] = [`page ${key}`, `/page/${key}`];
  readNumber(value, [least], { what, path, rule: "G-1", code: "invalid_page" });
}

function refusePage(
  message: string,
  key: string,
  rule: string,
  code: ErrorCode = "invalid_page",
): never {
  refuse(code, message, { path: `/page/${key}`, rule });
}

/** Checks which cursors combine with each other, a filter or a sort (rules G-7, G-8). */
function requireAlone(request: Readonly<Record<string, unknown>>, page: ParsedPage): void {
  for (const key of ["start", "end"] as const) {
    if (page[key] === undefined) continue;
    const other = CURSOR_KEYS.find((given) => given !== key && page[given] !== undefined);
    if (other !== undefined) {
      refusePage(`page.${key} cannot be combined with page.${other}`, other, "G-8");
    }
    if (page[key] === END) {
      const message = `page.${key}: only after and before take "end"`;
      refusePage(message, key, "G-7", "invalid_cursor");
    }
  }
  if (page.after === END && page.before !== undefined) {
    refusePage('page.after: "end" cannot be combined with page.before', "before", "G-7");
  }
  const real = CURSOR_KEYS.find((key) => page[key] !== undefined && page[key] !== END);
  if (real === undefined) return;
  for (const key of ["filter", "sort"] as const) {
    if (request[key] === undefined) continue;
    const message = `${key}: not allowed with page.${real}: the cursor contains its own`;
    refuse("invalid_page", message, { path: `/${key}`, rule: "G-7" });
  }
}
