import type { Snapshot } from "../../engine/snapshot.js";
import type { AnyEngine } from "../../engine.js";
import { createFaults, type Faults } from "../faults.js";
import { createJournal, type Journal } from "../journal.js";
import type { Route } from "../route.js";
import { ROUTES } from "../routes.js";
import { createCallRoutes } from "./call-routes.js";
import type { ControlledCalls } from "./controlled.js";
import { createLookRoutes } from "./look-routes.js";
import { PAGE_ROUTES } from "./page-routes.js";
import { createStateRoutes } from "./state-routes.js";

/**
 * Lets tests in any language do over HTTP what others do with the engine's handle: under
 * `/_twinbase/`. Give it to a handler, a fetch or a server as `control`.
 */
export interface Control {
  /** Those that its routes add to; used where the handler is given no other. */
  readonly faults: Faults;
  /** The one that its routes read; used where the handler is given no other. */
  readonly journal: Journal;
  /** Makes the routes for what is served. */
  routes(engine: AnyEngine, calls: ControlledCalls): readonly Route[];
}

/** Makes what answers under `/_twinbase/`. */
export function createControl(): Control {
  return {
    faults: createFaults(),
    journal: createJournal(),
    routes(engine, calls) {
      const snapshots = new Map<string, Snapshot>();
      const state = { ...calls, added: new Map(), gone: { faults: 0, strikes: 0 } };
      return [
        ...createStateRoutes(engine, state, snapshots),
        ...createLookRoutes(engine, snapshots),
        ...createCallRoutes(state),
        ...PAGE_ROUTES,
        ...ROUTES.map(behindControl),
      ];
    },
  };
}

/** A route of the service where its calls are neither struck by faults nor written down. */
function behindControl(route: Route): Route {
  return { ...route, path: `/_twinbase/service${route.path}`, isUndescribed: true };
}
