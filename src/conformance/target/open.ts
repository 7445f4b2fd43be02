import type { AnyEngine } from "../../engine.js";
import { once } from "../arbitraries/choice.js";
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
  // Checks of a service load no engine.
  const open = once(async () => {
    const { createFetch } = await import("../../http.js");
    return createFetch(engine, { workspace: WORKSPACE, auth: "open" });
  });
  const url = "http://localhost";
  return {
    ...{ workspaceUrl: url, controlUrl: url, workspace: WORKSPACE },
    fetch: async (address, init) => (await open())(address, init),
  };
}
