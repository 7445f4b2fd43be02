import { belowBasePath } from "./base-path.js";
import type { RoutedRequest } from "./match.js";
import type { IncomingRequest } from "./message.js";
import { readRequestTarget } from "./request-target.js";
import type { Service } from "./service.js";

/** A request to a service, until its answer. */
export interface Exchange extends RoutedRequest {
  readonly service: Service;
  readonly id: string;
}

export function openExchange(service: Service, id: string, incoming: IncomingRequest): Exchange {
  const { basePath } = service;
  const request = basePath === "" ? incoming : belowBasePath(incoming, basePath);
  const { workspace, segments } = readRequestTarget(request.host, request.path);
  return { service, id, request, workspace, segments, found: service.table.match(segments) };
}
