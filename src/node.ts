/// <reference lib="esnext.disposable" preserve="true" />
import { createServer, type Server } from "node:http";
import { createServer as createSecureServer, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";
import type { AnyEngine } from "./engine.js";
import { createResponder, type Responder } from "./http/responder.js";
import { type HandlerOptions, warnOfSeed } from "./http/service.js";
import { refuseConnection } from "./node/connection.js";
import { createListener } from "./node/listener.js";

export { FolderEngine, type OpenOptions, openEngine } from "./node/open-engine.js";

/** A key and a certificate as PEM; any other option of `node:https` is taken too. */
export interface TlsOptions {
  /** The private key, PEM. */
  readonly key?: string | Uint8Array | undefined;
  /** The certificate chain, PEM. */
  readonly cert?: string | Uint8Array | undefined;
  /** Certificates that clients' ones are signed by, PEM. */
  readonly ca?: string | Uint8Array | undefined;
  /** Of the key, if it has one. */
  readonly passphrase?: string | undefined;
  /** Asks clients for a certificate; those that are not signed by `ca` are turned away. */
  readonly requestCert?: boolean | undefined;
}

/** How an engine is served on a socket. */
export interface ServeOptions extends HandlerOptions {
  /** Default 0: a free one. */
  readonly port?: number | undefined;
  /** Default `127.0.0.1`, which only this machine reaches. */
  readonly host?: string | undefined;
  /** Where given, the server speaks TLS. */
  readonly tls?: TlsOptions | undefined;
  /** Milliseconds a client may take to send the headers of a request; default 10,000. */
  readonly headersTimeout?: number | undefined;
  /** Milliseconds a client may take to send a request; default 60,000. */
  readonly requestTimeout?: number | undefined;
  /** Milliseconds that closing waits for requests under way; default 10,000. */
  readonly closeTimeout?: number | undefined;
  /** Closes the server when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

/** How long a request may work, where the engine does not say (rule L-10). */
const QUERY_MS = 10_000;

/** What keeps its records elsewhere and answers requests all the same, such as a database. */
export interface Served {
  /** Makes what answers the requests, served as those options say. */
  openResponder(options: HandlerOptions): Promise<Responder>;
  /** Returns what is unsafe about serving it so. */
  warnOf(options: HandlerOptions): string | undefined;
}

/** A server that answers from an engine. */
export interface EngineServer extends AsyncDisposable {
  /** Where it is, such as `http://127.0.0.1:4000`. */
  readonly url: string;
  /** The port it listens at. */
  readonly port: number;
  /** Takes no more requests, finishes those under way, and ends when all connections have. */
  close(): Promise<void>;
}

/**
 * Serves an engine over HTTP. Emits the process warning `TWINBASE_SEED` for a closed service with an
 * engine that was given a seed (rule A-5).
 *
 * @throws TwinbaseError `invalid_request` for an unknown or unfit option; what `node:http` throws
 * for a port that is taken.
 *
 * @example
 * await using server = await serve(engine, { port: 4000 });
 * console.log(server.url);
 */
export async function serve(
  engine: AnyEngine | Served,
  options: ServeOptions = {},
): Promise<EngineServer> {
  const {
    port = 0,
    host = "127.0.0.1",
    tls,
    headersTimeout = 10_000,
    requestTimeout = 60_000,
    closeTimeout = 10_000,
    signal,
    hosts,
    ...rest
  } = options;
  signal?.throwIfAborted();
  const handling = { ...rest, hosts: Array.isArray(hosts) ? [host, ...hosts] : (hosts ?? [host]) };
  const respond =
    "openResponder" in engine
      ? await engine.openResponder(handling)
      : createResponder(engine, handling, QUERY_MS);
  const warning =
    "openResponder" in engine ? engine.warnOf(handling) : warnOfSeed(engine, handling);
  if (warning !== undefined) process.emitWarning(warning, { code: "TWINBASE_SEED" });
  let url = "";
  const listener = createListener(respond, () => url);
  const timeouts = {
    headersTimeout: Math.min(headersTimeout, requestTimeout),
    requestTimeout,
    connectionsCheckingInterval: Math.max(20, Math.min(1000, headersTimeout / 4)),
    // Without a host a request goes to the default workspace; it is answered as any other.
    requireHostHeader: false,
  };
  // The options of TLS are for node:https to check.
  const server: Server =
    tls === undefined
      ? createServer(timeouts, listener.handle)
      : createSecureServer({ ...(tls as ServerOptions), ...timeouts }, listener.handle);
  server.on(tls === undefined ? "connection" : "secureConnection", listener.connect);
  server.on("checkExpectation", listener.handle);
  // A client that has sent all it has to say, and says so, still waits for its answer. The types do
  // not know of it; a server of TLS has it too.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on("clientError", refuseConnection);
  server.on("connect", (_, socket) => refuseConnection(undefined, socket));
  await listen(server, port, host);
  const close = createClose(server, listener.finish, closeTimeout);
  signal?.addEventListener("abort", () => void close(), { once: true });
  // A server that listens on a port has such an address.
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
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** Closes once, however often it is called. */
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
