import { describe, pointer, refuse } from "../../errors.js";
import type { Profile } from "../../profile.js";
import { requireKnownKeys, requireObject } from "../../value/fields.js";

/** A query whose keys are known and whose page settings are sound; its parts are yet unbound. */
export interface ParsedQuery {
  readonly columns: unknown;
  readonly filter: unknown;
  readonly sort: unknown;
  readonly page: ParsedPage;
}

/** Page settings: each cursor is text, and those given together are allowed to be (G-7, G-8). */
export interface ParsedPage {
  readonly size: number | undefined;
  readonly offset: number;
  readonly after: string | undefined;
  readonly before: string | undefined;
  readonly start: string | undefined;
  readonly end: string | undefined;
}

/** The special cursor (rule G-10). */
export const END = "end";
export const DEFAULT_PAGE_SIZE = 20;

const QUERY_KEYS = ["columns", "filter", "sort", "page", "consistency"] as const;
const PAGE_KEYS = ["size", "offset", "after", "before", "start", "end"] as const;
const CURSOR_KEYS = ["after", "before", "start", "end"] as const;

/**
 * Reads the keys of a query and its page settings.
 *
 * @throws TwinbaseError `invalid_request` (E-3), `invalid_page` (G-1, G-7, G-8)
 */
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
  return {
    columns: request.columns,
    filter: request.filter,
    sort: request.sort,
    page: parsed,
  };
}

/** Refuses a `consistency` that is none; it changes nothing (rule E-3). */
export function requireConsistency(consistency: unknown): void {
  if (consistency === undefined || consistency === "strong" || consistency === "eventual") return;
  refuse(
    "invalid_request",
    `consistency: expected strong or eventual, found ${describe(consistency)}`,
    { path: "/consistency", rule: "E-3" },
  );
}

/** Reads page settings whose keys are known; throws `invalid_page`, `invalid_cursor`. */
export function parsePage(page: Readonly<Record<string, unknown>>, profile: Profile): ParsedPage {
  const size = page.size;
  const offset = page.offset;
  requireWhole(size, 1, "size");
  if (size !== undefined && (size as number) > profile.maxPageSize) {
    refuse("invalid_page", `page size exceeds max limit of ${profile.maxPageSize}`, {
      path: "/page/size",
      rule: "G-1",
    });
  }
  requireWhole(offset, 0, "offset");
  if (offset !== undefined && (offset as number) > profile.maxPageOffset) {
    refuse("invalid_page", `page offset must not exceed ${profile.maxPageOffset}`, {
      path: "/page/offset",
      rule: "G-1",
    });
  }
  const cursors = CURSOR_KEYS.map((key) => {
    const cursor = page[key];
    if (cursor !== undefined && typeof cursor !== "string") {
      refuse("invalid_cursor", `page.${key}: expected a cursor, found ${describe(cursor)}`, {
        path: pointer("/page", key),
        rule: "G-13",
      });
    }
    return cursor;
  });
  const [after, before, start, end] = cursors;
  return {
    size: size as number | undefined,
    offset: (offset as number | undefined) ?? 0,
    after,
    before,
    start,
    end,
  }; // checked above
}

function requireWhole(value: unknown, least: number, key: string): void {
  if (value !== undefined && !(Number.isSafeInteger(value) && (value as number) >= least)) {
    refuse(
      "invalid_page",
      `page ${key}: expected a whole number from ${least} up, found ${describe(value)}`,
      {
        path: `/page/${key}`,
        rule: "G-1",
      },
    );
  }
}

/** Which cursors go together, and with a filter or sort (rules G-7, G-8). */
function requireAlone(request: Readonly<Record<string, unknown>>, page: ParsedPage): void {
  for (const key of ["start", "end"] as const) {
    if (page[key] === undefined) continue;
    const other = CURSOR_KEYS.find(
      (candidate) => candidate !== key && page[candidate] !== undefined,
    );
    if (other !== undefined) {
      refuse("invalid_page", `page.${key} must be given alone, but page.${other} is given too`, {
        path: `/page/${other}`,
        rule: "G-8",
      });
    }
    if (page[key] === END) {
      refuse("invalid_cursor", `page.${key}: "end" goes with after and before only`, {
        path: `/page/${key}`,
        rule: "G-7",
      });
    }
  }
  if (page.after === END && page.before !== undefined) {
    refuse("invalid_page", 'page.after: "end" must be given alone', {
      path: "/page/before",
      rule: "G-7",
    });
  }
  const real = CURSOR_KEYS.find((key) => page[key] !== undefined && page[key] !== END);
  if (real === undefined) return;
  for (const key of ["filter", "sort"] as const) {
    if (request[key] !== undefined) {
      refuse("invalid_page", `${key}: a cursor has its own, and page.${real} is given`, {
        path: `/${key}`,
        rule: "G-7",
      });
    }
  }
}
