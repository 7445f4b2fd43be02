import type { AnyEngine } from "../../engine.js";
import {
  DEFAULT_LIMITS,
  type Limits,
  type Profile,
  type ProfileOption,
  resolveProfile,
} from "../../profile.js";
import type { ColumnDefinition, Json } from "../../types.js";

/**
 * What a service can offer beside queries; `http`: what only bare requests show, such as headers and
 * damaged JSON; `copy`: records copied from one branch into another; `fork`: copies of the whole that
 * answer the same from then on and have no default workspace; `otherUser`: a second user; `hosts`:
 * requests whose header says another host than their address, as `fetch` over a network sends none;
 * `large`: answers of hundreds of megabytes.
 */
export type Capability =
  | "tables"
  | "databases"
  | "mappings"
  | "resolve"
  | "user"
  | "records"
  | "transaction"
  | "schema"
  | "branches"
  | "migrations"
  | "history"
  | "copy"
  | "accounts"
  | "files"
  | "settings"
  | "summarize"
  | "aggregate"
  | "search"
  | "vectorSearch"
  | "otherUser"
  | "hosts"
  | "fork"
  | "http"
  | "large";

const CAPABILITIES: readonly Capability[] = [
  "tables",
  "databases",
  "mappings",
  "resolve",
  "user",
  "records",
  "transaction",
  "schema",
  "branches",
  "migrations",
  "history",
  "copy",
  "accounts",
  "files",
  "settings",
  "summarize",
  "aggregate",
  "search",
  "vectorSearch",
  "otherUser",
  "hosts",
  "fork",
  "http",
  "large",
];

/** A table to fill a database with. */
export interface FixtureTable {
  readonly name: string;
  readonly columns: readonly ColumnDefinition[];
  readonly records: readonly { readonly [key: string]: Json }[];
}

/** The contents of a branch `main`. */
export interface Fixture {
  /** Its tables, with columns and records. */
  readonly tables: readonly FixtureTable[];
}

/** A database just made, and what belongs into its branch `main`. */
export interface Seeding extends Fixture {
  /** The name of the database to fill, on its branch `main`. */
  readonly database: string;
}

/** What a tester says of a service beside where it is. */
export interface TargetSettings {
  /** Names and limits that the service keeps; default `documented`, or the engine's. */
  readonly profile?: ProfileOption | undefined;
  /** Bounds that differ from the usual ones. */
  readonly limits?: Partial<Limits> | undefined;
  /** What the service does not offer, as `false`; checks that need it are skipped. */
  readonly capabilities?: { readonly [capability in Capability]?: boolean } | undefined;
  /** Fills a fresh database, for services that take columns and records in a way of their own. */
  readonly seed?: ((seeding: Seeding) => Promise<void> | void) | undefined;
  /** At most so many requests a second; default no limit. */
  readonly requestsPerSecond?: number | undefined;
  /** Milliseconds to wait for an answer; default 30,000. */
  readonly timeout?: number | undefined;
  /** How the names of databases begin that the kit makes; default `conformance`. */
  readonly prefix?: string | undefined;
}

/** An engine, asked through `createFetch` of `twinbase/http`, in open mode. */
export interface EngineTarget extends TargetSettings {
  /** Asked through `createFetch`. */
  readonly engine: AnyEngine;
}

/** A service at an address, or one that a `fetch` answers for. */
export interface ServiceTarget extends TargetSettings {
  /** `https://…`, up to where `/db/…` begins. */
  readonly workspaceUrl: string;
  /** `https://…`, up to where `/workspaces/…` begins; default the origin of `workspaceUrl`. */
  readonly controlUrl?: string | undefined;
  /** The workspace to make databases in. */
  readonly workspace: string;
  /** Sent as a bearer token. */
  readonly apiKey?: string | undefined;
  /** The key of another user, who is no member yet; absent: what roles allow is not checked. */
  readonly otherApiKey?: string | undefined;
  /** Whether the service takes any key (`open`) or only known ones; absent: not checked (U-1). */
  readonly auth?: "open" | "closed" | undefined;
  /** Takes the requests in place of the network. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Has to be true where the service is on another machine: databases are made and deleted. */
  readonly allowWrites?: boolean | undefined;
}

/** What to check. */
export type Target = EngineTarget | ServiceTarget;

/** A target's settings, complete. */
export interface TargetTraits {
  readonly profile: Profile;
  readonly limits: Limits;
  readonly capabilities: ReadonlySet<Capability>;
  readonly auth: "open" | "closed" | undefined;
  readonly otherApiKey: string | undefined;
}

/** A run that cannot begin as it was asked for. */
export class ConformanceUsageError extends Error {
  /** Always `ConformanceUsageError`. */
  override readonly name = "ConformanceUsageError";
}

/** Completes a target's settings, and refuses a service that must not be written to. */
export function resolveTraits(target: Target): TargetTraits {
  const isEngine = "engine" in target;
  if (!isEngine && target.fetch === undefined && target.allowWrites !== true) {
    for (const url of [target.workspaceUrl, controlUrlOf(target)]) requireLoopback(url);
  }
  const missing = new Set<Capability>(isEngine ? [] : ["fork", "hosts"]);
  // Deleting the user of a real account could not be undone, and its workspaces may cost money.
  if (!isEngine && target.fetch === undefined) missing.add("user").add("accounts");
  const otherApiKey = isEngine ? undefined : target.otherApiKey;
  if (otherApiKey === undefined) missing.add("otherUser");
  const given = target.capabilities ?? {};
  return {
    profile: isEngine ? target.engine.profile : resolveProfile(target.profile),
    limits: isEngine ? target.engine.limits : { ...DEFAULT_LIMITS, ...target.limits },
    capabilities: new Set(CAPABILITIES.filter((name) => given[name] ?? !missing.has(name))),
    auth: isEngine ? "open" : target.auth,
    otherApiKey,
  };
}

/** Where `/workspaces/…` begins at a service. */
export function controlUrlOf({ controlUrl, workspaceUrl }: ServiceTarget): string {
  return controlUrl ?? parseUrl(workspaceUrl).origin;
}

function parseUrl(address: string): URL {
  if (typeof address === "string" && URL.canParse(address)) return new URL(address);
  throw new ConformanceUsageError(
    `expected an address such as http://127.0.0.1:4000, found ${JSON.stringify(address)}`,
  );
}

function requireLoopback(address: string): void {
  const { hostname } = parseUrl(address);
  if (!/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) {
    throw new ConformanceUsageError(
      `${hostname} is another machine, and the checks make and delete databases: allow it with allowWrites (--allow-writes)`,
    );
  }
}
