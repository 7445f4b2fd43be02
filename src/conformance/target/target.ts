import type { AnyEngine } from "../../engine.js";
import { DEFAULT_LIMITS, type Limits, type Profile, type ProfileOption } from "../../profile.js";
import { resolveProfile } from "../../shape/profile.js";
import type { ColumnDefinition, Json } from "../../types.js";

const CAPABILITIES = [
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
  "http",
  "large",
] as const;

/**
 * Features that a service may lack. `http`: raw requests with any headers and malformed JSON;
 * `hosts`: requests whose Host header differs from their address, which a network `fetch` cannot
 * send; `large`: answers of hundreds of megabytes.
 */
export type Capability = (typeof CAPABILITIES)[number];

export interface FixtureTable {
  readonly name: string;
  readonly columns: readonly ColumnDefinition[];
  readonly records: readonly { readonly [key: string]: Json }[];
}

/** The contents of a branch `main`. */
export interface Fixture {
  readonly tables: readonly FixtureTable[];
}

/** A new database and the contents of its branch `main`. */
export interface DatabaseFixture extends Fixture {
  readonly database: string;
}

/** Properties of a target besides its address. */
export interface TargetSettings {
  /** The target's profile; default `documented`, or the engine's. */
  readonly profile?: ProfileOption | undefined;
  /** Limits that differ from the default ones. */
  readonly limits?: Partial<Limits> | undefined;
  /** Features that the target lacks, as `false`; checks that need them are skipped. */
  readonly capabilities?: { readonly [capability in Capability]?: boolean } | undefined;
  /** Fills a new database, for services with a different schema or record format. */
  readonly seed?: ((seeding: DatabaseFixture) => Promise<void> | void) | undefined;
  /** Rate limit; default none. */
  readonly requestsPerSecond?: number | undefined;
  /** Timeout in milliseconds; default 30,000. */
  readonly timeout?: number | undefined;
  /** Prefix of the names of created databases; default `conformance`. */
  readonly prefix?: string | undefined;
}

/** An engine, called through `createFetch` of `twinbase/http` in open mode. */
export interface EngineTarget extends TargetSettings {
  readonly engine: AnyEngine;
}

/** A service at an address, or one behind a `fetch`. */
export interface ServiceTarget extends TargetSettings {
  /** `https://…`, up to where `/db/…` begins. */
  readonly workspaceUrl: string;
  /** `https://…`, up to where `/workspaces/…` begins; default the origin of `workspaceUrl`. */
  readonly controlUrl?: string | undefined;
  /** The workspace in which databases are created. */
  readonly workspace: string;
  /** Sent as a bearer token. */
  readonly apiKey?: string | undefined;
  /** The key of another user, not yet a member; without it roles are not checked. */
  readonly otherApiKey?: string | undefined;
  /** Whether the service accepts any key (`open`) or known ones; without it U-1 is not checked. */
  readonly auth?: "open" | "closed" | undefined;
  /** Handles the requests instead of the network. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Must be true for a service on another machine, as the checks create and delete databases. */
  readonly allowWrites?: boolean | undefined;
}

/** The target of a run. */
export type Target = EngineTarget | ServiceTarget;

export interface TargetTraits {
  /** The profile in whose names checks are written: `xata` for a target that serves `xata-next`. */
  readonly profile: Profile;
  readonly served: Profile;
  readonly limits: Limits;
  readonly capabilities: Set<Capability>;
  /** Features that the service refused, such as `operator $gt` or `type email`. */
  readonly lacks: Set<string>;
  readonly auth: "open" | "closed" | undefined;
  /** A key that the service accepts; undefined if none is known. */
  readonly apiKey: string | undefined;
  readonly otherApiKey: string | undefined;
}

/** A request needs a feature that the service lacks. */
export class LackError extends Error {
  override readonly name = "LackError";
}

/** An invalid option or target; the run does not start. */
export class ConformanceUsageError extends Error {
  override readonly name = "ConformanceUsageError";
}

/** Resolves a target's settings; throws if writes to the service are not allowed. */
export function resolveTraits(target: Target): TargetTraits {
  const isEngine = "engine" in target;
  if (!isEngine && target.fetch === undefined && target.allowWrites !== true) {
    for (const url of [target.workspaceUrl, controlUrlOf(target)]) requireLoopback(url);
  }
  const missing = new Set<Capability>(isEngine ? [] : ["hosts"]);
  // Deleting the user of a real account is irreversible, and workspaces may cost money.
  if (!isEngine && target.fetch === undefined) missing.add("user").add("accounts");
  const otherApiKey = isEngine ? undefined : target.otherApiKey;
  if (otherApiKey === undefined) missing.add("otherUser");
  const auth = isEngine ? "open" : target.auth;
  const given = target.capabilities ?? {};
  const served = isEngine ? target.engine.profile : resolveProfile(target.profile);
  return {
    profile: served.idColumn === "id" ? served : { ...served, base: "xata", idColumn: "id" },
    served,
    limits: isEngine ? target.engine.limits : { ...DEFAULT_LIMITS[served.base], ...target.limits },
    capabilities: new Set(CAPABILITIES.filter((name) => given[name] ?? !missing.has(name))),
    lacks: new Set(),
    auth,
    apiKey: (isEngine ? undefined : target.apiKey) ?? (auth === "open" ? "any" : undefined),
    otherApiKey,
  };
}

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
      `${hostname} is another machine, and the checks create and delete databases: allow it with allowWrites (--allow-writes)`,
    );
  }
}
