import type { AnyEngine } from "../../engine.js";
import { openConnection } from "./connection.js";
import { createFetchTransport } from "./fetch.js";
import { createSandbox, type Sandbox } from "./sandbox.js";
import { resolveTraits, type ServiceTarget, type Target } from "./target.js";

const WORKSPACE = "conformance";

/**
 * Opens a target for checks. Throws `ConformanceUsageError` for a service on another machine
 * without `allowWrites`.
 */
export function openTarget(target: Target): Sandbox {
  const traits = resolveTraits(target);
  const service = "engine" in target ? serviceOf(target.engine) : target;
  const transport = createFetchTransport(service);
  const connection = openConnection(traits, service.workspace, transport, target);
  const { prefix = "conformance", seed } = target;
  // Unique among concurrent runs against the same service.
  const run = globalThis.crypto.randomUUID().slice(0, 8);
  return createSandbox(connection, { prefix: `${prefix}-${run}`, seed });
}

function serviceOf(engine: AnyEngine): ServiceTarget {
  const known = engine.workspaces().some(({ id }) => id === WORKSPACE);
  if (!known) engine.createWorkspace(WORKSPACE);
  const url = "http://localhost";
  const fetch = createEngineFetch(engine);
  return { workspaceUrl: url, controlUrl: url, workspace: WORKSPACE, fetch };
}

/** Creates an engine's `fetch`, imported lazily because checks of a service don't need it. */
function createEngineFetch(engine: AnyEngine): NonNullable<ServiceTarget["fetch"]> {
  let opened: Promise<NonNullable<ServiceTarget["fetch"]>> | undefined;
  return async (url, init) => {
    opened ??= import("../../http.js").then(({ createFetch }) =>
      createFetch(engine, { workspace: WORKSPACE, auth: "open" }),
    );
    return (await opened)(url, init);
  };
}
