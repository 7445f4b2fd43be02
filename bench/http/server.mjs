// A server in a process of its own: an engine that is served, or node:http that sends bytes it is
// given. Says its port, and its memory when asked.
import { createServer } from "node:http";
import { makeTeams, makeUserBatches } from "../data.mjs";

const [kind, rows = "10000"] = process.argv.slice(2);

process.on("message", async (/** @type {{ task: string, bytes?: string }} */ { task, bytes }) => {
  if (task === "open") process.send?.({ port: await open(bytes ?? "") });
  if (task === "memory") {
    globalThis.gc?.();
    const { heapUsed, rss } = process.memoryUsage();
    process.send?.({ heapUsed, rss });
  }
  if (task === "cpu") {
    const { user, system } = process.cpuUsage();
    process.send?.({ user, system });
  }
});

// Nobody else ends it where the bench was ended halfway.
process.on("disconnect", () => process.exit());

/** @param {string} bytes */
async function open(bytes) {
  if (kind === "bare") return openBare(bytes);
  const { createEngine } = await import("../../dist/index.js");
  const { serve } = await import("../../dist/node.js");
  const engine = createEngine({ seed: 1 });
  const main = engine.createWorkspace("bench").createDatabase("bench").branch("main");
  main.createTable("teams", [{ name: "name", type: "string" }]).load(makeTeams());
  const users = main.createTable("users", [
    { name: "full_name", type: "string" },
    { name: "email", type: "email" },
    { name: "plan", type: "string" },
    { name: "zipcode", type: "int" },
    { name: "rating", type: "float" },
    { name: "created", type: "datetime" },
    { name: "labels", type: "multiple" },
    { name: "team", type: "link", link: { table: "teams" } },
    {
      name: "address",
      type: "object",
      columns: [
        { name: "street", type: "string" },
        { name: "number", type: "int" },
      ],
    },
  ]);
  for (const batch of makeUserBatches(Number(rows))) {
    users.load(/** @type {Record<string, any>[]} */ (batch));
  }
  return (await serve(engine)).port;
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
