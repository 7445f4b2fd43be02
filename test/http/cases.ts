import { expect } from "vitest";
import type { HandlerOptions } from "../../src/http.js";
import type { AnyEngine } from "../../src/index.js";
import { CONTROL_HOST, openWays, type Sent } from "./ways.js";

export interface Case {
  /** Begins with the rule it speaks for. */
  readonly title: string;
  /** Requests that go ahead. */
  readonly before?: readonly Sent[];
  readonly send: Sent;
  readonly status: number;
  /** The whole body; absent, nothing but what `code` says; null, none. */
  readonly body?: unknown;
  /** The code of an error. */
  readonly code?: string;
  /** A text that the message holds. */
  readonly message?: string;
}

/**
 * Sends what a case says by all three ways, each to a fork of the engine, and expects the same
 * answer of all of them: the one that the case says.
 */
export async function checkCase(
  engine: AnyEngine,
  { before = [], send, status, body, code, message }: Case,
  options?: HandlerOptions,
): Promise<void> {
  const ways = await openWays(engine, options);
  try {
    const [answer, ...others] = await Promise.all(
      ways.map(async (way) => {
        for (const sent of before) expect((await way.send(sent)).status).toBeLessThan(300);
        return way.send(send);
      }),
    );
    for (const other of others) expect(other).toEqual(answer);
    expect(answer).toMatchObject({ status });
    const found: unknown = answer!.text === "" ? null : JSON.parse(answer!.text);
    if (body !== undefined) expect(found).toEqual(body);
    if (code === undefined) return;
    expect(found).toMatchObject({ id: answer!.headers["x-request-id"], code });
    if (message !== undefined) {
      expect(found).toHaveProperty("message", expect.stringContaining(message));
    }
  } finally {
    await Promise.all(ways.map((way) => way.close()));
  }
}

export function post(path: string, body?: unknown): Sent {
  return { method: "POST", path, body };
}

export function put(path: string, body?: unknown): Sent {
  return { method: "PUT", path, body };
}

export function get(path: string): Sent {
  return { method: "GET", path };
}

export function remove(path: string): Sent {
  return { method: "DELETE", path };
}

/** The same request at the control address. */
export function control(sent: Sent): Sent {
  return { ...sent, host: CONTROL_HOST };
}
