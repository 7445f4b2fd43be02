import type { ServiceTarget } from "../../../src/conformance/target/target.js";
import { createFetch } from "../../../src/http.js";
import { createEngine } from "../../../src/index.js";
import type { ProfileOption } from "../../../src/profile.js";

/** A request as a wrapped service sees it. */
export interface Call {
  method: string;
  /** The path, as it was sent. */
  path: string;
  search: URLSearchParams;
  /** The body as JSON; undefined where there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: bugs are planted in bodies of any shape
  body: any;
}

/** What is answered. */
export interface Reply {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: as in Call
  body: any;
}

/** Answers a request. */
export type Handler = (call: Call) => Promise<Reply>;

/** A service with something wrong put around it. */
export type Wrap = (next: Handler) => Handler;

const WORKSPACE = "w";
const HOST = "https://w.us-east-1.test";

/** A target whose `fetch` a wrap changes; its clock and ids are always the same. */
export function createTarget(
  wrap: Wrap = (next) => next,
  settings: { profile?: ProfileOption; engineProfile?: ProfileOption } = {},
): ServiceTarget {
  const { profile = "documented", engineProfile = profile } = settings;
  const engine = createEngine({ profile: engineProfile, seed: 1, now: 0 });
  engine.createWorkspace(WORKSPACE);
  const send = createFetch(engine, { workspace: WORKSPACE });
  const handle = wrap(async ({ method, path, search, body }) => {
    const init: RequestInit = { method };
    if (body !== undefined) init.body = typeof body === "string" ? body : JSON.stringify(body);
    const query = search.size === 0 ? "" : `?${search}`;
    const response = await send(`${HOST}${path}${query}`, init);
    const text = await response.text();
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) };
  });
  return {
    workspaceUrl: HOST,
    controlUrl: HOST,
    workspace: WORKSPACE,
    profile,
    capabilities: { http: false, user: false, large: false },
    async fetch(address, { method = "GET", body: text }) {
      const url = new URL(address);
      const call = { method, path: url.pathname, search: url.searchParams };
      const given = typeof text === "string" && text !== "" ? JSON.parse(text) : undefined;
      const reply = await handle({ ...call, body: given });
      const body = reply.body === undefined ? null : JSON.stringify(reply.body);
      return new Response(body, { status: reply.status });
    },
  };
}
