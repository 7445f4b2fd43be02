import type { AnyEngine } from "./engine.js";
import { createResponder, type RemoteBackend, type Responder } from "./http/responder.js";
import type { HandlerOptions } from "./http/service.js";
import { type Fetch, fetchOf, type Handler, handlerOf } from "./http/web.js";

export { createMemory, type Memory } from "./engine/memory.js";
export type { Call, CallPattern } from "./http/call.js";
export { type Control, type ControlOptions, createControl } from "./http/control/control.js";
export type { ControlledCalls } from "./http/control/controlled.js";
export {
  createFaults,
  type Fault,
  type FaultAnswer,
  type FaultRule,
  type Faults,
} from "./http/faults.js";
export {
  createJournal,
  type Journal,
  type JournalEntry,
  type JournalOptions,
  type JournalPattern,
} from "./http/journal.js";
export { createLocalFetch } from "./http/local-fetch.js";
export type { RemoteBackend } from "./http/responder.js";
export type { Operation } from "./http/routes.js";
export type { HandlerOptions } from "./http/service.js";

/**
 * Creates a handler that answers the service's HTTP requests from an engine or a database in
 * PostgreSQL. Invalid requests resolve to error responses; the promise never rejects (E-2), unless
 * the database cannot be opened. Throws `invalid_request` for an unknown or invalid option; with a
 * database, the requests reject instead.
 *
 * @example
 * const handle = createHandler(engine, { basePath: "/twinbase" });
 * app.all("/twinbase/*", (context) => handle(context.req.raw));
 */
export function createHandler(
  engine: AnyEngine | RemoteBackend,
  options?: HandlerOptions,
): Handler {
  return handlerOf(respondFrom(engine, options));
}

/**
 * Creates a `fetch` that answers all requests, to any host, in process, from an engine or a
 * database in PostgreSQL. Throws `invalid_request` for an unknown or invalid option; with a
 * database, the requests reject instead.
 *
 * @example
 * const xata = new XataClient({ databaseURL, apiKey: "any", fetch: createFetch(engine) });
 */
export function createFetch(engine: AnyEngine | RemoteBackend, options?: HandlerOptions): Fetch {
  return fetchOf(respondFrom(engine, options));
}

function respondFrom(engine: AnyEngine | RemoteBackend, options?: HandlerOptions): Responder {
  if (!("openResponder" in engine)) return createResponder(engine, options);
  let opened: Promise<Responder> | undefined;
  const open = (): Promise<Responder> => {
    opened ??= engine.openResponder(options ?? {}).catch((error: unknown) => {
      opened = undefined; // the next request tries again
      throw error;
    });
    return opened;
  };
  open().catch(() => {}); // reported by the first request
  return async (request) => (await open())(request);
}
