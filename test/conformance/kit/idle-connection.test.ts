import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { createFetchTransport } from "../../../src/conformance/target/fetch.js";

/** Answers once on each connection, which it then ends; counts them. */
const SERVICE = `
const { createServer } = require("node:http");
const { parentPort, workerData } = require("node:worker_threads");
const server = createServer((request, response) => {
  request.resume().on("end", () => response.end("{}"));
  response.on("finish", () =>
    setImmediate(() => request.socket.end(() => {
      Atomics.add(workerData, 0, 1);
      Atomics.notify(workerData, 0);
    })),
  );
}).listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
`;

it("sends requests after a service has closed the idle connection while a case was made", async () => {
  const ended = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(SERVICE, { eval: true, workerData: ended });
  try {
    const [port] = await once(worker, "message");
    const send = createFetchTransport({
      workspaceUrl: `http://127.0.0.1:${String(port)}`,
      workspace: "w",
    });
    const signal = new AbortController().signal;
    for (let count = 0; count < 20; count++) {
      const answer = await send({ method: "POST", path: "/", body: {} }, signal, false);
      expect(answer.status).toBe(200);
      // As long cases are made in a timer, it seems as if the connection were still open.
      await new Promise((resolve) => setTimeout(resolve, 0));
      Atomics.wait(ended, 0, count);
    }
  } finally {
    await worker.terminate();
  }
});
