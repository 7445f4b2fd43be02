import { connect, type Socket } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, it } from "vitest";
import { exportEngine } from "../../src/export.js";
import { createFetch } from "../../src/http.js";
import type { AnyEngine } from "../../src/index.js";
import { serve } from "../../src/node.js";
import { runs, seed } from "../generated.js";
import { createFixture } from "./fixture.js";
import { goodBodies, prepareForBodies } from "./good-bodies.js";
import { type Malformed, malformedFrom } from "./malformed.js";
import { describe as describeService } from "./ways.js";

/** Requests to an engine of each profile. */
const COUNT = 2 * Math.ceil(1250 * runs);

it.each(["documented", "xata"] as const)(
  `E-5: ${COUNT} malformed requests break and change nothing, %s`,
  async (profile) => {
    const engine = createFixture(profile);
    await prepareForBodies(engine);
    const fetch = createFetch(engine);
    const bodies = await goodBodies(engine.profile.mappingTarget, fetch);
    const saved = engine.snapshot();
    const state = dump(engine);
    const isError = new Ajv2020({ strict: false })
      .addSchema(await describeService(engine), "service")
      .compile({ $ref: "service#/components/schemas/BatchError" });
    await using server = await serve(engine, { bodyBytes: 32_000 });
    const requests = fc.sample(malformedFrom(bodies), { numRuns: COUNT, seed });
    const counts = new Map<number, number>();
    let connection = await open(server.port);
    let heapHalfway = 0;
    for (const [index, request] of requests.entries()) {
      const { kind, method, bytes } = request;
      const where = `seed ${seed}, request ${index} (${kind}): ${show(request)}`;
      if (connection.socket.destroyed) connection = await open(server.port);
      const { status, body } = await connection.send(bytes, method);
      counts.set(status, (counts.get(status) ?? 0) + 1);
      expect(status, where).toBeGreaterThan(0);
      expect(status, where).toBeLessThan(500);
      if (status < 400) engine.restore(saved);
      else if (method !== "HEAD") expect(isError(JSON.parse(body)), `${where}: ${body}`).toBe(true);
      expect(dump(engine), where).toBe(state);
      if (index === COUNT / 2) heapHalfway = measureHeap();
    }
    connection.socket.destroy();
    expect(measureHeap() - heapHalfway).toBeLessThan(4_000_000);
    for (const status of [200, 400, 404, 405, 413]) expect(counts.get(status)).toBeGreaterThan(10);
    expect((await globalThis.fetch(`${server.url}/user`)).status).toBe(200);
  },
);

/** Everything that an engine holds, as text, but for counters and checksums. */
function dump(engine: AnyEngine): string {
  const [, ...lines] = [...exportEngine(engine)].join("").trimEnd().split("\n");
  const texts = lines.map((line) => line.replace(/,"[^"]*"\]$/, ""));
  return texts.join("\n").replace(/"tablesMade":\d+/, "");
}

/** One connection, one request at a time. */
interface Connection {
  readonly socket: Socket;
  /** Status 0 means that the server hung up without an answer. */
  readonly send: (bytes: Buffer, method: string) => Promise<{ status: number; body: string }>;
}

async function open(port: number): Promise<Connection> {
  const socket = connect(port, "127.0.0.1");
  socket.setNoDelay(true);
  socket.on("error", () => {});
  await new Promise((resolve) => {
    socket.once("connect", resolve);
  });
  let received = Buffer.alloc(0);
  let wake = (): void => {};
  socket.on("data", (chunk) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  socket.on("close", () => wake());
  return {
    socket,
    send: async (bytes, method) => {
      received = Buffer.alloc(0);
      socket.write(bytes);
      for (;;) {
        const head = received.indexOf("\r\n\r\n");
        if (head >= 0) {
          const headers = received.toString("latin1", 0, head);
          const status = Number(headers.slice(9, 12));
          const length = Number(/^content-length: (\d+)/im.exec(headers)?.[1] ?? 0);
          const body = received.subarray(head + 4);
          if (method === "HEAD" || body.length >= length) {
            // The server ends the connection after such an answer.
            if (/^connection: close/im.test(headers)) socket.destroy();
            return { status, body: body.toString() };
          }
        }
        if (socket.destroyed) return { status: 0, body: received.toString() };
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

function measureHeap(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

function show({ bytes }: Malformed): string {
  return JSON.stringify(bytes.toString("latin1", 0, 1500));
}
