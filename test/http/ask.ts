import type { Fetch } from "./checked-fetch.js";

/** Sends `METHOD /path`, with a body as JSON. */
export async function ask(
  { fetch }: { readonly fetch: Fetch },
  request: string,
  body?: unknown,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const [method, path] = request.split(" ");
  const response = await fetch(`http://localhost${path}`, {
    method: method!, // a request has both
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
}
