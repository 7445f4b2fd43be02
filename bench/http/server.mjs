// A server in a process of its own: an engine, or node:http sending the bytes it is given.
import { createServer } from "node:http";
import { makeTeams, makeUserBatches } from "../data.mjs";

const [kind, rows = "10000"] = process.argv.slice(2);

process.on("message", async (/** @type {{ task: string, bytes?: string }} */ { task, bytes }) => {
  if (task === "open") process.send?.(await (kind === "bare" ? openBare(bytes ?? "") : open()));
  const { user, system } = process.cpuUsage();
  if (task === "cpu") process.send?.(user + system);
});

process.on("disconnect", () => process.exit());

async function open() {
  const { createInstance } = await import("../engines/twinbase.mjs");
  const { serve } = await import("../../dist/node.js");
  const instance = createInstance();
  instance.load(makeTeams(), makeUserBatches(Number(rows)));
  return (await serve(instance.engine)).port;
}

/**
 * Reads each request whole and sends the same bytes.
 *
 * @param {string} bytes
 */
function openBare(bytes) {
  const headers = {
    "content-type": "application/json",
    "x-request-id": "req_0000000000aaaaaaaaaa",
    "content-length": String(Buffer.byteLength(bytes)),
  };
  const server = createServer((request, response) => {
    request.on("data", () => {});
    request.on("end", () => response.writeHead(200, headers).end(bytes));
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      resolve(/** @type {import("node:net").AddressInfo} */ (server.address()).port);
    });
  });
}
