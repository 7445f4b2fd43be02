import { BUILT_IN_USER_ID, type UserOptions, type UserRecord } from "../catalog/users.js";
import { Memory } from "../engine/memory.js";
import { type AnyEngine, Engine, isOpenOnlyKey, streamsOf } from "../engine.js";
import { enableFiles } from "../files.js";
import { refuseValue } from "../shape/fields.js";
import { readBySchema } from "../shape/read.js";
import * as s from "../shape/schema.js";
import { formatInstant } from "../value/datetime.js";
import { deriveKey, readUint48 } from "../value/derive.js";
import { idTail } from "../value/id.js";
import { isArray } from "../value/json.js";
import { type Address, seesWorkspace } from "./address.js";
import { BASE_PATH } from "./base-path.js";
import { type BranchStats, statsOf } from "./branch-stats.js";
import { createWriteDelay, type WriteDelay } from "./client-cache.js";
import type { Control } from "./control/control.js";
import type { Faults } from "./faults.js";
import type { Journal } from "./journal.js";
import { createLookupCache, type LookupCache } from "./lookup-cache.js";
import type { IncomingRequest, RawReply } from "./message.js";
import type { Route, UnreadRequest } from "./route.js";
import { createRouteTable, ROUTE_TABLE, type RouteTable } from "./routes.js";

/** Options of handlers, fetches and servers. */
export interface HandlerOptions {
  /**
   * The workspace of requests without one in the URL; default the only one. Some clients don't send
   * the host that contains it.
   */
  readonly workspace?: string | undefined;
  /** The default region of new databases. */
  readonly region?: string | undefined;
  /**
   * The path of the mounted handler, such as `/twinbase`; default the root. If set, hosts are not
   * read as workspaces.
   */
  readonly basePath?: string | undefined;
  /**
   * Base of file URLs, such as `https://files.example.com` (H-4); default the URL of the server or
   * of the request.
   */
  readonly publicUrl?: string | undefined;
  /** Workspaces to create if missing. */
  readonly workspaces?: readonly string[] | undefined;
  /** Users to create with their keys; users with a known key are unchanged. */
  readonly users?: readonly UserOptions[] | undefined;
  /**
   * `open`: any key, or none, means the built-in user. `closed`: accepts only known keys, each for
   * the workspaces of its user. Default closed if `users` is set or the engine has keys; keys
   * that callers create in open mode don't count.
   */
  readonly auth?: "open" | "closed" | undefined;
  /** Maximum bytes of a request body; default the engine's limit (L-2). */
  readonly bodyBytes?: number | undefined;
  /** Origins whose pages may read and write, `"*"` for all; default none. */
  readonly cors?: "*" | readonly string[] | undefined;
  /**
   * Accepted hosts besides `localhost` and loopback addresses, with subdomains; `"0.0.0.0"` means
   * any IP address, `"*"` any host. Requests to other hosts fail (E-7). Default for a server its
   * own address; a handler without it checks neither hosts nor origins.
   */
  readonly hosts?: "*" | readonly string[] | undefined;
  /** See `createFaults`. */
  readonly faults?: Faults | undefined;
  /** See `createJournal`. */
  readonly journal?: Journal | undefined;
  /** Routes under `/_twinbase/`; default none; see `createControl`. */
  readonly control?: Control | undefined;
  /** See `createMemory`; default for a server 1 GiB, for a handler without limit. */
  readonly memory?: Memory | undefined;
}

/** A backend that stores the records elsewhere. */
export interface RouteBackend {
  /** Validates a request by its route, and runs it. */
  readonly run: (
    route: Route,
    address: Address,
    unread: UnreadRequest,
  ) => RawReply | Promise<RawReply>;
  /** Routes that replace the engine's at the same paths. */
  readonly routes: readonly Route[];
}

export interface Service {
  readonly engine: AnyEngine;
  readonly run: RouteBackend["run"];
  /** Timeout of a request in milliseconds; 0 for no limit. */
  readonly limitMs: number;
  readonly closed: boolean;
  readonly region: string | undefined;
  readonly basePath: string;
  readonly bodyBytes: number;
  /** Default the URL of the request. */
  readonly publicUrl: string | undefined;
  readonly cors: "*" | ReadonlySet<string>;
  /** If absent, hosts and origins are not checked. */
  readonly hosts: "*" | ReadonlySet<string> | undefined;
  readonly controlKey: string | undefined;
  readonly workspace: string | undefined;
  readonly faults: Faults | undefined;
  readonly journal: Journal | undefined;
  readonly memory: Memory;
  readonly table: RouteTable;
  readonly stats: BranchStats;
  readonly clientCache: WriteDelay;
  /** The workspaces for requests without one; see {@link findDefaultWorkspace}. */
  readonly workspaces: LookupCache<string | undefined>;
  /** Ids of workspaces by the names in addresses; see {@link findWorkspaceId}. */
  readonly workspaceIds: LookupCache<string>;
  /** The time of the first call: the creation time of open mode's key. RFC 3339, UTC. */
  readonly openedAt: () => string;
  readonly nextRequestId: () => string;
}

