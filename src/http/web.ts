import { refuse } from "../errors.js";
import { refuseCut, refuseSize } from "./body.js";
import type { Answer, IncomingRequest } from "./message.js";
import type { Responder } from "./responder.js";

/** Answers a `Request` with a `Response`. */
export type Handler = (request: Request) => Promise<Response>;

/** A `fetch` that never leaves the process. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export function handlerOf(respond: Responder): Handler {
  return async (request) => toResponse(await respond(fromRequest(request)));
}

/** Creates a `fetch` that answers requests to any host. */
export function fetchOf(respond: Responder): Fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    // Read from and written to streams of the platform's own, a body would never end where a test
    // fakes `queueMicrotask`, as jest and sinon do.
    const text = typeof init?.body === "string" ? init.body : undefined;
    const answer = await unlessAborted(request.signal, respond(fromRequest(request, text)));
    const { body, stream = body === undefined ? undefined : streamOf(body) } = answer;
    return toResponse({ ...answer, stream });
  };
}

function unlessAborted<T>(signal: AbortSignal, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    const forget = (): void => signal.removeEventListener("abort", stop);
    answer.then(resolve, reject).finally(forget);
  });
}

/** @param text the body, where it is known without reading it */
function fromRequest(request: Request, text?: string): IncomingRequest {
  const url = new URL(request.url);
  return {
    method: request.method,
    // Clients that are sent to another host keep in this header the one that names the workspace.
    host: request.headers.get("host") ?? url.host,
    path: url.pathname,
    search: url.search.slice(1),
    header: (name) => request.headers.get(name) ?? undefined,
    origin: url.origin,
    readBytes: (maxBytes) =>
      text === undefined ? readBytes(request, maxBytes) : encodeText(text, maxBytes),
    openSignal: () => request.signal,
  };
}

function toResponse({ status, headers, body, stream, hangUpAfter }: Answer): Response {
  if (hangUpAfter === undefined) {
    // Bytes are never in shared memory here.
    return new Response(stream ?? (body as BodyInit | undefined) ?? null, { status, headers });
  }
  // As fetch reports a broken connection.
  if (hangUpAfter < 0) throw new TypeError("fetch failed");
  return new Response(cutBody(body ?? "", hangUpAfter), { status, headers });
}

function streamOf(body: string | Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      if (body.length > 0) controller.enqueue(bytesOf(body));
      controller.close();
    },
  });
}

function cutBody(body: string | Uint8Array, bytes: number): ReadableStream<Uint8Array> {
  let isSent = false;
  return new ReadableStream({
    pull(controller) {
      if (isSent) controller.error(new TypeError("terminated"));
      else if (bytes > 0) controller.enqueue(bytesOf(body).subarray(0, bytes));
      else controller.error(new TypeError("terminated"));
      isSent = true;
    },
  });
}

function bytesOf(body: string | Uint8Array): Uint8Array {
  return typeof body === "string" ? new TextEncoder().encode(body) : body;
}

async function encodeText(text: string, maxBytes: number): Promise<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  if (bytes.byteLength > maxBytes) refuseSize(maxBytes);
  return bytes;
}

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? 0) > maxBytes) refuseSize(maxBytes);
  if (request.body === null) return new Uint8Array(0);
  if (request.bodyUsed || request.body.locked) {
    refuse("invalid_request", "body: it was read before", { rule: "E-3" });
  }
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => refuseCut());
    if (done) break;
    size += value.byteLength;
    if (size > maxBytes) {
      // Not awaited: it may never settle.
      void reader.cancel().catch(() => {});
      refuseSize(maxBytes);
    }
    chunks.push(value);
  }
  return joinChunks(chunks, size);
}

function joinChunks(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return first;
  const joined = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    joined.set(chunk, at);
    at += chunk.byteLength;
  }
  return joined;
}
