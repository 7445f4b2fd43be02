import { BUILT_IN_USER_ID } from "../catalog/users.js";
import { type AnyEngine, flushedOf, runWithin } from "../engine.js";
import { shorten, TwinbaseError } from "../errors.js";
import type { Address } from "./address.js";
import { answerError, answerWritten, isLengthError, refuseLong } from "./answer.js";
import { belowBasePath } from "./base-path.js";
import { decodeBody, decodeSegment, parseBody } from "./body.js";
import { placeOf, placesIn } from "./branch-stats.js";
import { type Call, describeCall } from "./call.js";
import { allowOrigin, answerPreflight } from "./cors.js";
import { injectFault } from "./faults.js";
import type { Journal } from "./journal.js";
import type { Match, Target } from "./match.js";
import type { Answer, IncomingRequest, RequestBody, Written } from "./message.js";
import { isForeign, refuseForeign, requireJsonType } from "./origin.js";
import { isControl, readPlace } from "./place.js";
import { type GivenContent, type GivenRequest, type Route, runRoute } from "./route.js";
import { hideInJson, hideInUrl } from "./secrets.js";
import {
  findCaller,
  findDefaultWorkspace,
  type HandlerOptions,
  keyOf,
  openService,
  prepareEngine,
  type Service,
} from "./service.js";

const MAX_SHOWN_PATH = 100;

/** Answers a request; never rejects (rule E-5). */
export type Responder = (request: IncomingRequest) => Promise<Answer>;

/** A backend that stores the records elsewhere. */
export interface RouteBackend {
  /** Validates a request by its route, and runs it. */
  readonly run: (route: Route, address: Address, given: GivenRequest) => Written | Promise<Written>;
  /** Routes that replace the engine's at the same paths. */
  readonly routes: readonly Route[];
}

const IN_MEMORY: RouteBackend = { run: runRoute, routes: [] };

interface Responding {
  readonly service: Service;
  readonly limitMs: number;
  readonly run: RouteBackend["run"];
}

interface Arrival {
  readonly request: IncomingRequest;
  readonly id: string;
  readonly target: Target;
}

/**
 * Creates the responder of an engine, for any transport.
 *
 * @param queryMs timeout of a request if the engine has none; 0 for no limit
 * @throws TwinbaseError `invalid_request` for an unknown or invalid option.
 */
export function createResponder(
  engine: AnyEngine,
  options: HandlerOptions = {},
  queryMs = 0,
  backend: RouteBackend = IN_MEMORY,
): Responder {
  const service = openService(engine, options, backend.routes);
  prepareEngine(engine, options);
  return respondFor({ service, limitMs: engine.limits.queryMs || queryMs, run: backend.run });
}

export function respondFor(responding: Responding): Responder {
  const { service } = responding;
  const { engine, basePath } = service;
  return (given) => {
    const id = service.nextRequestId();
    const fail = (error: unknown): Answer => answerError(id, error, engine.profile.base);
    try {
      const request = basePath === "" ? given : belowBasePath(given, basePath);
      refuseForeign(service, request); // before a fault strikes
      const place = readPlace(request.host, request.path);
      const target = { ...place, found: service.table.match(place.segments) };
      const arrival = { request, id, target };
      // Control routes bypass faults and the journal.
      const isPlain = service.faults === undefined && service.journal === undefined;
      if (isPlain || isControl(place)) return answerArrival(responding, arrival);
      // Faults and journal are the caller's and may throw.
      return answerObserved(responding, arrival).catch(fail);
    } catch (error) {
      return Promise.resolve(fail(error));
    }
  };
}

async function answerArrival(responding: Responding, arrival: Arrival): Promise<Answer> {
  const { service } = responding;
  const { engine } = service;
  const { request, id, target } = arrival;
  const arrivedAt = Date.now();
  let answer: Answer;
  try {
    answer = answerPreflight(service, request, id) ?? (await respond(responding, arrival));
  } catch (error) {
    answer = answerError(id, error, engine.profile.base);
  }
  try {
    // Flush before answering.
    const flushed = flushedOf(engine);
    if (flushed !== undefined) await flushed;
  } catch (error) {
    answer = answerError(id, error, engine.profile.base);
  }
  const following = service.clientCache.follow(request, arrivedAt, target.found?.routes);
  if (following !== undefined) await following;
  allowOrigin(service, request, answer);
  return answer;
}

