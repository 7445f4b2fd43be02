import { refuse } from "../errors.js";
import { BodyBytes, refuseCut, refuseSize } from "./body.js";
import type { Answer, IncomingRequest } from "./message.js";
import type { Responder } from "./responder.js";
import { bytesOf, openTextResponses, streamOf } from "./text-response.js";

/** Answers a `Request` with a `Response`. */
export type Handler = (request: Request) => Promise<Response>;

/** A `fetch` that never leaves the process. */
export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export function handlerOf(respond: Responder): Handler {
  return async (request) => toResponse(await respond(fromRequest(request)));
}

export function fetchOf(respond: Responder): Fetch {
  let createText: ReturnType<typeof openTextResponses> | undefined;
  return async (input, init) => {
    const plain = readPlain(input, init);
    const request = plain === undefined ? new Request(input, init) : undefined;
    const signal = request?.signal ?? init?.signal ?? undefined;
    signal?.throwIfAborted();
    const answering = respond(plain ?? fromRequest(request!)); // one of both is defined
    const answer = await (signal === undefined ? answering : unlessAborted(signal, answering));
    const { body, hangUpAfter } = answer;
    if (plain !== undefined && typeof body === "string" && hangUpAfter === undefined) {
      createText ??= openTextResponses();
      return createText(body, answer);
    }
    const { stream = body === undefined ? undefined : streamOf(body) } = answer;
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

const PLAIN_METHOD = /^(?:GET|POST|PUT|PATCH|DELETE)$/;

/** Reads a common call without creating a `Request`, four times faster; otherwise undefined. */
function readPlain(
  input: Parameters<Fetch>[0],
  init: RequestInit = {},
): IncomingRequest | undefined {
  const { method = "GET", body = null, headers: headerPairs } = init;
  const isText = typeof body === "string";
  if (!PLAIN_METHOD.test(method) || (isText ? method === "GET" : body !== null)) return undefined;
  if (!(typeof input === "string" || input instanceof URL) || !URL.canParse(input))
    return undefined;
  const url = new URL(input);
  if (url.username !== "" || url.password !== "") return undefined;
  const headers = new Headers(headerPairs);
  if (isText && !headers.has("content-type")) {
    headers.set("content-type", "text/plain;charset=UTF-8");
  }
  return {
    ...readAddress(url, headers),
    method,
    readBytes: (maxBytes) => encodeText(isText ? body : "", maxBytes),
    openSignal: () => init.signal ?? new AbortController().signal,
  };
}

function fromRequest(request: Request): IncomingRequest {
  return {
    ...readAddress(new URL(request.url), request.headers),
    method: request.method,
    readBytes: (maxBytes) => readBytes(request, maxBytes),
    openSignal: () => request.signal,
  };
}

function readAddress(
  url: URL,
  headers: Headers,
): Pick<IncomingRequest, "host" | "path" | "search" | "origin" | "header"> {
  return {
    // Clients redirected to another host send the original one, with the workspace, in this header.
    host: headers.get("host") ?? url.host,
    path: url.pathname,
    search: url.search.slice(1),
    origin: url.origin,
    header: (name) => headers.get(name) ?? undefined,
  };
}

function toResponse({ status, headers, body, stream, hangUpAfter }: Answer): Response {
  if (hangUpAfter === undefined) {
    // Bytes are never in shared memory.
    return new Response(stream ?? (body as BodyInit | undefined) ?? null, { status, headers });
  }
  if (hangUpAfter < 0) throw brokenConnection("fetch failed");
  return new Response(cutBody(body ?? "", hangUpAfter), { status, headers });
}

/** The error of Node's fetch: the server closed the connection, before the headers or after. */
function brokenConnection(message: string): TypeError {
  const cause = Object.assign(new Error("other side closed"), {
    name: "SocketError",
    code: "UND_ERR_SOCKET",
  });
  return new TypeError(message, { cause });
}

function cutBody(body: string | Uint8Array, bytes: number): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      if (bytes > 0) controller.enqueue(bytesOf(body).subarray(0, bytes));
    },
    pull: (controller) => controller.error(brokenConnection("terminated")),
  });
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
  const body = new BodyBytes(maxBytes);
  for (;;) {
    const { done, value } = await reader.read().catch(() => refuseCut());
    if (done) return body.bytes;
    if (body.add(value)) continue;
    // Not awaited: it may never settle.
    void reader.cancel().catch(() => {});
    refuseSize(maxBytes);
  }
}
