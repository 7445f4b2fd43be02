import type { AnyEngine } from "../../engine.js";
import { type Connection, openConnection } from "./connection.js";
import { createFetchTransport } from "./fetch.js";
import { createSandbox, type Sandbox } from "./sandbox.js";
import { resolveTraits, type ServiceTarget, type Target, type TargetTraits } from "./target.js";

const WORKSPACE = "conformance";

/**
 * Opens a target for checks. Throws `ConformanceUsageError` for a service on another machine
 * without `allowWrites`.
 */
export function openTarget(target: Target): Sandbox {
  const traits = resolveTraits(target);
  const connection =
    "engine" in target
      ? connectEngine(target.engine, traits, WORKSPACE)
      : openConnection(traits, target.workspace, createFetchTransport(target), target);
  const { prefix = "conformance", seed } = target;
  // Unique among concurrent runs against the same service.
  const run = globalThis.crypto.randomUUID().slice(0, 8);
  return createSandbox(connection, { prefix: `${prefix}-${run}`, seed });
}

/** @param usual the default workspace; absent: the engine's */
function connectEngine(engine: AnyEngine, traits: TargetTraits, usual?: string): Connection {
  const known = engine.workspaces().some(({ id }) => id === WORKSPACE);
  if (!known) engine.createWorkspace(WORKSPACE);
  const transport = createFetchTransport({
    workspaceUrl: "http://localhost",
    controlUrl: "http://localhost",
    workspace: WORKSPACE,
    fetch: createEngineFetch(engine, usual),
  });
  return openConnection(traits, WORKSPACE, transport, {
    fork: () => connectEngine(copyAlone(engine), traits),
  });
}

function copyAlone(engine: AnyEngine): AnyEngine {
  const copy = engine.fork();
  for (const { id } of copy.workspaces()) if (id !== WORKSPACE) copy.deleteWorkspace(id);
  return copy;
}

/** Creates an engine's `fetch`, imported lazily because checks of a service don't need it. */
function createEngineFetch(
  engine: AnyEngine,
  usual: string | undefined,
): NonNullable<ServiceTarget["fetch"]> {
  let opened: Promise<NonNullable<ServiceTarget["fetch"]>> | undefined;
  return async (url, init) => {
    opened ??= import("../../http.js").then(({ createFetch }) =>
      createFetch(engine, { workspace: usual, auth: "open" }),
    );
    return (await opened)(url, init);
  };
}
