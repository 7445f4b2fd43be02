import { once } from "node:events";
import { Agent, get as getSecurely, request as requestSecurely } from "node:https";
import { setTimeout as pause } from "node:timers/promises";
import { connect as connectSecurely } from "node:tls";
import { describe, expect, it } from "vitest";
import { createFetch } from "../../src/http.js";
import type { AnyEngine } from "../../src/index.js";
import { type EngineServer, type ServeOptions, serve } from "../../src/node.js";
import type { AnyTable } from "../../src/typed/table.js";
import { CREDENTIALS } from "./certificate.js";
import { type Connection, openConnection } from "./connection.js";
import { createFixture } from "./fixture.js";
import { sendOverSocket } from "./ways.js";

const QUERY = "/db/shop:main/tables/users/query";
const INSERT = "/db/shop:main/tables/users/data";

describe("a server", () => {
  it("E-2: listens on a free port of the loopback address by default", async () => {
    await using server = await serve(createFixture());
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    expect(server.port).toBeGreaterThan(0);
    await using other = await serve(createFixture(), { host: "::1" });
    expect(other.url).toBe(`http://[::1]:${other.port}`);
    expect((await fetch(`${other.url}/user`)).status).toBe(200);
  });

  it("E-5: rejects with EADDRINUSE if the port is in use", async () => {
    await using server = await serve(createFixture());
    await expect(serve(createFixture(), { port: server.port })).rejects.toMatchObject({
      code: "EADDRINUSE",
    });
  });

  it.each([
    [{ port: "local" }, { code: "ERR_SOCKET_BAD_PORT" }], // not the name of a pipe
    [{ prot: 80 }, { code: "invalid_request", path: "/prot" }],
  ])("E-3: refuses the options %j", async (options, refusal) => {
    // As callers without a type checker, or with process.env, may give them.
    await expect(serve(createFixture(), options as ServeOptions)).rejects.toMatchObject(refusal);
  });

  it("E-5: answers pipelined requests in order", async () => {
    await using server = await serve(createFixture());
    const socket = await open(server);
    const insert = (id: string) => request("POST", INSERT, JSON.stringify({ id }));
    socket.write(insert("a") + insert("a") + request("POST", QUERY, "{}"));
    expect(await socket.next()).toMatch(/^HTTP\/1\.1 201 /);
    expect(await socket.next()).toMatch(/^HTTP\/1\.1 422 /);
    expect(await socket.next()).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });
});

describe("a client that disconnects", () => {
  it("R-5: during a request changes nothing", async () => {
    const engine = createFixture();
    await using server = await serve(engine);
    const before = usersOf(engine).query();
    const records = Array.from({ length: 2000 }, (_, i) => ({ id: `n${i}` }));
    const whole = request("POST", "/db/shop:main/tables/users/bulk", JSON.stringify({ records }));
    for (const share of [0.3, 0.7, 0.999]) {
      const socket = await open(server);
      socket.write(whole.slice(0, Math.floor(whole.length * share)));
      await pause(20);
      socket.destroy();
    }
    await pause(50);
    expect(usersOf(engine).query()).toEqual(before);
    expect((await fetch(`${server.url}/user`)).status).toBe(200);
  });

  it("E-5: before its answer leaves whole writes", async () => {
    const engine = createFixture();
    await using server = await serve(engine);
    for (let i = 0; i < 20; i++) {
      const socket = await open(server);
      socket.write(request("POST", INSERT, JSON.stringify({ id: `n${i}` })));
      socket.destroy();
    }
    await pause(50);
    expect((await fetch(`${server.url}/user`)).status).toBe(200);
    const { records } = usersOf(engine).query({
      filter: { id: { $startsWith: "n" } },
      columns: [],
    });
    // Each write is whole or absent.
    for (const record of records) expect(record).toMatchObject({ service: { version: 0 } });
  });

  it("E-5: by an aborted signal, in process, changes nothing", async () => {
    const engine = createFixture();
    const init = { method: "POST", body: "{}", signal: AbortSignal.abort() };
    const sent = createFetch(engine)(`http://acme.us-east-1.localhost${INSERT}`, init);
    await expect(sent).rejects.toMatchObject({ name: "AbortError" });
    expect(usersOf(engine).count()).toBe(3);
  });
});

