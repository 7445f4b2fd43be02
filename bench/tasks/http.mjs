// A server of the engine, or one on node:http that always sends the same bytes.
import { once } from "node:events";
import { createServer } from "node:http";
import { serve } from "../../dist/node.js";
import { makeTeams, makeUserBatches } from "../data.mjs";
import { createInstance } from "../engines/twinbase.mjs";

/** Opens a server and returns its port; without `rows` and `bytes` returns the processor time so far. */
export async function runHttp({ rows, bytes }) {
  if (bytes !== undefined) return serveBytes(bytes);
  if (rows === undefined) {
    const { user, system } = process.cpuUsage();
    return user + system;
  }
  const instance = createInstance();
  instance.load(makeTeams(), makeUserBatches(rows));
  return (await serve(instance.engine)).port;
}

async function serveBytes(bytes) {
  const headers = {
    "content-type": "application/json",
    "x-request-id": "req_0000000000aaaaaaaaaa",
    "content-length": String(Buffer.byteLength(bytes)),
  };
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => response.writeHead(200, headers).end(bytes));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return server.address().port;
}
