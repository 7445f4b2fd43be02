import { BUILT_IN_USER_ID } from "../catalog/users.js";
import type { Memory } from "../engine/memory.js";
import { type AnyEngine, flushedOf, runWithin } from "../engine.js";
import { refuse, shorten } from "../errors.js";
import { sizeOfJson } from "../value/size.js";
import type { Address } from "./address.js";
import { answerError, answerWritten, isLengthError, refuseLong } from "./answer.js";
import { decodeBody, decodeSegment, parseBody } from "./body.js";
import { placeOf, placesIn } from "./branch-stats.js";
import { type Call, describeCall } from "./call.js";
import { allowOrigin, answerPreflight } from "./cors.js";
import { type Exchange, openExchange } from "./exchange.js";
import { injectFault } from "./faults.js";
import type { Journal } from "./journal.js";
import type { Match } from "./match.js";
import type { Answer, IncomingRequest, RequestBody } from "./message.js";
import { isForeign, refuseForeign, requireJsonType } from "./origin.js";
import { isControl } from "./request-target.js";
import { type Route, runRoute, type UnreadContent } from "./route.js";
import { hideInJson, hideInUrl } from "./secrets.js";
import {
  findCaller,
  findDefaultWorkspace,
  findWorkspaceId,
  type HandlerOptions,
  keyOf,
  openService,
  prepareEngine,
  type RouteBackend,
  type Service,
} from "./service.js";

const MAX_SHOWN_PATH = 100;
/** For the journal. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Answers a request; never rejects (rule E-5). */
export type Responder = (request: IncomingRequest) => Promise<Answer>;

/** A backend that stores the records elsewhere, such as a database. */
export interface RemoteBackend {
  /** Opens the responder of the backend. */
  openResponder(options: HandlerOptions): Promise<Responder>;
  /** Returns a warning if the options are unsafe. */
  warnOf(options: HandlerOptions): string | undefined;
}

const IN_MEMORY: RouteBackend = { run: runRoute, routes: [] };

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
  const service = openService(engine, options, backend, queryMs);
  prepareEngine(engine, options);
  return respondFor(service);
}

export function respondFor(service: Service): Responder {
  return (request) => {
    const id = service.nextRequestId();
    const fail = (error: unknown): Answer => answerError(id, error, service.engine.profile);
    try {
      const exchange = openExchange(service, id, request);
      refuseForeign(exchange); // before a fault strikes
      // Control routes bypass faults and the journal.
      const isPlain = service.faults === undefined && service.journal === undefined;
      if (isPlain || isControl(exchange)) return answer(exchange);
      // Faults and journal are the caller's and may throw.
      return answerObserved(exchange).catch(fail);
    } catch (error) {
      return Promise.resolve(fail(error));
    }
  };
}

async function answer(exchange: Exchange): Promise<Answer> {
  const { service, id, found } = exchange;
  const { engine } = service;
  const arrivedAt = Date.now();
  let answer: Answer;
  try {
    answer = answerPreflight(exchange) ?? (await respond(exchange));
  } catch (error) {
    answer = answerError(id, error, engine.profile);
    if (answer.status === 405) answer.headers.allow = methodsOf(found);
  }
  try {
    // Flush before answering.
    const flushed = flushedOf(engine);
    if (flushed !== undefined) await flushed;
  } catch (error) {
    answer = answerError(id, error, engine.profile);
  }
  const following = service.clientCache.follow(exchange, arrivedAt);
  if (following !== undefined) await following;
  allowOrigin(exchange, answer);
  return answer;
}

