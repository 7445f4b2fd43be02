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
      ? connectEngine(target.engine, traits)
      : openConnection(traits, target.workspace, createFetchTransport(target), target);
  const { prefix = "conformance", seed } = target;
  // Unlike the names of any other run against the same service.
  const run = globalThis.crypto.randomUUID().slice(0, 8);
  return createSandbox(connection, { prefix: `${prefix}-${run}`, seed });
}

function connectEngine(engine: AnyEngine, traits: TargetTraits): Connection {
  const known = engine.workspaces().some(({ id }) => id === WORKSPACE);
  if (!known) engine.createWorkspace(WORKSPACE);
  const transport = createFetchTransport({
    workspaceUrl: "http://localhost",
    controlUrl: "http://localhost",
    workspace: WORKSPACE,
    fetch: createEngineFetch(engine),
  });
  return openConnection(traits, WORKSPACE, transport, {
    fork: () => connectEngine(engine.fork(), traits),
  });
}

/** A `fetch` that an engine answers; loaded at its first use, as checks of a service never need it. */
function createEngineFetch(engine: AnyEngine): NonNullable<ServiceTarget["fetch"]> {
  let opened: Promise<NonNullable<ServiceTarget["fetch"]>> | undefined;
  return async (url, init) => {
    opened ??= import("../../http.js").then(({ createFetch }) =>
      createFetch(engine, { workspace: WORKSPACE, auth: "open" }),
    );
    return (await opened)(url, init);
  };
}
