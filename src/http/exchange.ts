import { belowBasePath } from "./base-path.js";
import type { Routed } from "./match.js";
import type { IncomingRequest } from "./message.js";
import { readPlace } from "./place.js";
import type { Service } from "./service.js";

/** A request to a service, until its answer. */
export interface Exchange extends Routed {
  readonly service: Service;
  readonly id: string;
}

export function openExchange(service: Service, id: string, given: IncomingRequest): Exchange {
  const { basePath } = service;
  const request = basePath === "" ? given : belowBasePath(given, basePath);
  const { workspace, segments } = readPlace(request.host, request.path);
  return { service, id, request, workspace, segments, found: service.table.match(segments) };
}