/** Applies a service's faults, and records the call in its journal. */
async function answerObserved(opened: Exchange): Promise<Answer> {
  const { id, service } = opened;
  const { faults, journal, bodyBytes } = service;
  const start = performance.now();
  const call = describeCall(opened);
  const request = keepBody(opened.request);
  const exchange = { ...opened, request };
  const rule = faults?.strike(call);
  // An injected answer reads no body; the journal needs it.
  if (rule && journal) await request.readBytes(bodyBytes).catch(() => {});
  const run = (): Promise<Answer> => answer(exchange);
  const answered = await (rule ? injectFault(rule, request, id, run) : run());
  if (rule) request.hold?.(answered.body);
  allowOrigin(exchange, answered);
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
  const text = body instanceof Uint8Array ? decoder.decode(body) : body;
  const described = JSON.stringify({ ...call, path: hideInUrl(path), search: hideInUrl(search) });
  journal.add(
    { ...call, ...(JSON.parse(hideInJson(described)) as Call) }, // only texts have changed
    request && hideInJson(request),
    { ...answer, body: text && hideInJson(text) },
    performance.now() - start,
  );
}

/** Returns the request with a body that can be read repeatedly. */
function keepBody(
  incoming: IncomingRequest,
): IncomingRequest & { bodyRead: () => Promise<string | undefined> } {
  let body: Promise<Uint8Array> | undefined;
  const readBytes = (maxBytes: number): Promise<Uint8Array> => {
    body ??= incoming.readBytes(maxBytes);
    return body;
  };
  return {
    bodyRead: async () =>
      body?.then(
        (bytes) => decoder.decode(bytes),
        () => undefined,
      ),
    ...incoming,
    readBytes,
  };
}

/** Takes the steps of a request, in the order of rule E-6. */
async function respond(exchange: Exchange): Promise<Answer> {
  const { service, id, request } = exchange;
  const { engine, run, limitMs: ms, memory } = service;
  // Pages of other origins never reach control routes, whatever `cors` allows.
  const found = isControl(exchange) && isForeign(exchange) ? undefined : exchange.found;
  if (found === undefined && isLookAtRoot(exchange) && hasControl(service)) {
    const location = `${service.basePath}/_twinbase/`;
    return { status: 302, headers: { location }, body: undefined };
  }
  const access = authenticate(exchange, found?.routes.get(request.method));
  const route = requireRoute(exchange, found);
  const hasBody = route.takesContent || route.body !== undefined;
  const bytes = hasBody ? await request.readBytes(service.bodyBytes) : NO_BYTES;
  // Before the body is parsed, which takes many times its size. No await follows until it is counted.
  for (let room = request.room?.(); room !== undefined; room = request.room?.()) await room;
  const parsedBytes = route.takesContent ? 0 : measureBody(memory, bytes);
  memory.transit(parsedBytes);
  try {
    const { body, spentMs } = readBody(exchange, route, bytes);
    const address = openAddress(exchange, access, found!.names); // it has a route
    const { search } = request;
    const publicUrl = service.publicUrl ?? `${request.origin}${service.basePath}`;
    const bounds = { ms, spentMs, publicUrl };
    const reply = runWithin(engine, bounds, () => run(route, address, { search, body }));
    // Awaiting a plain value would cost a microtask.
    const answer = answerWritten(id, reply instanceof Promise ? await reply : reply);
    if (route.isLocated && answer.status === 201) answer.headers.location = request.path;
    request.hold?.(answer.body);
    countRequest(address, route, body);
    return answer;
  } catch (error) {
    if (isLengthError(error)) refuseLong();
    throw error;
  } finally {
    memory.transit(-parsedBytes);
  }
}

/** Returns the bytes of a large body when it is parsed; throws `payload_too_large`. */
function measureBody(memory: Memory, body: Uint8Array): number {
  if (body.length < SMALL_BYTES || memory.part === Number.POSITIVE_INFINITY) return 0;
  const bytes = sizeOfJson(body);
  if (bytes > memory.part) {
    const most = `body: expected a value of at most ${memory.part} bytes in memory`;
    refuse("payload_too_large", most, { rule: "L-2" });
  }
  return bytes;
}

/** Smaller bodies are not measured: the number of connections limits them. */
const SMALL_BYTES = 64 * 1024;
const NO_BYTES = new Uint8Array(0);

type Access = Pick<Address, "caller" | "hasKey" | "closed">;

