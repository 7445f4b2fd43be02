import { describe, refuse } from "./errors.js";

/** Names and limits that differ between what the service documents and what clients speak. */
export interface Profile {
  /** Which of the two sets every field that is not given was taken from. */
  readonly base: ProfileName;
  /** Name of the record metadata column. */
  readonly metadataColumn: string;
  /** Name of the target field of a git mapping entry. */
  readonly mappingTarget: string;
  /** Most records of a page (rule G-1). */
  readonly maxPageSize: number;
  /** Most records that a page can skip (rule G-1). */
  readonly maxPageOffset: number;
  /** What negations do with null (rule F-30). */
  readonly nullComparison: "complement" | "sql";
  /** What a branch made from another takes of it: schema and records, or the schema alone (B-1). */
  readonly branchCopies: "records" | "schema";
}

/** The two sets of names and limits: the description's own, and the npm client's. */
export type ProfileName = "documented" | "xata";

/** A profile by name, or a base with fields changed. */
export type ProfileOption = ProfileName | Partial<Profile>;

/** The two sets that a profile starts from. */
export const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  documented: {
    base: "documented",
    metadataColumn: "service",
    mappingTarget: "serviceBranch",
    maxPageSize: 200,
    maxPageOffset: 800,
    nullComparison: "complement",
    branchCopies: "records",
  },
  xata: {
    base: "xata",
    metadataColumn: "xata",
    mappingTarget: "xataBranch",
    maxPageSize: 1000,
    maxPageOffset: 49_000,
    nullComparison: "sql",
    branchCopies: "schema",
  },
};

/** The fields that take one of a few words. */
const CHOICES: Readonly<Record<string, readonly unknown[]>> = {
  nullComparison: ["complement", "sql"],
  branchCopies: ["records", "schema"],
};

/**
 * Completes a profile. Default `documented`.
 *
 * @throws TwinbaseError `invalid_request` for an unknown name, field or value.
 */
export function resolveProfile(option: ProfileOption = "documented"): Profile {
  const given: Partial<Profile> = typeof option === "string" ? { base: option } : option;
  const name = given.base ?? "documented";
  if (!Object.hasOwn(PROFILES, name)) {
    refuse(
      "invalid_request",
      `profile: expected documented or xata, found ${describe(given.base)}`,
    );
  }
  const profile: Record<string, unknown> = { ...PROFILES[name] };
  for (const [field, value] of Object.entries(given)) {
    const known = Object.hasOwn(profile, field) ? profile[field] : undefined;
    const good =
      value === undefined ||
      (typeof value === typeof known &&
        (typeof value !== "number" || (Number.isSafeInteger(value) && value >= 0)) &&
        (field !== "maxPageSize" || value !== 0) &&
        (CHOICES[field]?.includes(value) ?? true));
    if (known === undefined || !good) {
      refuse("invalid_request", `profile: ${field} cannot be ${describe(value)}`);
    }
    profile[field] = value ?? known;
  }
  return profile as unknown as Profile; // each field of the base, with a value of its type
}

/** Bounds on what one request may hold (section L of the rules). */
export interface Limits {
  /** Bytes of an HTTP request body; default 20 MiB (rule L-2). */
  readonly bodyBytes: number;
  /** Predicates in a filter; default 1000 (rule L-3). */
  readonly filterPredicates: number;
  /** Levels of nesting in a filter; default 32 (rule L-3). */
  readonly filterLevels: number;
  /** Plain values in one list of a filter; default 100000 (rule L-3). */
  readonly filterListMembers: number;
  /** Entries of `columns`; default 1000 (rule L-4). */
  readonly columns: number;
  /** Links that one path may follow; default 16 (rule L-5). */
  readonly pathLinks: number;
  /**
   * Milliseconds that one call may work; default 0, for no limit, which over `serve` means 10,000
   * (rule L-10).
   */
  readonly queryMs: number;
}

/** The limits of the description and the rules. */
export const DEFAULT_LIMITS: Limits = {
  bodyBytes: 20 * 1024 * 1024,
  filterPredicates: 1000,
  filterLevels: 32,
  filterListMembers: 100_000,
  columns: 1000,
  pathLinks: 16,
  queryMs: 0,
};
