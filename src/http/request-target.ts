/** An address before its route is matched. */
export interface RequestTarget {
  /** The workspace of the prefix, percent-encoded; absent without prefix. */
  readonly workspace: string | undefined;
  /** The path segments after the prefix, percent-encoded. */
  readonly segments: readonly string[];
}

const PREFIX = "/ws/";

/**
 * Parses the address of a request: the workspace is in the path, `/ws/{workspace}/{region}/…`, or
 * in the host, `{workspace}.{region}.example.com`. Ignores the region.
 */
export function readRequestTarget(host: string, path: string): RequestTarget {
  const segments = path.slice(1).split("/");
  if (path.startsWith(PREFIX) && segments.length > 3) {
    return { workspace: segments[1], segments: segments.slice(3) };
  }
  return { workspace: workspaceOf(host), segments };
}

/**
 * Returns the first of at least three labels; a host that ends with a number is an IP address.
 * Ignores labels after the region, such as `upload`, and a final dot (rule D-6).
 */
function workspaceOf(host: string): string | undefined {
  const labels = host.replace(/\.?(?::\d*)?$/, "").split(".");
  const [workspace] = labels;
  if (labels.length < 3 || host.startsWith("[") || /^\d*$/.test(labels.at(-1) ?? "")) {
    return undefined;
  }
  return workspace;
}

export function isControl({ segments }: Pick<RequestTarget, "segments">): boolean {
  return segments[0] === "_twinbase";
}
