/** An address before its route is matched. */
export interface Place {
  /** As the address has it: by prefix, percent-encoded; absent where it names none. */
  readonly workspace: string | undefined;
  /** The segments of the path after the prefix, percent-encoded. */
  readonly segments: readonly string[];
}

const PREFIX = "/ws/";

/**
 * Takes apart where a request goes to: `/ws/{workspace}/{region}/…` names the workspace, else a
 * host such as `{workspace}.{region}.example.com` does. No rule looks at the region.
 */
export function readPlace(host: string, path: string): Place {
  const segments = path.slice(1).split("/");
  if (path.startsWith(PREFIX) && segments.length > 3) {
    return { workspace: segments[1], segments: segments.slice(3) };
  }
  return { workspace: workspaceOf(host), segments };
}

/**
 * The first of three labels or more; a number at the end makes it an address of the network. What
 * follows the region, such as `upload`, and a dot at the end change nothing (rule D-6).
 */
function workspaceOf(host: string): string | undefined {
  const labels = host.replace(/\.?(?::\d*)?$/, "").split(".");
  const [workspace] = labels;
  if (labels.length < 3 || host.startsWith("[") || /^\d*$/.test(labels.at(-1) ?? "")) {
    return undefined;
  }
  return workspace;
}

/** Whether an address is one of control. */
export function isControl({ segments }: Pick<Place, "segments">): boolean {
  return segments[0] === "_twinbase";
}
