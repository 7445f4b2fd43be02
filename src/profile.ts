/** Names and limits that differ between the service's documentation and its clients. */
export interface ProfileSettings {
  /** The predefined profile that supplies missing fields. */
  readonly base: ProfileName;
  /** Name of the record metadata column. */
  readonly metadataColumn: string;
  /** Name of the target field of a git mapping entry. */
  readonly mappingTarget: string;
  /** Maximum page size (G-1). */
  readonly maxPageSize: number;
  /** Maximum page offset (G-1). */
  readonly maxPageOffset: number;
  /** Whether negations match null (F-30). */
  readonly nullComparison: "complement" | "sql";
  /** The contents that a new branch copies: schema and records, or only the schema (B-1). */
  readonly branchCopies: "records" | "schema";
  /** Whether a link may name any id, or is a reference: a foreign key with `on delete set null` (T-18). */
  readonly links: "free" | "checked";
  /** Filters of searches and aggregations: `limited` excludes links, json and lists. */
  readonly searchStore: "complete" | "limited";
  /** Bulk requests and transactions: `limited` to 1,000 records without files. */
  readonly batches: "free" | "limited";
}

/** Behaviour of the hosted service that its documentation lacks. */
interface HostedBehaviour {
  /** Whether a string for a json column is JSON, and json is returned as text (T-11). */
  readonly jsonAsText: boolean;
  /** Whether ids and texts, also in json, support ranges (F-12). */
  readonly textRanges: boolean;
  /** Whether a link named alone selects all columns of its record (P-6). */
  readonly wholeLinks: boolean;
  /** Whether the default name of a reverse link is that of table and link in one (P-11). */
  readonly joinedNames: boolean;
  /** Whether the columns of a result are sorted, and a `get` of none has its metadata. */
  readonly sortedResults: boolean;
  /** Whether aggregations have the form and the limits of the search store. */
  readonly storeAggregates: boolean;
  /** Whether requests may have null for an absent key, and `True` in addresses (E-3). */
  readonly lenient: boolean;
  /** Whether errors over HTTP have the service's messages (E-8), and 400 a missing database (D-3). */
  readonly serviceErrors: boolean;
}

/** A profile: its settings, and behaviour that follows from its base. */
export interface Profile extends ProfileSettings, HostedBehaviour {
  /** The key of the list of git mappings (B-4). */
  readonly mappingsKey: "mappings" | "mapping";
  /** Name of the id; if not `id`, the metadata are columns such as `xata_createdat`. */
  readonly idColumn: "id" | "xata_id";
}

/** The predefined profiles: the service's documentation, the npm client, and its `next` version. */
export type ProfileName = "documented" | "xata" | "xata-next";

/** A profile by name, or a base with changed settings. */
export type ProfileOption = ProfileName | Partial<ProfileSettings>;

const DOCUMENTED: Omit<ProfileSettings, "base"> = {
  metadataColumn: "service",
  mappingTarget: "serviceBranch",
  maxPageSize: 200,
  maxPageOffset: 800,
  nullComparison: "complement",
  branchCopies: "records",
  links: "free",
  searchStore: "complete",
  batches: "free",
};

export const HOSTED: Omit<ProfileSettings, "base"> = {
  metadataColumn: "xata",
  mappingTarget: "xataBranch",
  maxPageSize: 1000,
  maxPageOffset: 49_000,
  nullComparison: "sql",
  branchCopies: "schema",
  links: "checked",
  searchStore: "limited",
  batches: "limited",
};

/** The predefined profiles. */
export const PROFILES: Readonly<Record<ProfileName, Profile>> = {
  documented: /* @__PURE__ */ profileOf("documented"),
  xata: /* @__PURE__ */ profileOf("xata"),
  "xata-next": /* @__PURE__ */ profileOf("xata-next"),
};

function profileOf(base: ProfileName): Profile {
  const isHosted = base !== "documented";
  return {
    base,
    ...(isHosted ? HOSTED : DOCUMENTED),
    jsonAsText: isHosted,
    textRanges: isHosted,
    wholeLinks: isHosted,
    joinedNames: isHosted,
    sortedResults: isHosted,
    storeAggregates: isHosted,
    lenient: isHosted,
    serviceErrors: isHosted,
    mappingsKey: isHosted ? "mapping" : "mappings",
    idColumn: base === "xata-next" ? "xata_id" : "id",
  };
}

/** Returns the settings of a profile, without what follows from its base. */
export function settingsOfProfile(profile: Profile): ProfileSettings {
  const names = ["base", ...Object.keys(HOSTED)] as (keyof ProfileSettings)[]; // keyed by the type's own keys
  const settings = names.map((name) => [name, profile[name]]);
  return Object.fromEntries(settings) as ProfileSettings; // all of them
}

/** Limits of requests and of what they create (section L). */
export interface Limits {
  /** Bytes of an HTTP request body; default 20 MiB (L-2). */
  readonly bodyBytes: number;
  /** Predicates in a filter; default 1000 (L-3). */
  readonly filterPredicates: number;
  /** Levels of nesting in a filter; default 32 (L-3). */
  readonly filterLevels: number;
  /** Plain values in one list of a filter; default 100000 (L-3). */
  readonly filterListMembers: number;
  /** Entries of `columns`; default 1000 (L-4). */
  readonly columns: number;
  /** Links in one path; default 16 (L-5). */
  readonly pathLinks: number;
  /** Timeout of one call in milliseconds; default 0, no timeout; 1,000 over `serve` (L-10). */
  readonly queryMs: number;
  /** Columns of a table, at most 1,000 (L-6); default 1,000, under `xata` 256 (L-13). */
  readonly tableColumns: number;
  /** Tables of a branch, at most 10,000; default 10,000, under `xata` 100 (L-13). */
  readonly branchTables: number;
  /** Operations of one schema change; default 1,000 (L-13). */
  readonly schemaOperations: number;
  /** Bytes of a record's JSON, at most 64 MiB (L-12); default 64 MiB, under `xata` 600 KiB (L-13). */
  readonly recordBytes: number;
}

/** Limits that a larger value cannot raise further. */
export const MAX_LIMITS: Partial<Limits> = {
  tableColumns: 1000,
  branchTables: 10_000,
  recordBytes: 64 * 1024 * 1024,
};

export const DEFAULT_LIMITS: Readonly<Record<ProfileName, Limits>> = {
  documented: /* @__PURE__ */ limitsWith(1000, 10_000, 64 * 1024 * 1024),
  xata: /* @__PURE__ */ limitsWith(256, 100, 600 * 1024),
  "xata-next": /* @__PURE__ */ limitsWith(256, 100, 600 * 1024),
};

function limitsWith(tableColumns: number, branchTables: number, recordBytes: number): Limits {
  return {
    bodyBytes: 20 * 1024 * 1024,
    filterPredicates: 1000,
    filterLevels: 32,
    filterListMembers: 100_000,
    columns: 1000,
    pathLinks: 16,
    queryMs: 0,
    tableColumns,
    branchTables,
    schemaOperations: 1000,
    recordBytes,
  };
}
