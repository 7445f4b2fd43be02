import type { AnyEngine } from "../../engine.js";
import { partAt, readFields, readString } from "../../shape/fields.js";
import { requireControl } from "../address.js";
import { createFaults, type Faults } from "../faults.js";
import { createJournal, type Journal } from "../journal.js";
import { listRoutes, type Route } from "../route.js";
import { ROUTE_TABLE } from "../routes.js";
import { createCallRoutes } from "./call-routes.js";
import type { ControlledCalls } from "./controlled.js";
import { createLookRoutes } from "./look-routes.js";
import { PAGE_ROUTES } from "./page-routes.js";
import { Snapshots } from "./snapshots.js";
import { createStateRoutes } from "./state-routes.js";

/** Routes under `/_twinbase/` that control an engine: an option of handlers and servers. */
export interface Control {
  /** Default faults of the handler. */
  readonly faults: Faults;
  /** Default journal of the handler. */
  readonly journal: Journal;
  /** The key for the routes of a closed service. */
  readonly key: string | undefined;
  /** Creates the routes. */
  routes(engine: AnyEngine, calls: ControlledCalls): readonly Route[];
}

/** Options of {@link createControl}. */
export interface ControlOptions {
  /** The key for these routes of a closed service, which gives all permissions; no other key does. */
  readonly key?: string | undefined;
}

/** Creates the routes under `/_twinbase/`. */
export function createControl(options: ControlOptions = {}): Control {
  const { key } = readFields(options, ["key"], { what: "control", rule: "E-3" });
  const part = partAt("key", "U-1");
  return {
    key: key === undefined ? undefined : readString(key, 1, 1024, part),
    faults: createFaults(),
    journal: createJournal(),
    routes(engine, calls) {
      const snapshots = new Snapshots(calls.memory);
      const state = { ...calls, added: new Map(), gone: { faults: 0, strikes: 0 } };
      return [
        ...listRoutes({
          ...createStateRoutes(engine, state, snapshots),
          ...createLookRoutes(engine, snapshots, calls.memory),
          ...createCallRoutes(state),
        }).map(forController),
        ...listRoutes(PAGE_ROUTES),
        ...ROUTE_TABLE.routes.map(behindControl),
      ];
    },
  };
}

/** Defines a route that affects all workspaces, which closed mode restricts. */
function forController(route: Route): Route {
  if (route.plane !== "control" || route.operation === "getHealth") return route;
  return {
    ...route,
    find(address) {
      requireControl(address);
      return route.find(address);
    },
  };
}

/** Defines a route whose calls bypass faults and the journal. */
function behindControl(route: Route): Route {
  return { ...route, path: `/_twinbase/service${route.path}`, isUndescribed: true };
}
