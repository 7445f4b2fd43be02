import type { AnyEngine } from "../../engine.js";
import { type Connection, openConnection } from "./connection.js";
import { createFetchTransport } from "./fetch.js";
import { createSandbox, type Sandbox } from "./sandbox.js";
import { resolveTraits, type ServiceTarget, type Target, type TargetTraits } from "./target.js";

/** The workspace that the checks make for themselves in an engine. */
const WORKSPACE = "conformance";

/**
 * Opens a target for checks.
 *
 * @throws ConformanceUsageError for a service on another machine that writes are not allowed to
 */
export function openTarget(target: Target): Sandbox {
  const traits = resolveTraits(target);
  const connection =
    "engine" in target
      ? connectEngine(target.engine, traits, WORKSPACE)
      : openConnection(traits, target.workspace, createFetchTransport(target), target);
  const { prefix = "conformance", seed } = target;
  // Unlike the names of any other run against the same service.
  const run = globalThis.crypto.randomUUID().slice(0, 8);
  return createSandbox(connection, { prefix: `${prefix}-${run}`, seed });
}

/** @param usual the workspace of requests that name none; absent, which one that is is up to the engine */
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

/** A copy of an engine with the workspace of the checks alone. */
function copyAlone(engine: AnyEngine): AnyEngine {
  const copy = engine.fork();
  for (const { id } of copy.workspaces()) if (id !== WORKSPACE) copy.deleteWorkspace(id);
  return copy;
}

/** A `fetch` that an engine answers; loaded at its first use, as checks of a service never need it. */
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
