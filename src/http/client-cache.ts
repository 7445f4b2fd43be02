import type { RoutedRequest } from "./match.js";

/** Delays answers to writes for the cache of the npm client. */
export interface WriteDelay {
  /** Returns when the answer may be sent; undefined for at once. */
  readonly follow: (exchange: RoutedRequest, arrivedAt: number) => Promise<void> | undefined;
}

const MAX_CLIENTS = 10_000;
const MAX_ID = 100;
const MAX_WAITS = 5;
/** The platform's: a test may replace the globals. */
const { Date: SystemDate, setTimeout: startTimer } = globalThis;

/**
 * The npm client answers a repeated query from its cache until `Date.now()` changes. Therefore the
 * answer to a client's first write after a query waits for the millisecond after its arrival.
 */
export function createWriteDelay(): WriteDelay {
  /** The last query of each client since its last write: a token, as requests hold their bodies. */
  const queried = new Map<string, symbol>();
  return {
    follow({ request, found }, arrivedAt) {
      const client = request.header("x-xata-client-id");
      const route = found?.routes.get(request.method);
      if (client === undefined || client.length > MAX_ID || route === undefined) return undefined;
      if (route.operation === "queryTable") {
        queried.set(client, Symbol());
        if (queried.size > MAX_CLIENTS) queried.delete(first(queried));
      }
      const isWrite = !route.reads || route.operation.startsWith("sql");
      const query = queried.get(client);
      if (!isWrite || query === undefined) return undefined;
      return waitUntilAfter(arrivedAt).then(() => {
        // A query that came meanwhile is not followed by this write.
        if (queried.get(client) === query) queried.delete(client);
      });
    },
  };
}

function first(map: ReadonlyMap<string, unknown>): string {
  for (const key of map.keys()) return key;
  return "";
}

async function waitUntilAfter(time: number): Promise<void> {
  // Fake timers stop the clock; those of sinon, jest and vitest have a `clock`.
  if (Date !== SystemDate || "clock" in Date) return;
  // A clock with a coarse resolution does not change in time.
  for (let waits = 0; waits < MAX_WAITS && Date.now() <= time; waits++) {
    await new Promise((resolve) => startTimer(resolve, 1));
  }
}
