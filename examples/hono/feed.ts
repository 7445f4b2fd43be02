import { Hono } from "hono";
import type { AnyTable } from "twinbase";
import { liveEvents, liveQuery } from "twinbase/live";

/** A feed of a table that is embedded in the server: the newest records, then each change. */
export function createFeed(table: AnyTable, size = 20): Hono {
  const app = new Hono();
  app.get("/events", ({ req }) => {
    const headers = { "content-type": "text/event-stream", "cache-control": "no-store" };
    // Hono passes HEAD requests too. It drops the body unread: the query would stay open.
    if (req.method === "HEAD") return new Response(null, { headers });
    const live = liveQuery(table, { sort: { id: "desc" }, page: { size } });
    // Closes the query when the client disconnects.
    return new Response(liveEvents(live), { headers });
  });
  return app;
}
