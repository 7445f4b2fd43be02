import type { IncomingRequest } from "./message.js";
import type { RequestTarget } from "./request-target.js";
import type { Method, Route } from "./route.js";

export interface Match {
  readonly routes: ReadonlyMap<string, Route>;
  readonly names: readonly (readonly [name: string, segment: string])[];
}

/** A request with the parts and the routes of its address. */
export interface RoutedRequest extends RequestTarget {
  readonly request: IncomingRequest;
  readonly found: Match | undefined;
}

export type MatchRoutes = (segments: readonly string[]) => Match | undefined;

interface Node {
  readonly literals: Map<string, Node>;
  parameter: { readonly name: string; readonly node: Node } | undefined;
  readonly routes: Map<Method, Route>;
}

/**
 * Creates a matcher of path segments. Literals have priority over parameters; the routes need no
 * backtracking.
 */
export function createMatcher(routes: readonly Route[]): MatchRoutes {
  const root = createNode();
  for (const route of routes) nodeAt(root, route.path).routes.set(route.method, route);
  return (segments) => {
    const names: [string, string][] = [];
    let node = root;
    for (const segment of segments) {
      const literal = node.literals.get(segment);
      if (literal !== undefined) {
        node = literal;
        continue;
      }
      if (node.parameter === undefined) return undefined;
      names.push([node.parameter.name, segment]);
      node = node.parameter.node;
    }
    return node.routes.size === 0 ? undefined : { routes: node.routes, names };
  };
}

function createNode(): Node {
  return { literals: new Map(), parameter: undefined, routes: new Map() };
}

function nodeAt(root: Node, path: string): Node {
  let node = root;
  for (const segment of path.slice(1).split("/")) {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name !== undefined) {
      node.parameter ??= { name, node: createNode() };
      node = node.parameter.node;
    } else {
      const next = node.literals.get(segment) ?? createNode();
      node.literals.set(segment, next);
      node = next;
    }
  }
  return node;
}
