import { request as sendRequest } from "node:http";
import { createFetch } from "../../src/http.js";
import type { AnyEngine } from "../../src/index.js";
import type { Description, Received } from "./description.js";

/** A request, independent of how it is sent. */
export interface Sent {
  readonly method: string;
  /** Percent-encoded. */
  readonly path: string;
  /** Default `acme.us-east-1.localhost`, a workspace address. */
  readonly host?: string;
  /** Default: an unknown key. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged. */
  readonly raw?: string | Uint8Array;
}

const WORKSPACE_HOST = "acme.us-east-1.localhost";
const HEADERS = { authorization: "Bearer key", "content-type": "application/json" };
const KEPT_HEADERS = [
  ...["content-type", "x-request-id", "allow", "vary", "access-control-allow-origin"],
  ...["access-control-allow-methods"],
  ...["access-control-allow-headers", "access-control-expose-headers"],
];

/** The OpenAPI description of the service. */
export async function describe(engine: AnyEngine): Promise<Description> {
  const fetch = createFetch(engine.fork(), { auth: "open" });
  return (await (await fetch("http://localhost/openapi.json")).json()) as Description;
}

export function toRequest(sent: Sent): Request {
  const { method, host = WORKSPACE_HOST, path, headers } = sent;
  const body = bodyOf(sent);
  const init = { method, headers: { ...HEADERS, ...headers } };
  return new Request(`http://${host}${path}`, { ...init, ...(body !== undefined && { body }) });
}

function bodyOf({ body, raw }: Sent): string | Uint8Array<ArrayBuffer> | undefined {
  if (typeof raw === "string" || raw === undefined) {
    return raw ?? (body === undefined ? undefined : JSON.stringify(body));
  }
  return Uint8Array.from(raw);
}

/** Sends a request with any Host header, which Node's `fetch` would replace. */
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

export async function receive(response: Response): Promise<Received> {
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