describe("closing a server", () => {
  it("E-5: finishes open requests and accepts no more", async () => {
    const engine = createFixture();
    const server = await serve(engine);
    const idle = await open(server);
    const busy = await open(server);
    const sent = request("POST", INSERT, JSON.stringify({ id: "u9" }));
    busy.write(sent.slice(0, -5));
    await pause(20);
    const closed = server.close();
    expect(server.close()).toBe(closed);
    await idle.ended;
    await expect(open(server)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    busy.write(sent.slice(-5));
    expect(await busy.next()).toMatch(/^HTTP\/1\.1 201 [\s\S]*connection: close/i);
    await closed;
    await busy.ended;
    expect(usersOf(engine).get("u9")).not.toBeNull();
  });

  it("E-5: waits at most closeTimeout", async () => {
    const server = await serve(createFixture(), { closeTimeout: 30 });
    const socket = await open(server);
    socket.write(request("POST", INSERT, "{}").slice(0, -1));
    await pause(20);
    await server.close();
    await socket.ended;
  });

  it("E-5: follows the abort of a signal", async () => {
    const abort = new AbortController();
    const server = await serve(createFixture(), { signal: abort.signal });
    abort.abort();
    await server.close();
    await expect(fetch(`${server.url}/user`)).rejects.toThrow();
    await expect(serve(createFixture(), { signal: abort.signal })).rejects.toMatchObject({
      name: "AbortError",
    });
  });

  it("E-5: follows the end of a scope", async () => {
    let url = "";
    {
      await using server = await serve(createFixture());
      ({ url } = server);
    }
    await expect(fetch(`${url}/user`)).rejects.toThrow();
  });
});

describe("limits", () => {
  it("L-2: answers 413 to a long body, and continues the connection", async () => {
    const engine = createFixture();
    await using server = await serve(engine, { bodyBytes: 1000 });
    const socket = await open(server);
    const large = JSON.stringify({ id: "x".repeat(2000) });
    const chunked = `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`;
    for (const sent of [
      request("POST", INSERT, large),
      request("POST", INSERT, chunked, "transfer-encoding: chunked"),
    ]) {
      socket.write(sent);
      expect(await socket.next()).toMatch(/^HTTP\/1\.1 413 [\s\S]*"code":"payload_too_large"/);
    }
    socket.write(request("POST", QUERY, "{}"));
    expect(await socket.next()).toMatch(/^HTTP\/1\.1 200 /);
    expect(usersOf(engine).count()).toBe(3);
    socket.destroy();
  });

  it("L-2: accepts a body of exactly the limit", async () => {
    const body = JSON.stringify({ id: "u9" });
    const engine = createFixture();
    await using server = await serve(engine, { bodyBytes: body.length });
    const answer = await sendOverSocket(server.port, { method: "POST", path: INSERT, raw: body });
    expect(answer.status).toBe(201);
    await using smaller = await serve(engine, { bodyBytes: body.length - 1 });
    const refused = await sendOverSocket(smaller.port, { method: "POST", path: INSERT, raw: body });
    expect(refused.status).toBe(413);
  });

  it("E-6: checks the length after the method and before JSON", async () => {
    await using server = await serve(createFixture(), { bodyBytes: 10 });
    const raw = "{".repeat(100);
    const large = await sendOverSocket(server.port, { method: "POST", path: QUERY, raw });
    expect(large.status).toBe(413);
    const method = await sendOverSocket(server.port, { method: "PUT", path: QUERY, raw });
    expect(method.status).toBe(405);
  });

  it("E-5: waits for headers at most headersTimeout", async () => {
    await using server = await serve(createFixture(), { headersTimeout: 50 });
    const socket = await open(server);
    socket.write("POST / HTTP/1.1\r\nhost: x\r\n");
    expect(await socket.next()).toContain("the HTTP request did not end in time");
    await socket.ended;
  });

  it("E-2: closes an unused connection without an answer", async () => {
    await using server = await serve(createFixture(), { headersTimeout: 50 });
    const spare = await open(server);
    await expect(spare.next()).rejects.toThrow('hung up after ""');
  });

  it("E-5: waits for a body at most requestTimeout", async () => {
    const engine = createFixture();
    await using server = await serve(engine, { headersTimeout: 50, requestTimeout: 50 });
    const socket = await open(server);
    socket.write(request("POST", INSERT, "{}").slice(0, -1));
    await socket.ended;
    expect(usersOf(engine).count()).toBe(3);
  });

  it("E-2: answers malformed HTTP with an error body", async () => {
    await using server = await serve(createFixture());
    for (const nonsense of [
      "nonsense\r\n\r\n",
      "GET / HTTP/9.9\r\n\r\n",
      `GET / HTTP/1.1\r\nx: ${"x".repeat(100_000)}\r\n\r\n`,
      "POST / HTTP/1.1\r\ncontent-length: -1\r\n\r\n",
      "CONNECT example.com:80 HTTP/1.1\r\nhost: x\r\n\r\n",
    ]) {
      const socket = await open(server);
      socket.write(nonsense);
      const answer = await socket.next();
      expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*x-request-id: /);
      expect(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")))).toMatchObject({
        code: "invalid_request",
      });
      await socket.ended;
    }
  });

  it("E-5: answers requests without a Host header", async () => {
    await using server = await serve(createFixture(), { workspace: "acme" });
    const socket = await open(server);
    socket.write("GET /dbs/shop HTTP/1.1\r\n\r\n");
    expect(await socket.next()).toMatch(/^HTTP\/1\.1 200 /);
    socket.write("GET http://acme.us-east-1.example.com/dbs/shop?x=1 HTTP/1.1\r\n\r\n");
    expect(await socket.next()).toMatch(/^HTTP\/1\.1 400 [\s\S]*query string: unknown key/);
    socket.write("OPTIONS * HTTP/1.1\r\n\r\n");
    expect(await socket.next()).toMatch(/^HTTP\/1\.1 404 /);
    socket.destroy();
  });
});