/** Finds the caller (rule U-1). The control key has all permissions in control routes. */
function authenticate(exchange: Exchange, route: Route | undefined): Access {
  const { service, request } = exchange;
  const { engine, controlKey, closed } = service;
  const key = keyOf(request);
  const isController = controlKey !== undefined && isControl(exchange) && key === controlKey;
  const builtIn = engine.user(BUILT_IN_USER_ID)!; // always there
  const user = isController ? builtIn : findCaller(service, key);
  if (user === undefined && !route?.isPublic) {
    const rule = key !== undefined && engine.isDeletedKey(key) ? "A-1" : "U-1";
    refuse("unauthorized", "invalid API key", { rule });
  }
  const hasKey = key !== undefined && user !== undefined;
  return { caller: user ?? builtIn, hasKey, closed: closed && !isController };
}

function requireRoute(exchange: Exchange, found: Match | undefined): Route {
  const { method, path } = exchange.request;
  const shown = shorten(path, MAX_SHOWN_PATH);
  if (found === undefined) {
    refuse("route_not_found", `no such route: ${shown}${hintFor(exchange)}`, { rule: "E-3" });
  }
  return (
    found.routes.get(method) ??
    refuse("method_not_allowed", `${shown}: expected ${methodsOf(found)}, found ${method}`, {
      rule: "E-3",
    })
  );
}

function methodsOf(found: Match | undefined): string {
  return [...(found?.routes.keys() ?? [])].join(", ");
}

function readBody(
  { service, request }: Exchange,
  { takesContent, body }: Route,
  bytes: Uint8Array,
): { body: RequestBody; spentMs: number } {
  if (takesContent) {
    const content: UnreadContent = {
      bytes,
      mediaType: request.header("content-type") || undefined,
    };
    return { body: { ...content }, spentMs: 0 };
  }
  if (body === undefined) return { body: {}, spentMs: 0 };
  const start = service.limitMs === 0 ? 0 : performance.now();
  const text = decodeBody(bytes);
  if (text !== "" && request.method !== "GET") requireJsonType(service, request);
  const parsed = parseBody(text);
  return { body: parsed, spentMs: service.limitMs === 0 ? 0 : performance.now() - start };
}

function openAddress(
  { service, workspace }: Exchange,
  access: Access,
  segments: Match["names"],
): Address {
  const { engine, region, openedAt, stats } = service;
  const names: Record<string, string> = {};
  for (const [name, segment] of segments) names[name] = decodeSegment(segment);
  const { workspace_id: id } = names;
  if (id !== undefined) names.workspace_id = findWorkspaceId(service, access, id);
  const database = names.db_name ?? names.db_branch_name?.split(":")[0];
  return {
    engine,
    region,
    ...access,
    openedAt,
    stats,
    workspace:
      workspace === undefined
        ? findDefaultWorkspace(service, access, database)
        : findWorkspaceId(service, access, decodeSegment(workspace)),
    names,
  };
}

function isLookAtRoot({ request, segments }: Exchange): boolean {
  const isRoot = segments.every((segment) => segment === "");
  return isRoot && request.method === "GET" && /text\/html/.test(request.header("accept") ?? "");
}

function hasControl({ table }: Service): boolean {
  return table.match(["_twinbase", "health"]) !== undefined;
}

function hintFor({ service, segments }: Exchange): string {
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

/** Counts a request to the records of a branch (rule K-4). */
function countRequest(
  address: Address,
  { operation, usesRecords, reads }: Route,
  { destinationBranch }: RequestBody,
): void {
  const { stats, engine, workspace = "", names } = address;
  const { db_branch_name: branch } = names;
  if (branch === undefined || !usesRecords) return;
  const now = engine.clock.now();
  const isCopy = operation === "copyBranch";
  stats.count(placeOf(address), reads || isCopy ? "reads" : "writes", now);
  if (!isCopy) return;
  const [database = ""] = branch.split(":");
  stats.count(`${placesIn(workspace, database)}${destinationBranch}/`, "writes", now);
}
