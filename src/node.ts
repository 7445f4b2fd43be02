/// <reference lib="esnext.disposable" preserve="true" />
import { createServer, type Server } from "node:http";
import { createServer as createSecureServer, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";
import { createMemory } from "./engine/memory.js";
import type { AnyEngine } from "./engine.js";
import { refuse } from "./errors.js";
import { createResponder, type RemoteBackend } from "./http/responder.js";
import { type HandlerOptions, warnOfSeed } from "./http/service.js";
import { refuseConnection } from "./node/connection.js";
import { createListener } from "./node/listener.js";

export type { RemoteBackend } from "./http/responder.js";
export { FolderEngine, type OpenOptions, openEngine } from "./node/open-engine.js";

/** A key and a certificate as PEM. All other options of `node:https` are accepted too. */
export interface TlsOptions {
  /** The private key, PEM. */
  readonly key?: string | Uint8Array | undefined;
  /** The certificate chain, PEM. */
  readonly cert?: string | Uint8Array | undefined;
  /** Certificate authorities of client certificates, PEM. */
  readonly ca?: string | Uint8Array | undefined;
  /** The passphrase of the private key. */
  readonly passphrase?: string | undefined;
  /** Whether to require client certificates signed by `ca`. */
  readonly requestCert?: boolean | undefined;
}

/** Options of {@link serve}. */
export interface ServeOptions extends HandlerOptions {
  /** Default 0: a free port. */
  readonly port?: number | undefined;
  /** Default `127.0.0.1`, which only this machine can reach. */
  readonly host?: string | undefined;
  /** Enables TLS. */
  readonly tls?: TlsOptions | undefined;
  /** Milliseconds to receive the headers of a request; default 10,000. */
  readonly headersTimeout?: number | undefined;
  /** Milliseconds to receive a whole request; default 60,000. */
  readonly requestTimeout?: number | undefined;
  /** Milliseconds that closing waits for active requests; default 10,000. */
  readonly closeTimeout?: number | undefined;
  /**
   * Timeout of a call in milliseconds if the engine has none; default 1,000; 0 for none (L-10).
   * Invalid for a database in PostgreSQL, which has `statementTimeout`.
   */
  readonly queryMs?: number | undefined;
  /** Closes the server when aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** Default query timeout of a server, which other requests wait for (L-10). */
const QUERY_MS = 1000;

/** Further connections are refused until idle ones are closed. */
const MAX_CONNECTIONS = 1000;

/** Further headers of a request are ignored: thousands of short ones take ten times their size. */
const MAX_HEADERS = 100;

/** A server that answers from an engine. */
export interface EngineServer extends AsyncDisposable {
  /** The base URL, such as `http://127.0.0.1:4000`. */
  readonly url: string;
  readonly port: number;
  /** Finishes active requests, accepts no more, and resolves when all connections are closed. */
  close(): Promise<void>;
}

/**
 * Serves an engine over HTTP. Emits the process warning `TWINBASE_SEED` if the service is closed
 * and the engine has an explicit seed. Throws `invalid_request` for an invalid option;
 * the error of `node:http` if the port is taken.
 *
 * @example
 * await using server = await serve(engine, { port: 4000 });
 * console.log(server.url);
 */
export async function serve(
  engine: AnyEngine | RemoteBackend,
  options: ServeOptions = {},
): Promise<EngineServer> {
  const {
    port = 0,
    host = "127.0.0.1",
    tls,
    headersTimeout = 10_000,
    requestTimeout = 60_000,
    closeTimeout = 10_000,
    queryMs,
    signal,
    hosts,
    memory = createMemory(),
    ...rest
  } = options;
  signal?.throwIfAborted();
  const handling = {
    ...rest,
    memory,
    hosts: Array.isArray(hosts) ? [...hosts, host] : (hosts ?? [host]),
  };
  const isElsewhere = "openResponder" in engine;
  if (isElsewhere && queryMs !== undefined) {
    refuse(
      "invalid_request",
      "queryMs: PostgreSQL has statementTimeout, an option of openPostgres",
    );
  }
  const respond = isElsewhere
    ? await engine.openResponder(handling)
    : createResponder(engine, handling, queryMs ?? QUERY_MS);
  const warning = isElsewhere ? engine.warnOf(handling) : warnOfSeed(engine, handling);
  if (warning !== undefined) process.emitWarning(warning, { code: "TWINBASE_SEED" });
  let url = "";
  const listener = createListener(respond, () => url, memory);
  const timeouts = {
    headersTimeout: Math.min(headersTimeout, requestTimeout),
    requestTimeout,
    connectionsCheckingInterval: Math.max(20, Math.min(1000, headersTimeout / 4)),
    // A request without a host belongs to the default workspace.
    requireHostHeader: false,
  };
  // node:https validates its own options.
  const server: Server =
    tls === undefined
      ? createServer(timeouts, listener.handle)
      : createSecureServer({ ...(tls as ServerOptions), ...timeouts }, listener.handle);
  server.on(tls === undefined ? "connection" : "secureConnection", listener.connect);
  server.on("checkExpectation", listener.handle);
  // Clients that half-close the connection still get an answer. The types of TLS servers lack this
  // option.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.maxConnections = MAX_CONNECTIONS;
  server.maxHeadersCount = MAX_HEADERS;
  server.on("drop", () => server.closeIdleConnections());
  server.on("clientError", refuseConnection);
  server.on("connect", (_, socket) => refuseConnection(undefined, socket));
  await listen(server, port, host);
  const close = createClose(server, listener.finish, closeTimeout);
  signal?.addEventListener("abort", () => void close(), { once: true });
  // a server on a port has an AddressInfo
  const address = server.address() as AddressInfo;
  const name = address.family === "IPv6" ? `[${address.address}]` : address.address;
  url = `${tls === undefined ? "http" : "https"}://${name}:${address.port}`;
  return {
    url,
    port: address.port,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ port, host }, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function createClose(server: Server, finish: () => void, timeout: number): () => Promise<void> {
  let closed: Promise<void> | undefined;
  return () => {
    closed ??= new Promise((resolve) => {
      const timer = setTimeout(() => server.closeAllConnections(), timeout);
      server.close(() => {
        clearTimeout(timer);
        resolve();
      });
      finish();
      server.closeIdleConnections();
    });
    return closed;
  };
}
