import type { TargetTraits } from "./target.js";

/** A request to a service, its address relative. */
export interface WireRequest {
  readonly method: string;
  /** What follows the workspace or control address, percent-encoded. */
  readonly path: string;
  /** Default `workspace`. */
  readonly address?: "workspace" | "control" | undefined;
  readonly query?: { readonly [name: string]: string } | undefined;
  /** Beside the usual ones; null leaves a usual one out. */
  readonly headers?: { readonly [name: string]: string | null } | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, in place of `body`. */
  readonly raw?: string | undefined;
}

/** What a service answered. */
export interface WireResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: { readonly [name: string]: string };
  readonly text: string;
  /** The body as JSON; undefined where it is none. */
  readonly body: unknown;
}

/** Sends a request and waits for the answer. */
export type Transport = (request: WireRequest, signal: AbortSignal) => Promise<WireResponse>;

/** Sends requests to one target, and knows what is left to clean up there. */
export interface Connection extends TargetTraits {
  readonly workspace: string;
  send(request: WireRequest): Promise<WireResponse>;
  /**
   * A connection to a copy of the target as it is now, where the target is an engine; the copy has no
   * other workspace, and no default one.
   */
  readonly fork: (() => Connection) | undefined;
  /** The names of the databases that were made and not deleted yet. */
  readonly databases: ReadonlySet<string>;
}

/** A request that found no answer: the run cannot tell what the service would have said. */
export class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";
  /** Whether the service took the request and was silent, which no request may bring about (E-5). */
  readonly silent: boolean;

  constructor(message: string, silent: boolean, cause: unknown) {
    super(message, { cause });
    this.silent = silent;
  }
}

/** How requests are sent. */
export interface ConnectionOptions {
  readonly fork?: (() => Connection) | undefined;
  readonly requestsPerSecond?: number | undefined;
  /** Milliseconds; default 30,000. */
  readonly timeout?: number | undefined;
}

/** Opens a connection; requests wait their turn, and none waits for ever. */
export function openConnection(
  traits: TargetTraits,
  workspace: string,
  transport: Transport,
  options: ConnectionOptions = {},
): Connection {
  const { requestsPerSecond, timeout = 30_000 } = options;
  const databases = new Set<string>();
  let free = 0;
  const waitTurn = async (): Promise<void> => {
    if (requestsPerSecond === undefined) return;
    const now = Date.now();
    const turn = Math.max(now, free);
    free = turn + 1000 / requestsPerSecond;
    if (turn > now) await new Promise((resolve) => setTimeout(resolve, turn - now));
  };
  const send = async (request: WireRequest): Promise<WireResponse> => {
    await waitTurn();
    const patience = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        patience.abort();
        reject(new Error(`no answer in ${timeout} ms`));
      }, timeout);
    });
    let answer: WireResponse;
    try {
      answer = await Promise.race([transport(request, patience.signal), silence]);
    } catch (error) {
      const { aborted } = patience.signal;
      const reason = aborted ? `no answer in ${timeout} ms` : describeFailure(error);
      throw new NoAnswerError(reason, aborted, error);
    } finally {
      clearTimeout(timer);
    }
    noteDatabase(databases, request, answer);
    return answer;
  };
  return { ...traits, workspace, send, databases, fork: options.fork };
}

/** Keeps the list of databases to clean up, whoever made them. */
function noteDatabase(databases: Set<string>, request: WireRequest, answer: WireResponse): void {
  const name = /^\/workspaces\/[^/]+\/dbs\/([^/]+)$/.exec(request.path)?.[1];
  if (request.address !== "control" || name === undefined || answer.status >= 300) return;
  if (request.method === "PUT") databases.add(decodeURIComponent(name));
  if (request.method === "DELETE") databases.delete(decodeURIComponent(name));
}

function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
}

/** Reads a body as JSON, or as nothing. */
export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
