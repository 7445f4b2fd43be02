import type { Fetch } from "./checked-fetch.js";

/** An answer, with its body as JSON: `{}` if it has none. */
export interface Answered {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
  readonly body: any;
}

/** Sends `METHOD /path` or `METHOD url`, with a body as JSON. */
export async function ask(
  { fetch }: { readonly fetch: Fetch },
  request: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const [method, url] = request.split(" ") as [string, string]; // a request has both
  const response = await fetch(url.startsWith("/") ? `http://localhost${url}` : url, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
}
