import { shorten, TwinbaseError } from "../errors.js";
import { parsed, type Schema, TEXT } from "../shape/schema.js";
import type { IncomingRequest } from "./message.js";

export const BASE_PATH: Schema<string> = parsed(
  TEXT,
  'a path such as "/twinbase", without a slash at its end',
  (path) =>
    typeof path === "string" && /^(?:\/|(?:\/[^/?#]+)*)$/.test(path)
      ? path.replace(/^\/$/, "")
      : undefined,
);

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
