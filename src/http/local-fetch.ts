import type { Fetch } from "./web.js";

/** `{workspace}.{region}` of the service or below localhost, with the port. */
const WORKSPACE_HOST = /^([^.]+)\.([^.]+)\.(?:(?:upload\.)?xata\.sh|localhost(:\d+)?)$/i;
const CONTROL_HOST = "api.xata.io";
const DEFAULT_URL = "http://localhost:4000";

/**
 * Creates a `fetch` that sends requests to the service's hosts (`*.xata.sh`, `api.xata.io`) to a
 * server, so that applications keep their addresses. Sends those to names below localhost, which
 * many systems do not resolve, to localhost. Other requests are unchanged.
 *
 * @param url of the server, as `serve` prints it; default `http://localhost:4000`
 * @param realFetch default the present `globalThis.fetch`
 *
 * @example
 * const xata = new XataClient({ databaseURL, apiKey: "any", fetch: createLocalFetch() });
 */
export function createLocalFetch(
  url: string = DEFAULT_URL,
  realFetch: Fetch = globalThis.fetch,
): Fetch {
  const server = url.replace(/\/$/, "");
  return async (input, init) => {
    const request = input instanceof Request ? input : undefined;
    const headers = new Headers(init?.headers ?? request?.headers);
    const target = redirect(new URL(request?.url ?? (input as string | URL)), headers, server);
    if (target === undefined) return realFetch(input, init);
    headers.delete("host");
    return realFetch(request === undefined ? target : new Request(target, request), {
      ...init,
      headers,
    });
  };
}

/** Moves the workspace from the host into the path (rule D-6). The npm client sends the host as a header. */
function redirect(url: URL, headers: Headers, server: string): URL | undefined {
  const host = headers.get("host") ?? url.host;
  const path = url.pathname + url.search;
  if (host === CONTROL_HOST) return new URL(server + path);
  const [found, workspace, region, port = ""] = WORKSPACE_HOST.exec(host) ?? [];
  if (found === undefined) return undefined;
  const isLocal = /localhost/i.test(host);
  const origin = isLocal ? `${url.protocol}//localhost${port}` : server;
  return new URL(`${origin}/ws/${workspace}/${region}${path}`);
}
