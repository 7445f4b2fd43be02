import { shorten, TwinbaseError } from "../errors.js";
import { partAt, refuseValue } from "../shape/fields.js";
import type { IncomingRequest } from "./message.js";

const BASE_PATH = /^(?:\/[^/?#]+)+$/;

export function readBasePath(given: unknown): string {
  if (given === undefined || given === "" || given === "/") return "";
  if (typeof given === "string" && BASE_PATH.test(given)) return given;
  return refuseValue(
    given,
    'a path such as "/twinbase", without a slash at its end',
    partAt("basePath"),
  );
}

/**
 * Removes the base path from a request. The host belongs to the surrounding application, so it is
 * not used as a workspace name; the header is unchanged.
 */
export function belowBasePath(request: IncomingRequest, basePath: string): IncomingRequest {
  const { path } = request;
  if (path !== basePath && !path.startsWith(`${basePath}/`)) {
    const shown = shorten(path, 100);
    throw new TwinbaseError("route_not_found", `${shown} is not below ${basePath}`, {
      rule: "E-3",
    });
  }
  const { host } = request;
  return {
    ...request,
    host: "",
    path: path.slice(basePath.length) || "/",
    header: (name) => request.header(name) ?? (name === "host" ? host : undefined),
  };
}