describe("TLS", () => {
  it("E-2: is used with a key and a certificate", async () => {
    await using server = await serve(createFixture(), { tls: CREDENTIALS });
    expect(server.url).toBe(`https://127.0.0.1:${server.port}`);
    const status = await new Promise((resolve, reject) => {
      getSecurely(
        { host: "localhost", port: server.port, path: "/user", ca: CREDENTIALS.cert, family: 4 },
        (response) => resolve(response.resume().statusCode),
      ).on("error", reject);
    });
    expect(status).toBe(200);
  });

  it("H-4: gives signed addresses that read until their time is over", async () => {
    const engine = createFixture();
    const main = engine.workspace("acme").database("shop").branch("main");
    main.createTable("docs", [{ name: "scan", type: "file" }]);
    await using server = await serve(engine, { tls: CREDENTIALS, workspace: "acme" });
    const agent = new Agent({ ca: CREDENTIALS.cert, keepAlive: true, maxSockets: 1 });
    const ask = (method: string, path: string, body?: string) =>
      new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
        const to = { host: "localhost", port: server.port, family: 4, agent, method, path };
        const request = requestSecurely(to, async (response) => {
          let text = "";
          for await (const piece of response) text += piece;
          resolve({ status: response.statusCode, text });
        });
        request.on("error", reject).end(body);
      });
    const record = "/db/shop:main/tables/docs/data/a?columns=scan.signedUrl";
    const base64Content = Buffer.from("x".repeat(3_000_000)).toString("base64");
    const made = await ask("PUT", record, JSON.stringify({ scan: { base64Content } }));
    const { signedUrl } = JSON.parse(made.text).scan;
    expect(signedUrl).toMatch(`https://127.0.0.1:${server.port}/file/`);
    const { pathname } = new URL(signedUrl);
    engine.clock.advance(59_999);
    expect(await ask("GET", pathname)).toEqual({ status: 200, text: "x".repeat(3_000_000) });
    engine.clock.advance(1);
    expect(await ask("GET", pathname)).toMatchObject({ status: 403 });
    agent.destroy();
  });

  it("E-5: answers pipelined requests in order, and ends without it in plain text", async () => {
    await using server = await serve(createFixture(), { tls: CREDENTIALS });
    const socket = connectSecurely({ port: server.port, host: "localhost", ca: CREDENTIALS.cert });
    socket.write(request("GET", "/user", "") + request("GET", "/none", ""));
    let received = "";
    socket.on("data", (piece) => {
      received += piece;
    });
    while (received.split("HTTP/1.1").length < 3) await once(socket, "data");
    expect(received).toMatch(/^HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 404 /);
    socket.destroy();
    const plain = await open(server);
    plain.write(request("GET", "/user", ""));
    await plain.ended;
    await expect(serve(createFixture(), { tls: { key: "no", cert: "no" } })).rejects.toThrow();
  });

  it("E-5: closes unused connections", async () => {
    const server = await serve(createFixture(), { tls: CREDENTIALS });
    const socket = connectSecurely({ port: server.port, host: "localhost", ca: CREDENTIALS.cert });
    await once(socket, "secureConnect");
    socket.on("error", () => {});
    const ended = once(socket, "close");
    await server.close();
    await ended;
  });
});

