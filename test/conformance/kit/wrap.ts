import type { ServiceTarget } from "../../../src/conformance/target/target.js";
import type { EngineContext } from "../../../src/engine/context.js";
import { Engine } from "../../../src/engine.js";
import { createFetch } from "../../../src/http.js";
import { createEngine } from "../../../src/index.js";
import type { ProfileOption } from "../../../src/profile.js";

/** A request to a wrapped service. */
export interface Call {
  method: string;
  /** The path as sent. */
  path: string;
  search: URLSearchParams;
  /** The body as JSON, or as text for a file. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies of any shape
  body: any;
  /** The media type of a file's content. */
  mediaType?: string | undefined;
  authorization?: string | undefined;
}

export interface Reply {
  status: number;
  mediaType?: string | undefined;
  headers?: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: as in Call
  body: any;
}

/** Answers a request. */
export type Handler = (call: Call) => Promise<Reply>;

/** Wraps a service with a bug. */
export type Wrap = (next: Handler) => Handler;

// biome-ignore lint/suspicious/noExplicitAny: as in Call
type Change = (body: any, call: Call) => any;

/** Whether a call is a POST to a path with an end such as `/query`. */
export const isPost = ({ method, path }: Call, end: string): boolean =>
  method === "POST" && path.endsWith(end);

/** Changes the request bodies of one kind of call. */
export const changeRequests =
  (end: string, change: Change): Wrap =>
  (next) =>
  (call) =>
    next(
      isPost(call, end) ? { ...call, body: change(structuredClone(call.body ?? {}), call) } : call,
    );

/** Changes the successful answers to one kind of call. */
export const changeAnswers =
  (end: string, change: Change): Wrap =>
  (next) =>
  async (call) => {
    const reply = await next(call);
    if (!isPost(call, end) || reply.status !== 200) return reply;
    return { ...reply, body: change(structuredClone(reply.body), call) };
  };

export interface Planted {
  readonly wrap: Wrap;
  /** Default `documented`. */
  readonly profile?: ProfileOption;
  /** The profile of the engine, if it differs from that of the service. */
  readonly engineProfile?: ProfileOption;
  /** Damages the engine. */
  readonly damage?: (context: EngineContext) => void;
}

/** Bugs by rules and name: `F-2, F-3: name`. */
export type Bugs = Readonly<Record<string, Wrap | Planted>>;

const WORKSPACE = "w";
const HOST = "https://w.us-east-1.test";

/** Whether the body of a call, or of its answer, is the content of a file. */
const isContent = ({ path }: Call): boolean => /\/file(\/|$)/.test(path);

/** A deterministic target with a wrapped `fetch`. */
export function createTarget(
  wrap: Wrap = (next) => next,
  settings: Omit<Planted, "wrap"> = {},
): ServiceTarget {
  const { profile = "documented", engineProfile = profile, damage } = settings;
  const engine = createEngine({ profile: engineProfile, seed: 1, now: 0 });
  damage?.(Engine.contextOf(engine));
  engine.createWorkspace(WORKSPACE);
  const send = createFetch(engine, { workspace: WORKSPACE });
  const handle = wrap(async (call) => {
    const { method, path, search, body, mediaType, authorization } = call;
    const init: RequestInit = {
      method,
      headers: {
        ...(mediaType !== undefined && { "content-type": mediaType }),
        ...(authorization !== undefined && { authorization }),
      },
    };
    if (body !== undefined) init.body = typeof body === "string" ? body : JSON.stringify(body);
    const query = search.size === 0 ? "" : `?${search}`;
    const response = await send(`${HOST}${path}${query}`, init);
    const { status } = response;
    const text = await response.text();
    if (method === "GET" && isContent(call) && status === 200) {
      return { status, body: text, mediaType: response.headers.get("content-type") ?? undefined };
    }
    const location = response.headers.get("location");
    const headers = location === null ? {} : { location };
    return { status, headers, body: text === "" ? undefined : JSON.parse(text) };
  });
  return {
    workspaceUrl: HOST,
    controlUrl: HOST,
    workspace: WORKSPACE,
    profile,
    capabilities: { http: false, user: false, large: false },
    async fetch(address, { method = "GET", body: text, headers }) {
      const url = new URL(address);
      const authorization = new Headers(headers).get("authorization") ?? undefined;
      const place = { path: url.pathname, search: url.searchParams };
      const call = { method, ...place, authorization, body: undefined };
      if (isContent(call)) {
        const mediaType = new Headers(headers).get("content-type") ?? undefined;
        return respond(await handle({ ...call, body: text, mediaType }));
      }
      const given = typeof text === "string" && text !== "" ? JSON.parse(text) : undefined;
      return respond(await handle({ ...call, body: given }));
    },
  };
}

function respond({ status, body, mediaType, headers = {} }: Reply): Response {
  if (mediaType !== undefined) {
    return new Response(body, { status, headers: { "content-type": mediaType } });
  }
  return new Response(body === undefined ? null : JSON.stringify(body), { status, headers });
}
