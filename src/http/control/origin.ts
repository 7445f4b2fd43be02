import type { IncomingRequest } from "../message.js";

/** Hosts that are this machine, or an address: names that nobody else can make lead here. */
const SAFE_HOST = /^(?:localhost|.*\.localhost|\[[\da-f:.]+\]|[\d.]+)$/;

/**
 * Whether a page of another origin sent a request, or may have. Without keys a host's name is not
 * enough to tell: whoever owns a name can make it lead here, and the browser takes that page for one
 * of this service.
 */
export function isForeign(request: IncomingRequest, closed: boolean): boolean {
  const origin = request.header("origin");
  if (origin === undefined) return false;
  try {
    const { protocol, host, hostname } = new URL(origin);
    const own = new URL(`${protocol}//${request.header("host") ?? request.host}`).host;
    return host !== own || !(closed || SAFE_HOST.test(hostname));
  } catch {
    return true; // "null", as a page without an origin sends it
  }
}
