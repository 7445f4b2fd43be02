import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/**
 * A stand-in for a coordinator with a silent worker: forwards connections to a server, until one sends a
 * statement that matches. That one gets no answer any more, and its session stays open on the server, with
 * its locks, also when the client has gone.
 */
export class SilentProxy {
  readonly url: string;
  /** Statements that stay without an answer. */
  silent: RegExp | undefined;
  readonly #server: Server;
  readonly #sockets: Set<Socket> = new Set();
  readonly #unanswered: Set<Socket> = new Set();

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async open(target: string): Promise<SilentProxy> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = new URL(target);
    const port = Number(url.port);
    url.port = String((server.address() as AddressInfo).port); // it listens to a port
    const proxy = new SilentProxy(server, url.href);
    server.on("connection", (client) => proxy.#forward(client, connect(port, "127.0.0.1")));
    return proxy;
  }

  /** Answers again; sessions without an answer end. */
  heal(): void {
    this.silent = undefined;
    for (const socket of this.#unanswered) socket.destroy();
    this.#unanswered.clear();
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #forward(client: Socket, upstream: Socket): void {
    const texts = new Map<string, string>();
    let isSilent = false;
    let rest: Buffer = Buffer.alloc(0);
    let hasStarted = false;
    for (const socket of [client, upstream]) {
      this.#sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => this.#sockets.delete(socket));
    }
    upstream.on("data", (data) => !isSilent && client.write(data));
    upstream.on("close", () => !isSilent && client.destroy());
    client.on("close", () => !isSilent && upstream.destroy());
    client.on("data", (data) => {
      if (isSilent) return;
      rest = Buffer.concat([rest, data]);
      for (let start = hasStarted ? 1 : 0; rest.length >= start + 4; start = 1) {
        const end = start + rest.readInt32BE(start);
        if (rest.length < end) break;
        const message = rest.subarray(0, end);
        rest = rest.subarray(end);
        const text = hasStarted ? textOf(message, texts) : "";
        hasStarted = true;
        if (this.silent?.test(text) === true) {
          isSilent = true;
          this.#unanswered.add(client).add(upstream);
          return;
        }
        upstream.write(message);
      }
    });
  }
}

/** The statement that a message parses or binds. */
function textOf(message: Buffer, texts: Map<string, string>): string {
  const kind = String.fromCharCode(message[0] ?? 0);
  const [first = "", second = ""] = message.toString("latin1", 5).split("\0", 2);
  if (kind === "P") texts.set(first, second);
  if (kind === "P") return second;
  return kind === "B" ? (texts.get(second) ?? "") : kind === "Q" ? first : "";
}
