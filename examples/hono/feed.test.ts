import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { EventSource } from "eventsource";
import { createEngine } from "twinbase";
import { applyChanges } from "twinbase/live";
import { expect, onTestFinished, test } from "vitest";
import { createFeed } from "./feed.js";

const engine = createEngine({ seed: 1 });
const main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
const posts = main.createTable("posts", [{ name: "title", type: "string" }]);
posts.insert({ title: "First" });

/**
 * Follows the feed, as a browser does. Returns a function that waits for a page with these titles.
 *
 * @param onPage called with each whole page
 */
function follow(url: string, onPage: () => void): (...titles: string[]) => Promise<void> {
  let shown: readonly { title: string }[] = [];
  let check = () => {};
  const source = new EventSource(url);
  onTestFinished(() => source.close());
  source.addEventListener("page", ({ data }) => {
    shown = JSON.parse(data).records;
    onPage();
    check();
  });
  source.addEventListener("changes", ({ data }) => {
    shown = applyChanges(shown, JSON.parse(data).changes);
    check();
  });
  return (...titles) =>
    new Promise((resolve) => {
      check = () => {
        if (shown.map(({ title }) => title).join() === titles.join()) resolve();
      };
      check();
    });
}

test("clients get the page, its changes, and the whole page again when they reconnect", async () => {
  const app = createFeed(posts, 2);
  const lastIds: (string | null)[] = [];
  const listener = getRequestListener((request) => {
    lastIds.push(request.headers.get("last-event-id"));
    return app.fetch(request);
  });
  const server = createServer(listener).listen(0);
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const url = `http://localhost:${(server.address() as AddressInfo).port}/events`;
  let pages = 0;
  const onPage = () => pages++;
  const clients = [follow(url, onPage), follow(url, onPage)];
  await Promise.all(clients.map((waitFor) => waitFor("First")));
  posts.insert([{ title: "Second" }, { title: "Third" }]);
  await Promise.all(clients.map((waitFor) => waitFor("Third", "Second")));

  server.closeAllConnections();
  posts.insert({ title: "Fourth" });
  await Promise.all(clients.map((waitFor) => waitFor("Fourth", "Third")));
  expect([lastIds, pages]).toEqual([[null, null, "2", "2"], 4]);
}, 30_000);