const HOST = s.mapped(s.textOf(1, 255), (name) => {
  const isAddress = name.includes(":") && !name.startsWith("[") && name !== "::";
  return (isAddress ? `[${name}]` : name).toLowerCase();
});

const OPTIONS = s.reading(
  s.objectOf({}, {
    workspace: s.TEXT,
    region: s.reading(s.textOf(1, 255), { rule: "D-1" }),
    basePath: BASE_PATH,
    users: s.ANYTHING, // read when they are created, as the others are where they were created
    faults: s.ANYTHING,
    journal: s.ANYTHING,
    control: s.ANYTHING,
    memory: s.parsed(s.ANYTHING, "the result of createMemory", (given) =>
      given instanceof Memory ? given : undefined,
    ),
    workspaces: s.reading(s.arrayOf(s.TEXT), { expected: "an array of strings" }),
    publicUrl: s.parsed(
      s.TEXT,
      "a URL that begins with http:// or https://",
      (url) =>
        typeof url === "string" && /^https?:\/\//.test(url) ? url.replace(/\/$/, "") : undefined,
      "H-4",
    ),
    auth: s.reading(s.oneOf(["open", "closed"]), { rule: "U-1" }),
    bodyBytes: s.reading(s.wholeOf(0), { rule: "L-2" }),
    cors: listOrAll(s.TEXT, 'origins, or "*"', "E-3"),
    hosts: listOrAll(HOST, 'names of hosts, or "*"', "E-7"),
  } satisfies { readonly [option in keyof HandlerOptions]-?: unknown }),
  { what: "options" },
);

function listOrAll(
  item: s.Schema<string>,
  expected: string,
  rule: string,
): s.Schema<"*" | ReadonlySet<string>> {
  const list = s.mapped(s.reading(s.arrayOf(item), { expected, rule }), (all) => new Set(all));
  return { anyOf: [s.reading({ type: "string", const: "*" }, { expected, rule }), list] };
}

/** Creates missing workspaces and users from the options. */
export function prepareEngine(
  engine: AnyEngine,
  { workspaces = [], users = [] }: HandlerOptions,
): void {
  const ids = new Set(engine.workspaces().map(({ id }) => id.toLowerCase()));
  for (const id of workspaces) {
    if (!ids.has(id.toLowerCase())) engine.createWorkspace(id);
  }
  for (const user of users) {
    const { keys } = user;
    const isKnown = isArray(keys) && keys.some((key) => engine.userByKey(key) !== null);
    if (!isKnown) engine.createUser(user);
  }
}

/**
 * Opens an engine's service; {@link prepareEngine} creates the workspaces and users of its options.
 *
 * @param queryMs timeout of a request if the engine has none
 */
export function openService(
  engine: AnyEngine,
  options: HandlerOptions,
  { run, routes }: RouteBackend,
  queryMs = 0,
): Service {
  if (typeof (engine as { readonly hasKeys?: unknown } | null)?.hasKeys !== "function") {
    refuseValue(engine, "an engine, or a database of openPostgres", {
      what: "engine",
      rule: "E-3",
    });
  }
  const { users = [], control } = options;
  const { bodyBytes = engine.limits.bodyBytes, ...read } = readBySchema(OPTIONS, options);
  const {
    workspace,
    region,
    basePath = "",
    publicUrl,
    auth,
    cors = new Set<string>(),
    hosts,
  } = read;
  const { memory = new Memory(Number.POSITIVE_INFINITY) } = read;
  if (engine instanceof Engine) {
    enableFiles(engine);
    if (options.memory !== undefined) Engine.contextOf(engine).memory = memory;
  }
  const faults = options.faults ?? control?.faults;
  const journal = options.journal ?? control?.journal;
  if (options.memory !== undefined) journal?.chargeTo?.(memory);
  const controlRoutes =
    control && faults && journal && control.routes(engine, { faults, journal, memory });
  const more = controlRoutes === undefined ? routes : [...routes, ...controlRoutes];
  const keys = createLookupCache<boolean>(engine);
  const hasKeys = (): boolean => keys("", () => engine.hasKeys());
  let isClosed = users.length > 0 || hasKeys();
  const requestTail = idTail(readUint48(deriveKey(engine.seed, "ids"), 6), 10);
  let requests = 0;
  let openedAt: string | undefined;
  return {
    engine,
    run,
    limitMs: engine.limits.queryMs || queryMs,
    get closed() {
      if (auth !== undefined) return auth === "closed";
      // Never reopens: deleting the last user must not admit everybody.
      isClosed ||= hasKeys();
      return isClosed;
    },
    region,
    basePath,
    bodyBytes,
    publicUrl,
    cors,
    hosts,
    controlKey: control?.key,
    workspace,
    faults,
    journal,
    memory,
    table: basePath === "" && more.length === 0 ? ROUTE_TABLE : createRouteTable(more, basePath),
    stats: statsOf(engine),
    clientCache: createWriteDelay(),
    workspaces: createLookupCache(engine),
    workspaceIds: createLookupCache(engine),
    openedAt: () => {
      openedAt ??= formatInstant(Math.floor(engine.clock.now()), 0);
      return openedAt;
    },
    nextRequestId: () => `req_${(requests++).toString(32).padStart(10, "0")}${requestTail}`,
  };
}