describe("CORS", () => {
  const origin = "https://app.example.com";
  const preflight = {
    method: "OPTIONS",
    path: QUERY,
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization, x-xata-agent",
    },
  };

  it("E-3: is off by default", async () => {
    await using server = await serve(createFixture());
    const answer = await sendOverSocket(server.port, preflight);
    expect(answer.status).toBe(405);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith("access"))).toEqual([]);
  });

  it.each(["*" as const, [origin]])("E-3: allows %j to read answers and errors", async (cors) => {
    await using server = await serve(createFixture(), { cors, auth: "closed" });
    const asked = await sendOverSocket(server.port, preflight);
    expect(asked).toMatchObject({
      status: 204,
      text: "",
      headers: {
        "access-control-allow-origin": origin,
        "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
        "access-control-allow-headers": "authorization, x-xata-agent",
        vary: "origin",
      },
    });
    const { path } = preflight;
    const sent = await sendOverSocket(server.port, { method: "POST", path, headers: { origin } });
    expect(sent).toMatchObject({
      status: 401,
      headers: {
        "access-control-allow-origin": origin,
        "access-control-expose-headers": "x-request-id",
      },
    });
  });

  it("E-3: allows no other origin", async () => {
    await using server = await serve(createFixture(), { cors: ["https://other.example.com"] });
    const asked = await sendOverSocket(server.port, preflight);
    expect(asked.status).toBe(405);
    expect(asked.headers).not.toHaveProperty("access-control-allow-origin");
    expect(asked.headers).toMatchObject({ vary: "origin" });
  });
});

function open(server: EngineServer): Promise<Connection> {
  return openConnection(server.port);
}

function request(method: string, path: string, body: string, header?: string): string {
  const length = header ?? `content-length: ${Buffer.byteLength(body)}`;
  return `${method} ${path} HTTP/1.1\r\nhost: acme.us-east-1.localhost\r\n${length}\r\n\r\n${body}`;
}

function usersOf(engine: AnyEngine): AnyTable {
  return engine.workspace("acme").database("shop").branch("main").table("users");
}
