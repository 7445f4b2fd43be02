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
import { type Connection, openConnection } from "./connection.js";
import { createFixture } from "./fixture.js";
import { goodBodies, prepareForBodies } from "./good-bodies.js";
import { type Malformed, malformedFrom } from "./malformed.js";
import { describe as describeService } from "./ways.js";

/** Requests to an engine of each profile. */
const COUNT = 2 * Math.ceil(1250 * runs);

it.each(["documented", "xata"] as const)(
  `E-5: ${COUNT} malformed requests change nothing and get errors below 500, under %s`,
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
    let connection = await openConnection(server.port);
    let heapHalfway = 0;
    for (const [index, request] of requests.entries()) {
      const { kind, method } = request;
      const where = `seed ${seed}, request ${index} (${kind}): ${show(request)}`;
      if (connection.isDestroyed()) connection = await openConnection(server.port);
      const { status, body } = await send(connection, request);
      counts.set(status, (counts.get(status) ?? 0) + 1);
      expect(status, where).toBeGreaterThan(0);
      expect(status, where).toBeLessThan(500);
      if (status < 400) engine.restore(saved);
      else if (method !== "HEAD") expect(isError(JSON.parse(body)), `${where}: ${body}`).toBe(true);
      expect(dump(engine), where).toBe(state);
      if (index === COUNT / 2) heapHalfway = measureHeap();
    }
    connection.destroy();
    expect(measureHeap() - heapHalfway).toBeLessThan(4_000_000);
    for (const status of [200, 400, 404, 405, 413]) expect(counts.get(status)).toBeGreaterThan(10);
    expect((await globalThis.fetch(`${server.url}/user`)).status).toBe(200);
  },
);

/** The export of an engine without counters and checksums. */
function dump(engine: AnyEngine): string {
  const [, ...lines] = [...exportEngine(engine)].join("").trimEnd().split("\n");
  const texts = lines.map((line) => line.replace(/,"[^"]*"\]$/, ""));
  return texts.join("\n").replace(/"tablesMade":\d+/, "");
}

/** Returns status 0 if the server closes the connection without an answer. */
async function send(
  connection: Connection,
  { bytes, method }: Malformed,
): Promise<{ status: number; body: string }> {
  connection.write(bytes);
  const answer = await connection.next(method).catch(() => "");
  const [headers = "", body = ""] = answer.split("\r\n\r\n");
  // The server closes the connection after this answer.
  if (/^connection: close/im.test(headers)) connection.destroy();
  return { status: Number(headers.slice(9, 12)), body };
}

function measureHeap(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

function show({ bytes }: Malformed): string {
  return JSON.stringify(bytes.toString("latin1", 0, 1500));
}
