import { describe, refuse } from "../errors.js";
import { allowedOrigin } from "./cors.js";
import type { Exchange } from "./exchange.js";
import type { IncomingRequest } from "./message.js";
import type { Service } from "./service.js";

/** Names that foreign DNS records cannot point to this machine. */
const SAFE_HOST = /^(?:localhost|.*\.localhost|\[[\da-f:.]+\]|[\d.]+)$/;
const LOOPBACK = /^(?:(?:.*\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[\da-f:.]+\])$/;
/** Wildcard listen addresses. */
const ANY_ADDRESS: readonly string[] = ["0.0.0.0", "::"];
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json *(?:;|$)/i;

const READS: readonly string[] = ["GET", "HEAD", "OPTIONS"];

/**
 * Whether a page of another origin may have sent a request. An equal host name proves nothing
 * without a check of hosts or keys: foreign names may resolve to this machine (DNS rebinding).
 */
export function isForeign({ request, service }: Exchange): boolean {
  const { closed, hosts } = service;
  const origin = request.header("origin");
  if (origin === undefined) return false;
  const isTrusted = closed || (hosts !== undefined && hosts !== "*");
  const hostname = ownName(request, origin);
  return hostname === undefined || !(isTrusted || SAFE_HOST.test(hostname));
}

/**
 * Rejects unknown hosts, and writes from pages of other origins, if the service restricts hosts
 * (rule E-7).
 */
export function refuseForeign({ service, request }: Exchange): void {
  const { hosts } = service;
  if (hosts === undefined) return;
  if (hosts !== "*" && !isKnownHost(request.host, hosts)) {
    const expected = "expected localhost, or a host allowed by the option hosts";
    refuse("forbidden", `host ${describe(request.host)}: ${expected}`, { rule: "E-7" });
  }
  if (READS.includes(request.method) || isAllowed(service, request)) return;
  const origin = request.header("origin");
  const site = request.header("sec-fetch-site");
  const isOwn =
    origin === undefined ? site !== "same-site" : ownName(request, origin) !== undefined;
  if (isOwn && site !== "cross-site") return;
  const from = origin === undefined ? "another origin" : `origin ${describe(origin)}`;
  refuse("forbidden", `pages of ${from} may not send this; allow the origin with the option cors`, {
    rule: "E-7",
  });
}

/**
 * Requires a JSON content type from pages: browsers send other types to any origin without
 * preflight. Does not check programs other than browsers.
 */
export function requireJsonType(service: Service, request: IncomingRequest): void {
  const isPage = ["origin", "sec-fetch-site"].some((name) => request.header(name) !== undefined);
  if (service.hosts === undefined || !isPage || isAllowed(service, request)) return;
  const type = request.header("content-type");
  if (type !== undefined && JSON_TYPE.test(type)) return;
  const found = type === undefined ? "none" : describe(type);
  refuse("invalid_request", `content-type: expected application/json, found ${found}`, {
    rule: "E-7",
  });
}

function isAllowed(service: Service, request: IncomingRequest): boolean {
  return service.cors === "*" || allowedOrigin(service, request) !== undefined;
}

/** Returns the host name of the service's own origin; undefined for other origins. */
function ownName(request: IncomingRequest, origin: string): string | undefined {
  try {
    const { protocol, host, hostname } = new URL(origin);
    const ownHost = new URL(`${protocol}//${request.header("host") ?? request.host}`).host;
    return host === ownHost ? hostname : undefined;
  } catch {
    return undefined; // "null" is sent by pages without origin
  }
}

/** Whether a host is loopback, in the list or a subdomain of it. Browsers always send a host. */
function isKnownHost(host: string, hosts: ReadonlySet<string>): boolean {
  const name = host.replace(/\.?(?::\d*)?$/, "").toLowerCase();
  if (name === "" || LOOPBACK.test(name) || hosts.has(name)) return true;
  if (ADDRESS.test(name)) return ANY_ADDRESS.some((any) => hosts.has(any));
  for (let dot = name.indexOf("."); dot >= 0; dot = name.indexOf(".", dot + 1)) {
    if (hosts.has(name.slice(dot + 1))) return true;
  }
  return false;
}
