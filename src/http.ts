import type { AnyEngine } from "./engine.js";
import { createResponder } from "./http/responder.js";
import type { HandlerOptions } from "./http/service.js";
import { type Fetch, fetchOf, type Handler, handlerOf } from "./http/web.js";

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
  type JournalPattern,
} from "./http/journal.js";
export type { Operation } from "./http/operations.js";
export type { HandlerOptions } from "./http/service.js";

/**
 * Makes a handler that answers the service's HTTP requests from an engine. It never rejects for
 * anything a request holds: what is refused is an answer too (rule E-2).
 *
 * @throws TwinbaseError `invalid_request` for an unknown or unfit option.
 *
 * @example
 * const handle = createHandler(engine, { basePath: "/twinbase" });
 * app.all("/twinbase/*", (context) => handle(context.req.raw));
 */
export function createHandler(engine: AnyEngine, options?: HandlerOptions): Handler {
  return handlerOf(createResponder(engine, options));
}

/**
 * Makes a `fetch` that never leaves the process, to hand to a client: every address is answered
 * from the engine, whatever its host.
 *
 * @throws TwinbaseError `invalid_request` for an unknown or unfit option.
 *
 * @example
 * const xata = new XataClient({ databaseURL, apiKey: "any", fetch: createFetch(engine) });
 */
export function createFetch(engine: AnyEngine, options?: HandlerOptions): Fetch {
  return fetchOf(createResponder(engine, options));
}
