import type { Exchange } from "./exchange.js";
import type { Answer, IncomingRequest } from "./message.js";
import { METHODS } from "./route.js";
import type { Service } from "./service.js";

const PREFLIGHT_SECONDS = "600";

export function answerPreflight({ service, request, id }: Exchange): Answer | undefined {
  if (request.method !== "OPTIONS" || allowedOrigin(service, request) === undefined) {
    return undefined;
  }
  if (request.header("access-control-request-method") === undefined) return undefined;
  return {
    status: 204,
    headers: {
      "x-request-id": id,
      "access-control-allow-methods": METHODS.join(", "),
      "access-control-allow-headers":
        request.header("access-control-request-headers") ?? "authorization, content-type",
      "access-control-max-age": PREFLIGHT_SECONDS,
    },
    body: undefined,
  };
}

export function allowOrigin({ service, request }: Exchange, { headers }: Answer): void {
  if (service.cors !== "*" && service.cors.size === 0) return;
  headers.vary = "origin";
  const origin = allowedOrigin(service, request);
  if (origin === undefined) return;
  headers["access-control-allow-origin"] = origin;
  headers["access-control-expose-headers"] = "x-request-id";
}

export function allowedOrigin({ cors }: Service, request: IncomingRequest): string | undefined {
  const origin = request.header("origin");
  if (origin === undefined) return undefined;
  return cors === "*" || cors.has(origin) ? origin : undefined;
}
