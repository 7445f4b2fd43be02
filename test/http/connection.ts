import { connect } from "node:net";

/** A connection to a local server that returns one answer at a time. */
export interface Connection {
  readonly write: (bytes: string | Buffer) => void;
  /**
   * The next answer, headers and body; without a body for HEAD.
   *
   * @throws Error if the server closes the connection
   */
  readonly next: (method?: string) => Promise<string>;
  readonly destroy: () => void;
  readonly isDestroyed: () => boolean;
  /** Resolves when the connection is closed. */
  readonly ended: Promise<void>;
}

export async function openConnection(port: number): Promise<Connection> {
  const socket = connect(port, "127.0.0.1");
  await new Promise<void>((resolve, reject) => {
    socket.once("connect", resolve);
    socket.once("error", reject);
  });
  socket.setNoDelay(true);
  let received = Buffer.alloc(0);
  let wake = (): void => {};
  socket.on("data", (chunk) => {
    received = Buffer.concat([received, chunk]);
    wake();
  });
  socket.on("error", () => {});
  const ended = new Promise<void>((resolve) => {
    socket.once("close", () => {
      resolve();
      wake();
    });
  });
  return {
    write: (bytes) => socket.write(bytes),
    next: async (method) => {
      for (;;) {
        const head = received.indexOf("\r\n\r\n") + 4;
        const headers = received.toString("latin1", 0, head);
        const length = Number(/^content-length: (\d+)/im.exec(headers)?.[1] ?? 0);
        const end = method === "HEAD" ? head : head + length;
        if (head > 3 && received.length >= end) {
          const answer = received.toString("utf8", 0, end);
          received = received.subarray(end);
          return answer;
        }
        if (socket.destroyed) throw new Error(`hung up after ${JSON.stringify(headers)}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    destroy: () => socket.destroy(),
    isDestroyed: () => socket.destroyed,
    ended,
  };
}