/** Applies a service's faults, and records the call in its journal. */
async function answerObserved(responding: Responding, arrival: Arrival): Promise<Answer> {
  const { service } = responding;
  const { faults, journal } = service;
  const { id, target } = arrival;
  const start = performance.now();
  const call = describeCall(arrival.request, target);
  const request = keepBody(arrival.request);
  const answer = (): Promise<Answer> => answerArrival(responding, { ...arrival, request });
  const rule = faults?.strike(call);
  // An injected answer reads no body; the journal needs it.
  if (rule && journal) await request.readBytes(service.bodyBytes).catch(() => {});
  const answered = await (rule ? injectFault(rule, request, id, answer) : answer());
  allowOrigin(service, request, answered);
  if (journal !== undefined) record(journal, call, await request.bodyRead(), answered, start);
  return answered;
}

/** Records a call without its secrets. */
function record(
  journal: Journal,
  call: Call,
  request: string | undefined,
  answer: Answer,
  start: number,
): void {
  const { path, search } = call;
  const { body } = answer;
  const text = body instanceof Uint8Array ? new TextDecoder().decode(body) : body;
  journal.add(
    { ...call, path: hideInUrl(path), search: hideInUrl(search) },
    request && hideInJson(request),
    { ...answer, body: text && hideInJson(text) },
    performance.now() - start,
  );
}

/** Returns the request with a body that can be read repeatedly. */
function keepBody(
  given: IncomingRequest,
): IncomingRequest & { bodyRead: () => Promise<string | undefined> } {
  let body: Promise<Uint8Array> | undefined;
  const readBytes = (maxBytes: number): Promise<Uint8Array> => {
    body ??= given.readBytes(maxBytes);
    return body;
  };
  return {
    bodyRead: async () =>
      body?.then(
        (bytes) => new TextDecoder().decode(bytes),
        () => undefined,
      ),
    ...given,
    readBytes,
  };
}

/** Checks a request in the order of rule E-6, and runs its route. */
async function respond(
  { service, limitMs, run }: Responding,
  { request, id, target }: Arrival,
): Promise<Answer> {
  const { engine, closed, region, openedAt, stats } = service;
  const { workspace, segments } = target;
  const inControl = isControl(target);
  // Pages of other origins never reach control routes, whatever `cors` allows.
  const found = inControl && isForeign(request, service) ? undefined : target.found;
  if (found === undefined && isLookAtRoot(request, segments) && hasControl(service)) {
    const location = `${service.basePath}/_twinbase/`;
    return { status: 302, headers: { location }, body: undefined };
  }
  const isPublic = found?.routes.get(request.method)?.isPublic === true;
  const { controlKey } = service;
  const key = keyOf(request);
  const isController = controlKey !== undefined && inControl && key === controlKey;
  const builtIn = engine.user(BUILT_IN_USER_ID)!; // always there
  const user = isController ? builtIn : findCaller(service, key);
  if (user === undefined && !isPublic) {
    const rule = key !== undefined && engine.isDeletedKey(key) ? "A-1" : "U-1";
    throw new TwinbaseError("unauthorized", "invalid API key", { rule });
  }
  if (found === undefined) {
    throw new TwinbaseError(
      "route_not_found",
      `no such route: ${shorten(request.path, MAX_SHOWN_PATH)}${hintFor(service, segments)}`,
      { rule: "E-3" },
    );
  }
  const route = found.routes.get(request.method);
  if (route === undefined) return answerMethod(service, request, found, id);
  const body = route.takesContent
    ? readContent(request, await request.readBytes(service.bodyBytes))
    : parseBody(route.body === undefined ? "" : await readText(service, request));
  const hasKey = key !== undefined && user !== undefined;
  const access = { caller: user ?? builtIn, hasKey, closed: closed && !isController };
  const names: Record<string, string> = {};
  for (const [name, given] of found.names) names[name] = decodeSegment(given);
  const database = names.db_name ?? names.db_branch_name?.split(":")[0];
  const address: Address = {
    engine,
    region,
    ...access,
    openedAt,
    stats,
    workspace:
      workspace === undefined
        ? findDefaultWorkspace(service, access, database)
        : decodeSegment(workspace),
    names,
  };
  const { search } = request;
  // A write with a too long answer is undone; only writes of several records can have one.
  const isWrite = route.touches !== "catalog" && !route.reads;
  const isAtomic = isWrite && (GIVES_LINKED.test(search) || isBatch(body));
  const publicUrl = service.publicUrl ?? `${request.origin}${service.basePath}`;
  for (let room = request.room?.(); room !== undefined; room = request.room?.()) await room;
  try {
    const bounds = { ms: limitMs, publicUrl, isAtomic };
    const written = runWithin(engine, bounds, () => run(route, address, { search, body }));
    // Awaiting a plain value would cost a microtask.
    const answer = answerWritten(id, written instanceof Promise ? await written : written);
    request.hold?.(answer.body?.length ?? 0);
    countRequest(address, route, body);
    return answer;
  } catch (error) {
    if (isLengthError(error)) refuseLong();
    throw error;
  }
}

