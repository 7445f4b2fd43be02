import type { Duplex } from "node:stream";
import { TwinbaseError } from "../errors.js";
import { answerError } from "../http/answer.js";

/** Answers a malformed HTTP message with an error in the usual form and closes the connection. */
export function refuseConnection(fault: NodeJS.ErrnoException | undefined, socket: Duplex): void {
  socket.on("error", () => {});
  if (fault?.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const error = new TwinbaseError("invalid_request", "malformed HTTP request", { rule: "E-3" });
  const { headers, body = "" } = answerError("req_0", error, "documented");
  const lines = Object.entries({
    ...headers,
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join("")}\r\n${body}`);
}
