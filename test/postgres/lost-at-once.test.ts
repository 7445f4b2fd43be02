import type { AddressInfo } from "node:net";
import { createServer, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { openPostgres } from "../../src/postgres.js";

/** `AuthenticationOk`, `ReadyForQuery` and an error, as sent by a server that is killed. */
const READY_AND_GONE = Buffer.concat([
  message("R", Buffer.from([0, 0, 0, 0])),
  message("Z", Buffer.from("I")),
  message(
    "E",
    Buffer.from(
      "SFATAL\0VFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0",
    ),
  ),
]);

const sockets = new Set<Socket>();
const server = createServer((socket) => {
  sockets.add(socket);
  socket.on("error", () => {});
  socket.once("data", () => socket.end(READY_AND_GONE));
});

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

test("a server that ends right after the connection does not crash the process", async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens to a port
  const opened = openPostgres(`postgres://twinbase@127.0.0.1:${port}/twinbase`);
  // The test runner would report an unhandled error.
  await expect(opened).rejects.toMatchObject({ code: "unavailable", status: 503 });
  expect(sockets.size).toBeGreaterThan(0);
});

function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, body]);
}
