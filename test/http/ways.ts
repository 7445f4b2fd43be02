import { request as sendRequest } from "node:http";
import { createFetch, createHandler, type HandlerOptions } from "../../src/http.js";
import type { AnyEngine } from "../../src/index.js";
import { serve } from "../../src/node.js";
import { createCheck, type Description, type Received } from "./description.js";

/** A request, before it is put into any form. */
export interface Sent {
  readonly method: string;
  /** From the first slash on, encoded. */
  readonly path: string;
  /** Default `acme.us-east-1.example.com`, a workspace address. */
  readonly host?: string;
  /** Default a key that nobody knows. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is. */
  readonly raw?: string | Uint8Array;
}

/** One of the ways by which requests get to an engine. */
export interface Way {
  readonly name: string;
  readonly send: (request: Sent) => Promise<Received>;
  readonly close: () => Promise<void>;
}

const WORKSPACE_HOST = "acme.us-east-1.localhost";
export const CONTROL_HOST = "localhost";
const HEADERS = { authorization: "Bearer key", "content-type": "application/json" };
const KEPT_HEADERS = [
  ...["content-type", "x-request-id", "allow", "vary", "access-control-allow-origin"],
  ...["access-control-allow-methods"],
  ...["access-control-allow-headers", "access-control-expose-headers"],
];

/**
 * The three ways to an engine, each to a fork of it: the same requests have to get the same answers.
 * Every answer is held against the service's own description.
 */
export async function openWays(engine: AnyEngine, options?: HandlerOptions): Promise<Way[]> {
  const ways = [
    handlerWay(engine.fork(), options),
    fetchWay(engine.fork(), options),
    await socketWay(engine.fork(), options),
  ];
  const check = createCheck(await describe(engine));
  return ways.map((way) => ({
    ...way,
    send: async (request) => {
      const answer = await way.send(request);
      const fault =
        request.method === "OPTIONS" ? null : check(request.method, request.path, answer);
      if (fault !== null) {
        const { method, path } = request;
        throw new Error(
          `${way.name}: ${method} ${path}: ${fault}: ${answer.status} ${answer.text}`,
        );
      }
      return answer;
    },
  }));
}

/** The service's own description of itself. */
export async function describe(engine: AnyEngine): Promise<Description> {
  const fetch = createFetch(engine.fork(), { auth: "open" });
  return (await (await fetch("http://localhost/openapi.json")).json()) as Description;
}

function handlerWay(engine: AnyEngine, options: HandlerOptions | undefined): Way {
  const handle = createHandler(engine, options);
  return {
    name: "handler",
    send: async (sent) => receive(await handle(new Request(urlOf(sent), initOf(sent)))),
    close: async () => {},
  };
}

function fetchWay(engine: AnyEngine, options: HandlerOptions | undefined): Way {
  const fetch = createFetch(engine, options);
  return {
    name: "fetch",
    send: async (sent) => receive(await fetch(urlOf(sent), initOf(sent))),
    close: async () => {},
  };
}

async function socketWay(engine: AnyEngine, options: HandlerOptions | undefined): Promise<Way> {
  // The hosts that requests of the tests name.
  const server = await serve(engine, { hosts: ["example.com", "0.0.0.0"], ...options });
  return {
    name: "socket",
    send: (sent) => sendOverSocket(server.port, sent),
    close: server.close,
  };
}

function urlOf({ host = WORKSPACE_HOST, path }: Sent): string {
  return `http://${host}${path}`;
}

function initOf(sent: Sent): RequestInit {
  const { method, headers } = sent;
  const body = bodyOf(sent);
  return { method, headers: { ...HEADERS, ...headers }, ...(body !== undefined && { body }) };
}

function bodyOf({ body, raw }: Sent): string | Uint8Array<ArrayBuffer> | undefined {
  if (typeof raw === "string" || raw === undefined) {
    return raw ?? (body === undefined ? undefined : JSON.stringify(body));
  }
  return Uint8Array.from(raw);
}

/** Node's fetch would put a Host header of its own in the place of the one that is to be sent. */
export function sendOverSocket(port: number, sent: Sent): Promise<Received> {
  const { method, path, host = WORKSPACE_HOST, headers } = sent;
  return new Promise((resolve, reject) => {
    const request = sendRequest(
      { port, host: "127.0.0.1", method, path, headers: { ...HEADERS, host, ...headers } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          resolve({
            status: response.statusCode ?? 0,
            headers: keepHeaders((name) => response.headers[name]?.toString() ?? null),
            text: Buffer.concat(chunks).toString(),
          });
        });
      },
    );
    request.on("error", reject);
    request.end(bodyOf(sent));
  });
}

async function receive(response: Response): Promise<Received> {
  return {
    status: response.status,
    headers: keepHeaders((name) => response.headers.get(name)),
    text: await response.text(),
  };
}

function keepHeaders(read: (name: string) => string | null): Record<string, string> {
  return Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => {
      const value = read(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}
