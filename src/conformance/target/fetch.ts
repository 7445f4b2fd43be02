import { parseBody } from "../vectors/pattern.js";
import type { Transport, WireRequest, WireResponse } from "./connection.js";
import { controlUrlOf, type ServiceTarget } from "./target.js";

export function createFetchTransport(target: ServiceTarget): Transport {
  const send = target.fetch ?? fetch;
  return async (request, signal, cut): Promise<WireResponse> => {
    const { method, address, path, query, body, raw } = request;
    const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const headers = requestHeaders(target, request, text);
    // A followed redirect may change the method.
    const init: RequestInit = { method, signal, headers, redirect: "manual" };
    if (text !== undefined) init.body = text;
    if (target.fetch === undefined) await noticeClosed();
    const base = address === "control" ? controlUrlOf(target) : target.workspaceUrl;
    const search = query === undefined ? "" : `?${new URLSearchParams(query)}`;
    const response = await send(`${base.replace(/\/+$/, "")}${path}${search}`, init);
    if (cut) {
      await response.body?.cancel();
      throw new Error("the connection was cut");
    }
    const answer = await response.text();
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text: answer,
      body: parseBody(answer),
    };
  };
}

/**
 * Lets the event loop turn once as a whole, as services close idle connections while a long case is
 * made; otherwise the next request would use one of them, and get no answer.
 */
async function noticeClosed(): Promise<void> {
  for (let phase = 0; phase < 2; phase++) await new Promise((resolve) => setImmediate(resolve));
}

function requestHeaders(
  target: ServiceTarget,
  request: WireRequest,
  text: string | undefined,
): Record<string, string> {
  const usual: Record<string, string | null> = {
    ...(text === undefined ? {} : { "content-type": "application/json" }),
    ...(target.apiKey === undefined ? {} : { authorization: `Bearer ${target.apiKey}` }),
    ...request.headers,
  };
  return Object.fromEntries(
    Object.entries(usual).filter((entry): entry is [string, string] => entry[1] !== null),
  );
}
