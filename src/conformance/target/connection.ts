import { flatNames, type Names } from "./names.js";
import type { TargetTraits } from "./target.js";

/** A request to a service, relative to its address. */
export interface WireRequest {
  readonly method: string;
  /** Percent-encoded, relative to the workspace or control address. */
  readonly path: string;
  /** Default `workspace`. */
  readonly address?: "workspace" | "control" | undefined;
  readonly query?: { readonly [name: string]: string } | undefined;
  /** Added to the default headers; null omits a default one. */
  readonly headers?: { readonly [name: string]: string | null } | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged, instead of `body`. */
  readonly raw?: string | undefined;
}

export interface WireResponse {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: { readonly [name: string]: string };
  readonly text: string;
  /** Parsed JSON; undefined for anything else. */
  readonly body: unknown;
}

/** With `cut` the connection ends when the answer begins, which is an error. */
export type Transport = (
  request: WireRequest,
  signal: AbortSignal,
  cut: boolean,
) => Promise<WireResponse>;

/** Sends requests to one target and records the databases to clean up. */
export interface Connection extends TargetTraits {
  readonly workspace: string;
  /** With `cut`, see {@link Transport}: the request may have taken effect. */
  send(request: WireRequest, cut?: boolean): Promise<WireResponse>;
  readonly databases: ReadonlySet<string>;
  /** Absent if the target has the names in which checks are written. */
  readonly names: Names | undefined;
}

/** A request without an answer, which decides nothing. */
export class NoAnswerError extends Error {
  override readonly name = "NoAnswerError";
  /** Whether the service accepted the request and then timed out, which E-5 forbids. */
  readonly silent: boolean;

  constructor(message: string, silent: boolean, cause: unknown) {
    super(message, { cause });
    this.silent = silent;
  }
}

export interface ConnectionOptions {
  readonly requestsPerSecond?: number | undefined;
  readonly timeout?: number | undefined;
}

export function openConnection(
  traits: TargetTraits,
  workspace: string,
  transport: Transport,
  options: ConnectionOptions = {},
): Connection {
  const { requestsPerSecond, timeout = 30_000 } = options;
  const names = traits.served.idColumn === "id" ? undefined : flatNames();
  const databases = new Set<string>();
  let free = 0;
  let wait = timeout;
  const waitTurn = async (): Promise<void> => {
    if (requestsPerSecond === undefined) return;
    const now = Date.now();
    const turn = Math.max(now, free);
    free = turn + 1000 / requestsPerSecond;
    if (turn > now) await new Promise((resolve) => setTimeout(resolve, turn - now));
  };
  const sendOnce = async (request: WireRequest, cut: boolean): Promise<WireResponse> => {
    const sent = names?.request(request) ?? request;
    await waitTurn();
    const patience = new AbortController();
    const limit = wait;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        patience.abort();
        reject(new Error("no answer"));
      }, limit);
    });
    let answer: WireResponse;
    try {
      answer = await Promise.race([transport(sent, patience.signal, cut), silence]);
    } catch (error) {
      const { aborted } = patience.signal;
      const reason = aborted ? `no answer in ${limit} ms` : describeFailure(error);
      // A service that keeps silent must not take hours.
      if (aborted) wait = Math.max(wait / 2, timeout / 10);
      throw new NoAnswerError(reason, aborted, error);
    } finally {
      clearTimeout(timer);
    }
    noteDatabase(databases, request, answer);
    return answer;
  };
  const send = async (request: WireRequest, cut = false): Promise<WireResponse> => {
    for (let left = MOST_REPEATS; ; left--) {
      const answer = await sendOnce(request, cut);
      if (answer.status !== 429) return names?.answer(answer, request.path) ?? answer;
      if (left === 0) {
        const reason = "answered 429 too often; send fewer requests a second (--rate)";
        throw new NoAnswerError(reason, false, answer);
      }
      const seconds = Number(answer.headers["retry-after"] ?? 1);
      const pause = seconds * 1000 <= timeout ? seconds * 1000 : 1000;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  };
  return { ...traits, workspace, send, databases, names };
}

/** Requests are repeated after an answer 429. */
const MOST_REPEATS = 5;

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
