import { BUILT_IN_USER_ID } from "../catalog/users.js";
import { type AnyEngine, flushedOf, runWithin } from "../engine.js";
import { shorten, TwinbaseError } from "../errors.js";
import type { Address } from "./address.js";
import { answerError, answerReply, isLengthError, refuseLong } from "./answer.js";
import { belowBasePath } from "./base-path.js";
import { decodeBody, decodeSegment, parseBody } from "./body.js";
import { placeOf, placesIn } from "./branch-stats.js";
import { describeCall } from "./call.js";
import { isControl } from "./control/segment.js";
import { allowOrigin, answerPreflight } from "./cors.js";
import { injectFault } from "./faults.js";
import type { Match } from "./match.js";
import type { Answer, IncomingRequest, Reply, RequestBody } from "./message.js";
import { isForeign, refuseForeign, requireJsonType } from "./origin.js";
import { readPlace } from "./place.js";
import type { GivenContent, Route } from "./route.js";
import {
  authenticate,
  findDefaultWorkspace,
  type HandlerOptions,
  keyOf,
  openService,
  type Service,
} from "./service.js";

/** Of an address, in a message. */
const MAX_SHOWN_PATH = 100;

/** Answers a request; never rejects, whatever is sent (rule E-5). */
export type Responder = (request: IncomingRequest) => Promise<Answer>;

/** Lets a route act on what a request names. */
export type RunRoute = (
  route: Route,
  address: Address,
  search: string,
  body: RequestBody,
) => Reply | Promise<Reply>;

/** What acts where the records are not the engine's. */
export interface RouteBackend {
  readonly runRoute: RunRoute;
  /** Routes in place of those that the engine answers at their paths. */
  readonly routes: readonly Route[];
}

const OWN: RouteBackend = {
  runRoute: (route, address, search, body) => route.run(address, search, body),
  routes: [],
};

/**
 * Makes what answers the requests to an engine, however they come.
 *
 * @param queryMs how long a request may work where the engine has no limit of its own; 0: any time
 * @param backend for routes that act on more than the engine
 * @throws TwinbaseError `invalid_request` for an unknown or unfit option.
 */
export function createResponder(
  engine: AnyEngine,
  options?: HandlerOptions,
  queryMs = 0,
  { runRoute, routes }: RouteBackend = OWN,
): Responder {
  const service = openService(engine, options, routes);
  const respondAtRoot = createRootResponder(service, engine.limits.queryMs || queryMs, runRoute);
  const { basePath } = service;
  if (basePath === "") return respondAtRoot;
  return async (request) => {
    let below: IncomingRequest;
    try {
      below = belowBasePath(request, basePath);
    } catch (error) {
      return answerError(service.nextRequestId(), error, engine.profile.base);
    }
    return respondAtRoot(below);
  };
}

function createRootResponder(service: Service, limitMs: number, runRoute: RunRoute): Responder {
  const { engine } = service;
  const answerRequest = async (request: IncomingRequest, id: string): Promise<Answer> => {
    let answer: Answer;
    try {
      answer =
        answerPreflight(service, request, id) ??
        (await respond({ service, limitMs, runRoute }, request, id));
    } catch (error) {
      answer = answerError(id, error, engine.profile.base);
    }
    try {
      // Nothing is told before it is kept.
      const flushed = flushedOf(engine);
      if (flushed !== undefined) await flushed;
    } catch (error) {
      answer = answerError(id, error, engine.profile.base);
    }
    allowOrigin(service, request, answer);
    return answer;
  };
  const { faults, journal } = service;
  const answerAsTold = async (given: IncomingRequest, id: string): Promise<Answer> => {
    // What controls faults and journal is neither struck nor written down.
    if (isControl(readPlace(given.host, given.path).segments)) return answerRequest(given, id);
    const start = performance.now();
    const call = describeCall(given);
    const request = keepBody(given);
    const rule = faults?.strike(call);
    if (rule === undefined) {
      const answer = await answerRequest(request, id);
      journal?.add(call, await request.bodyRead(), answer, performance.now() - start);
      return answer;
    }
    // An answer made up reads no body; the journal tells what was asked all the same.
    if (journal !== undefined) await request.readBytes(service.bodyBytes).catch(() => {});
    const answer = await injectFault(rule, request, id, () => answerRequest(request, id));
    allowOrigin(service, request, answer);
    journal?.add(call, await request.bodyRead(), answer, performance.now() - start);
    return answer;
  };
  const isPlain = faults === undefined && journal === undefined;
  return (given) => {
    const id = service.nextRequestId();
    const fail = (error: unknown): Answer => answerError(id, error, engine.profile.base);
    try {
      refuseForeign(service, given); // before it could use up a fault
    } catch (error) {
      return Promise.resolve(fail(error));
    }
    // Faults and journal are given by whoever serves, and may fail in ways of their own.
    return isPlain ? answerRequest(given, id) : answerAsTold(given, id).catch(fail);
  };
}

/** The same request, of which the body can be had again once it was read. */
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
    readBody: async (maxBytes) => decodeBody(await readBytes(maxBytes)),
    readBytes,
  };
}

