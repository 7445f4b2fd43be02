import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { refuseCut, refuseSize } from "../http/body.js";
import type { Answer, IncomingRequest } from "../http/message.js";
import type { Responder } from "../http/responder.js";

/** Passes a server's requests to a responder. */
export interface Listener {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** Called for each new connection, before its first request. */
  readonly connect: (socket: Socket) => void;
  /** Closes idle connections; from now on each answer closes its own. */
  readonly finish: () => void;
}

/**
 * Avoids `Request` and `Response`: creating them takes longer than most answers. `originOf` returns
 * the origin of an address of the server.
 */
export function createListener(respond: Responder, originOf: () => string): Listener {
  let isFinishing = false;
  /** After the event loop has read all available requests. */
  const whenRead = createQueue(setImmediate);
  /** After all of them are answered: promises run before ticks. */
  const whenAnswered = createQueue(process.nextTick);
  /** `node:http` does not count a connection without a first byte as idle. */
  const unused = new Set<Socket>();
  /** Abort functions of streamed answers. */
  const streams = new Set<() => void>();
  return {
    handle: (request, response) => {
      unused.delete(request.socket);
      // The client has disconnected.
      response.on("error", () => {});
      const answerWith = (answer: Answer): void => {
        if (answer.hangUpAfter !== undefined) {
          hangUp(response, answer, answer.hangUpAfter);
          return;
        }
        if (isFinishing) answer.headers.connection = "close";
        if (answer.stream !== undefined) {
          sendStream(response, answer, answer.stream, streams);
          return;
        }
        send(response, answer);
        // Drain the unread body, so that the client reads its answer.
        if (!request.readableEnded) request.resume();
      };
      void respond(readRequest(request, response, originOf(), whenRead)).then((answer) => {
        whenAnswered(() => {
          try {
            answerWith(answer);
          } catch {
            // An invalid answer, such as a header with a line break, ends this connection only.
            response.destroy();
          }
        });
      });
    },
    connect: (socket) => {
      // A handshake may end after the server has begun to close.
      if (isFinishing) socket.destroy();
      unused.add(socket);
      socket.once("close", () => unused.delete(socket));
    },
    finish: () => {
      isFinishing = true;
      for (const end of streams) end();
      for (const socket of unused) {
        // A TLS handshake is not a request; in plain text the bytes start a request.
        if (socket instanceof TLSSocket || socket.bytesRead === 0) socket.destroy();
      }
    },
  };
}

/** Runs callbacks later, all together. */
type Queue = (run: () => void) => void;

/**
 * Batches the callbacks of one turn of the event loop. Answering all requests and then sending all
 * answers takes a third less CPU than alternating, due to caches, and wakes the client once.
 */
function createQueue(schedule: (runAll: () => void) => void): Queue {
  let waiting: (() => void)[] = [];
  const runAll = (): void => {
    const runs = waiting;
    waiting = [];
    for (const run of runs) run();
  };
  return (run) => {
    if (waiting.push(run) === 1) schedule(runAll);
  };
}

function send(response: ServerResponse, { status, headers, body = "" }: Answer): void {
  const size = typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
  if (status !== 204 || size > 0) headers["content-length"] = String(size);
  response.writeHead(status, headers);
  // Equal for ASCII, and much faster than encoding.
  response.end(body, size === body.length ? "latin1" : "utf8");
}

/** Streams an answer with backpressure. */
function sendStream(
  response: ServerResponse,
  { status, headers }: Answer,
  stream: ReadableStream<Uint8Array>,
  streams: Set<() => void>,
): void {
  const reader = stream.getReader();
  const end = (): void => {
    if (!streams.delete(end)) return;
    response.destroy();
    reader.cancel().catch(() => {});
  };
  streams.add(end);
  response.once("close", end);
  response.writeHead(status, headers);
  const send = async (): Promise<void> => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      if (!response.write(next.value)) await new Promise((go) => response.once("drain", go));
    }
    response.end();
  };
  send().catch(end);
}

/** Destroys the connection within an answer, for an injected fault. */
function hangUp(
  response: ServerResponse,
  { status, headers, body = "" }: Answer,
  after: number,
): void {
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  if (after < 0 || bytes.length === 0) {
    response.socket?.destroy();
    return;
  }
  // The full length shows the client that something is missing.
  response.writeHead(status, { ...headers, "content-length": String(bytes.length + 1) });
  response.flushHeaders();
  if (after > 0) response.write(bytes.subarray(0, after));
  response.socket?.destroySoon();
}

function readRequest(
  message: IncomingMessage,
  response: ServerResponse,
  origin: string,
  whenRead: Queue,
): IncomingRequest {
  const { headers } = message;
  const { path, search } = splitTarget(message.url ?? "/");
  return {
    method: message.method ?? "GET",
    host: headers.host ?? "",
    path,
    search,
    header: (name) => {
      const value = headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    },
    origin,
    readBytes: (maxBytes) => readBytes(message, maxBytes, whenRead),
    openSignal: () => {
      const controller = new AbortController();
      response.once("close", () => controller.abort());
      return controller.signal;
    },
  };
}

/** Parses a target, which may be a whole URL, as sent to proxies. Other targets have no path. */
function splitTarget(target: string): { path: string; search: string } {
  const from = target.startsWith("/") ? 0 : target.indexOf("/", target.indexOf("://") + 3);
  const text = from < 0 ? "/" : target.slice(from);
  const mark = text.indexOf("?");
  return mark < 0
    ? { path: text, search: "" }
    : { path: text.slice(0, mark), search: text.slice(mark + 1) };
}

/** Reads the whole body; see `IncomingRequest`. */
function readBytes(message: IncomingMessage, maxBytes: number, whenRead: Queue): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let isSettled = false;
    // Only the first event counts.
    const settle = (end: () => Buffer): void => {
      if (isSettled) return;
      isSettled = true;
      whenRead(() => {
        try {
          resolve(end());
        } catch (error) {
          reject(error);
        }
      });
    };
    if (Number(message.headers["content-length"] ?? 0) > maxBytes) {
      settle(() => refuseSize(maxBytes));
      return;
    }
    const chunks: Buffer[] = [];
    let size = 0;
    message.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else {
        chunks.length = 0;
        settle(() => refuseSize(maxBytes));
      }
    });
    message.on("end", () => settle(() => join(chunks)));
    message.on("close", () => settle(refuseCut));
    message.on("error", () => settle(refuseCut));
  });
}

function join(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
}
