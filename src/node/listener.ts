import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { Memory } from "../engine/memory.js";
import { BodyBytes, refuseCut, refuseSize } from "../http/body.js";
import type { Answer, IncomingRequest } from "../http/message.js";
import type { Responder } from "../http/responder.js";
import { HeldMemory, SMALL_BYTES } from "./held-memory.js";
import { createPipelines } from "./pipelines.js";

/** Characters of an answer that are sent at once. */
const PIECE = 128 * 1024;
/** Milliseconds that a client may read nothing of its answer. */
const SEND_MS = 60_000;

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
export function createListener(
  respond: Responder,
  originOf: () => string,
  account: Memory,
): Listener {
  let isFinishing = false;
  const shared = { memory: new HeldMemory(account), whenRead: createQueue(setImmediate) };
  /** After all of them are answered: promises run before ticks. */
  const whenAnswered = createQueue(process.nextTick);
  /** `node:http` does not count a connection without a first byte as idle. */
  const unused = new Set<Socket>();
  /** Abort functions of streamed answers. */
  const streams = new Set<() => void>();
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
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
      send(response, answer, shared.memory);
      // Drain the unread body, so that the client reads its answer.
      if (!request.readableEnded) request.resume();
    };
    void respond(readRequest(request, response, originOf(), shared)).then((answer) => {
      whenAnswered(() => {
        try {
          answerWith(answer);
        } catch {
          // An invalid answer, such as a header with a line break, ends this connection only.
          response.destroy();
        }
      });
    });
  };
  const pipelines = createPipelines(answer, account);
  return {
    handle: (request, response) => {
      unused.delete(request.socket);
      // The client has disconnected.
      response.on("error", () => {});
      pipelines(request, response);
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

interface ConnectionContext {
  readonly memory: HeldMemory;
  /** Runs callbacks after the event loop has read all available requests. */
  readonly whenRead: Queue;
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

function send(
  response: ServerResponse,
  { status, headers, body = "" }: Answer,
  memory: HeldMemory,
): void {
  const size = typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
  if (status !== 204 || size > 0) headers["content-length"] = String(size);
  response.writeHead(status, headers);
  // Equal for ASCII, and much faster than encoding.
  const encoding = size === body.length ? "latin1" : "utf8";
  if (size <= PIECE) response.end(body, encoding);
  else sendPieces(response, body, encoding, memory);
  memory.awaitClient(response);
  // It has not left at once.
  if (response.socket?.writableLength) response.setTimeout(SEND_MS);
}

/** Sends a long body in pieces, which shows whether the client reads. */
function sendPieces(
  response: ServerResponse,
  body: string | Uint8Array,
  encoding: "latin1" | "utf8",
  memory: HeldMemory,
): void {
  let at = 0;
  const send = (): void => {
    for (let isTaken = true; isTaken && at < body.length; ) {
      let end = at + PIECE;
      // Not between the halves of a character.
      if (typeof body === "string" && body.charCodeAt(end - 1) >>> 10 === 0x36) end++;
      const piece = typeof body === "string" ? body.slice(at, end) : body.subarray(at, end);
      at = end;
      isTaken = response.write(piece, encoding);
    }
    memory.awaitClient(response);
    if (at >= body.length) response.off("drain", send).end();
  };
  response.on("drain", send);
  send();
}

/** Streams an answer with backpressure. */
function sendStream(
  response: ServerResponse,
  { status, headers }: Answer,
  stream: ReadableStream<Uint8Array>,
  streams: Set<() => void>,
): void {
  const reader = stream.getReader();
  const { socket } = response;
  const end = (): void => {
    if (!streams.delete(end)) return;
    socket?.off("end", end);
    response.destroy();
    reader.cancel().catch(() => {});
  };
  streams.add(end);
  response.once("close", end);
  // A half-open connection closes when something is sent, which may be never.
  socket?.once("end", end);
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
  shared: ConnectionContext,
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
    readBytes: (maxBytes) => readBytes(message, response, maxBytes, shared),
    room: () => shared.memory.room(response),
    hold: (body) => shared.memory.hold(response, sizeOfBody(body)),
    openSignal: () => {
      const controller = new AbortController();
      response.once("close", () => controller.abort());
      return controller.signal;
    },
  };
}

/** Strings take two bytes a character if any is wide, and are encoded when they are sent. */
function sizeOfBody(body: Answer["body"] = ""): number {
  const bytes = Buffer.byteLength(body);
  return bytes === body.length ? bytes : bytes + 2 * body.length;
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
function readBytes(
  message: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
  { whenRead, memory }: ConnectionContext,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    let isSettled = false;
    // Only the first event counts.
    const settle = (end: () => Uint8Array): void => {
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
    const body = new BodyBytes(maxBytes);
    const readOn = (): void => {
      const room = memory.room(response);
      if (room === undefined) {
        memory.awaitClient(response);
        message.resume();
      } else {
        message.pause();
        void room.then(readOn);
      }
    };
    message.on("data", (chunk: Buffer) => {
      const isTooLarge = !body.add(chunk);
      if (isTooLarge) settle(() => refuseSize(maxBytes));
      if (!isTooLarge && body.held <= SMALL_BYTES) return;
      memory.hold(response, body.held);
      if (!isTooLarge) readOn();
    });
    message.on("end", () => settle(() => body.bytes));
    message.on("close", () => settle(refuseCut));
    message.on("error", () => settle(refuseCut));
  });
}