/** What every request is answered with. */
interface Responding {
  readonly service: Service;
  readonly limitMs: number;
  readonly runRoute: RunRoute;
}

/** Checks a request in the order of rule E-6, and lets its route act. */
async function respond(
  { service, limitMs, runRoute }: Responding,
  request: IncomingRequest,
  id: string,
): Promise<Answer> {
  const { engine, closed, region, openedAt, stats } = service;
  const { workspace, segments } = readPlace(request.host, request.path);
  // A page of another origin never reaches control, whatever `cors` allows.
  const isHidden = isControl(segments) && isForeign(request, service);
  const found = isHidden ? undefined : service.table.match(segments);
  if (found === undefined && isLookAtRoot(request, segments) && hasControl(service)) {
    return {
      status: 302,
      headers: { location: `${service.basePath}/_twinbase/` },
      body: undefined,
    };
  }
  const isPublic = found?.routes.get(request.method)?.isPublic === true;
  const isController =
    service.controlKey !== undefined &&
    isControl(segments) &&
    keyOf(request) === service.controlKey;
  const caller =
    isPublic || isController ? engine.user(BUILT_IN_USER_ID)! : authenticate(service, request);
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
  const names: Record<string, string> = {};
  for (const [name, given] of found.names) names[name] = decodeSegment(given);
  const database = names.db_name ?? names.db_branch_name?.split(":")[0];
  const address: Address = {
    engine,
    region,
    caller,
    closed,
    isController,
    openedAt,
    stats,
    workspace:
      workspace === undefined
        ? findDefaultWorkspace(service, caller, database)
        : decodeSegment(workspace),
    names,
  };
  // Only what gives several records back can be too long to be told: it is undone then.
  const isWrite = route.touches === "records" && request.method !== "GET";
  const mayBeLong = isWrite && (GIVES_LINKED.test(request.search) || isBatch(body));
  const run = () => runRoute(route, address, request.search, body);
  try {
    const publicUrl = service.publicUrl ?? `${request.origin}${service.basePath}`;
    const reply = runWithin(engine, { ms: limitMs, publicUrl, isAtomic: mayBeLong }, run);
    // Waiting for what is there already would cost each request a turn of the queue of promises.
    const answer = answerReply(id, reply instanceof Promise ? await reply : reply);
    countRequest(address, route, body);
    return answer;
  } catch (error) {
    if (isLengthError(error)) refuseLong();
    throw error;
  }
}

/** Whether a browser asks for the root. */
function isLookAtRoot(request: IncomingRequest, segments: readonly string[]): boolean {
  const isRoot = segments.every((segment) => segment === "");
  return isRoot && request.method === "GET" && /text\/html/.test(request.header("accept") ?? "");
}

function hasControl({ table }: Pick<Service, "table">): boolean {
  return table.match(["_twinbase", "health"]) !== undefined;
}

/** What somebody who looks around may have wanted of a path that leads nowhere. */
function hintFor({ basePath, table }: Service, segments: readonly string[]): string {
  const isControlled = hasControl({ table });
  if (isControl(segments)) {
    return isControlled ? "" : "; start with --control, or give the handler `control`";
  }
  if (segments.some((segment) => segment !== "")) return "";
  const page = isControlled
    ? `, ${basePath}/_twinbase/ shows it in a browser`
    : "; start with --control to see it in a browser";
  return `; ${basePath}/openapi.json describes what there is${page}`;
}

/** In a query string: columns that may be those of linked records, which no rule keeps short. */
const GIVES_LINKED = /\.|%2e/i;

function isBatch({ records, operations }: RequestBody): boolean {
  return records !== undefined || operations !== undefined;
}

/** The body of a route that takes JSON. */
async function readText(service: Service, request: IncomingRequest): Promise<string> {
  const text = await request.readBody(service.bodyBytes);
  if (text !== "" && request.method !== "GET") requireJsonType(service, request);
  return text;
}

/** The body of a route that takes content. */
function readContent(request: IncomingRequest, bytes: Uint8Array): RequestBody {
  const content: GivenContent = { bytes, mediaType: request.header("content-type") || undefined };
  return { ...content };
}

/** Counts a request that was done, where it reached the records of a branch (rule K-4). */
function countRequest(
  address: Address,
  { touches, method, operation }: Route,
  { destinationBranch }: RequestBody,
): void {
  const { stats, engine, workspace = "", names } = address;
  const { db_branch_name: branch } = names;
  if (branch === undefined || touches === "catalog" || operation === "getBranchStats") return;
  const now = engine.clock.now();
  const isCopy = operation === "copyBranch";
  const isRead = touches === "query" || method === "GET" || isCopy;
  stats.count(placeOf(address), isRead ? "reads" : "writes", now);
  if (!isCopy) return;
  const [database = ""] = branch.split(":");
  stats.count(`${placesIn(workspace, database)}${destinationBranch}`, "writes", now);
}

/** A known route with another method: 405, and which there are (rule E-3). */
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
