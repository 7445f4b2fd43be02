import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { EventSource } from "eventsource";
import { createEngine } from "twinbase";
import { applyChanges } from "twinbase/live";
import { onTestFinished, test } from "vitest";
import { createFeed } from "./feed.js";

const engine = createEngine({ seed: 1 });
const main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
const posts = main.createTable("posts", [{ name: "title", type: "string" }]);
posts.insert({ title: "First" });

/** Follows the feed, as a browser does. Returns a function that waits for a page with these titles. */
function follow(url: string): (...titles: string[]) => Promise<void> {
  let shown: readonly { title: string }[] = [];
  let check = () => {};
  const source = new EventSource(url);
  onTestFinished(() => source.close());
  source.addEventListener("page", ({ data }) => {
    shown = JSON.parse(data).records;
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
  const server = createServer(getRequestListener(createFeed(posts, 2).fetch)).listen(0);
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const url = `http://localhost:${(server.address() as AddressInfo).port}/events`;
  const clients = [follow(url), follow(url)];
  await Promise.all(clients.map((waitFor) => waitFor("First")));
  posts.insert([{ title: "Second" }, { title: "Third" }]);
  await Promise.all(clients.map((waitFor) => waitFor("Third", "Second")));

  server.closeAllConnections();
  posts.insert({ title: "Fourth" });
  await Promise.all(clients.map((waitFor) => waitFor("Fourth", "Third")));
}, 30_000);