/**
 * Returns a warning if a closed service derives its secrets from an explicit seed (rule A-5): the
 * seed reveals the keys.
 */
export function warnOfSeed(
  engine: AnyEngine,
  { auth, users = [] }: Pick<HandlerOptions, "auth" | "users">,
): string | undefined {
  const isClosed = auth === undefined ? users.length > 0 || engine.hasKeys() : auth === "closed";
  if (!isClosed || !streamsOf(engine).isSeeded) return undefined;
  return "the service is closed, but its engine has an explicit seed: keys, invitations and file URLs can be computed from it";
}

export function keyOf(request: IncomingRequest): string | undefined {
  return /^Bearer +(.+)$/i.exec(request.header("authorization") ?? "")?.[1]?.trim();
}

/**
 * Returns the user of a key (rule U-1). Closed mode rejects missing and unknown keys, and those
 * created by callers of open mode; open mode rejects deleted keys.
 */
export function findCaller({ engine, closed }: Service, key = ""): UserRecord | undefined {
  if (!closed && !engine.isDeletedKey(key)) return engine.user(BUILT_IN_USER_ID)!; // always there
  return isOpenOnlyKey(engine, key) ? undefined : (engine.userByKey(key) ?? undefined);
}

/**
 * Returns the workspace of a request without one: the default or the only one; if that has no
 * database of the given name, the only other one that does (rule D-6). Ignores workspaces that are
 * not visible to the caller (rule U-1).
 */
export function findDefaultWorkspace(
  service: Service,
  { caller, closed }: Pick<Address, "caller" | "closed">,
  database = "",
): string | undefined {
  const { engine, workspaces } = service;
  return workspaces(`${closed ? caller.id : ""} ${database}`, () => {
    const access = { engine, caller, closed };
    const workspace = service.workspace && findWorkspaceId(service, access, service.workspace);
    const isSeen = (id: string): boolean => seesWorkspace(access, id);
    const has = (id: string): boolean => engine.hasDatabase(id, database);
    if (workspace !== undefined && isSeen(workspace) && has(workspace)) return workspace;
    const seen = engine.workspaces().filter(({ id }) => isSeen(id));
    const first = workspace ?? (seen.length === 1 ? seen[0]?.id : undefined);
    const holders = seen.filter(({ id }) => has(id));
    if (holders.length === 1) return holders[0]?.id;
    return first !== undefined && isSeen(first) ? first : undefined;
  });
}

/**
 * Returns the id of the visible workspace that an address names, in any case (rule D-5). Under
 * `xata` the part before its last `-` and six characters is a display name, which may differ.
 * Returns the name itself if no workspace, or more than one, matches.
 */
export function findWorkspaceId(
  { engine, workspaceIds }: Service,
  { caller, closed }: Pick<Address, "caller" | "closed">,
  name: string,
): string {
  return workspaceIds(`${closed ? caller.id : ""} ${name}`, () => {
    const all = engine.workspaces().map(({ id }) => id);
    const seen = all.filter((id) => seesWorkspace({ engine, caller, closed }, id));
    const lower = name.toLowerCase();
    const suffix = engine.profile.base !== "documented" && /-[0-9a-z]{6}$/.exec(lower)?.[0];
    const matches = [
      (id: string) => id === name,
      (id: string) => id.toLowerCase() === lower,
      (id: string) => suffix && id.toLowerCase().endsWith(suffix),
    ];
    const [found = []] = matches.map((test) => seen.filter(test)).filter(({ length }) => length);
    return found.length === 1 ? found[0]! : name;
  });
}