function isLookAtRoot(request: IncomingRequest, segments: readonly string[]): boolean {
  const isRoot = segments.every((segment) => segment === "");
  return isRoot && request.method === "GET" && /text\/html/.test(request.header("accept") ?? "");
}

function hasControl({ table }: Service): boolean {
  return table.match(["_twinbase", "health"]) !== undefined;
}

function hintFor(service: Service, segments: readonly string[]): string {
  const { basePath } = service;
  const isControlled = hasControl(service);
  if (isControl({ segments })) {
    return isControlled ? "" : "; start with --control, or pass `control` to the handler";
  }
  if (segments.some((segment) => segment !== "")) return "";
  const page = isControlled
    ? `, ${basePath}/_twinbase/ is the explorer`
    : "; start with --control for the explorer";
  return `; ${basePath}/openapi.json lists all routes${page}`;
}

/** Columns of linked records, whose size is unbounded. */
const GIVES_LINKED = /\.|%2e/i;

function isBatch({ records, operations }: RequestBody): boolean {
  return records !== undefined || operations !== undefined;
}

async function readText(service: Service, request: IncomingRequest): Promise<string> {
  const text = decodeBody(await request.readBytes(service.bodyBytes));
  if (text !== "" && request.method !== "GET") requireJsonType(service, request);
  return text;
}

function readContent(request: IncomingRequest, bytes: Uint8Array): RequestBody {
  const content: GivenContent = { bytes, mediaType: request.header("content-type") || undefined };
  return { ...content };
}

/** Counts a request to the records of a branch (rule K-4). */
function countRequest(
  address: Address,
  { touches, reads }: Route,
  { destinationBranch }: RequestBody,
): void {
  const { stats, engine, workspace = "", names } = address;
  const { db_branch_name: branch } = names;
  if (branch === undefined || touches === "catalog" || touches === "counts") return;
  const now = engine.clock.now();
  const isCopy = touches === "copy";
  stats.count(placeOf(address), reads || isCopy ? "reads" : "writes", now);
  if (!isCopy) return;
  const [database = ""] = branch.split(":");
  stats.count(`${placesIn(workspace, database)}${destinationBranch}/`, "writes", now);
}

function answerMethod(
  { engine }: Service,
  { method, path }: IncomingRequest,
  { routes }: Match,
  id: string,
): Answer {
  const allowed = [...routes.keys()].join(", ");
  const error = new TwinbaseError(
    "method_not_allowed",
    `${shorten(path, MAX_SHOWN_PATH)}: expected ${allowed}, found ${method}`,
    { rule: "E-3" },
  );
  const { status, headers, body } = answerError(id, error, engine.profile.base);
  return { status, headers: { ...headers, allow: allowed }, body };
}
