import type { Duplex } from "node:stream";
import { TwinbaseError } from "../errors.js";
import { answerError } from "../http/answer.js";
import { PROFILES } from "../profile.js";

/**
 * Answers a malformed or unfinished HTTP message with an error in the usual form and closes the
 * connection. A connection without a request closes silently: browsers open spare ones, and would
 * take the error for the answer to their next request.
 */
export function refuseConnection(
  fault: NodeJS.ErrnoException | undefined,
  socket: Duplex & { readonly bytesRead?: number },
): void {
  socket.on("error", () => {});
  if (fault?.code === "ECONNRESET" || !socket.writable || socket.bytesRead === 0) {
    socket.destroy();
    return;
  }
  const isLate = fault?.code === "ERR_HTTP_REQUEST_TIMEOUT";
  const message = isLate ? "the HTTP request did not end in time" : "malformed HTTP request";
  const error = new TwinbaseError("invalid_request", message, { rule: "E-3" });
  const { headers, body = "" } = answerError("req_0", error, PROFILES.documented);
  const lines = Object.entries({
    ...headers,
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join("")}\r\n${body}`);
}
