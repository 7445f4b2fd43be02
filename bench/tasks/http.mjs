// A server of the engine, or one on node:http that always sends the same bytes.
import { once } from "node:events";
import { createServer } from "node:http";
import { serve } from "../../dist/node.js";
import { createLoaded } from "../engines/twinbase.mjs";
import { processorMs } from "../measure.mjs";

/** Opens a server and returns its port; without `rows` and `bytes` returns the microseconds of processor time so far. */
export async function runHttp({ rows, bytes }) {
  if (bytes !== undefined) return serveBytes(bytes);
  if (rows === undefined) return 1000 * processorMs();
  return (await serve(createLoaded(rows).engine)).port;
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
