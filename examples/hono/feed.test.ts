import { createEngine } from "twinbase";
import { applyChanges } from "twinbase/live";
import { expect, test } from "vitest";
import { createFeed } from "./feed.js";

const engine = createEngine({ seed: 1 });
const main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
const posts = main.createTable("posts", [{ name: "title", type: "string" }]);
posts.insert({ title: "First" });

/** Reads one event. */
async function read(reader: ReadableStreamDefaultReader<Uint8Array>) {
  const { value } = await reader.read();
  const [, event, data] = /event: (.*)\ndata: (.*)/.exec(new TextDecoder().decode(value)) ?? [];
  return { event, data: JSON.parse(data ?? "null") };
}

test("the feed starts with the page, and goes on with its changes", async () => {
  const response = await createFeed(posts, 2).request("/events");
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const reader = response.body!.getReader();
  const page = await read(reader);
  expect(page).toMatchObject({
    event: "page",
    data: { records: [{ title: "First" }], more: false },
  });

  posts.insert([{ title: "Second" }, { title: "Third" }]);
  const { event, data } = await read(reader);
  const shown: { title: string }[] = applyChanges(page.data.records, data.changes);
  expect([event, data.more, shown.map(({ title }) => title)]).toEqual([
    "changes",
    true,
    ["Third", "Second"],
  ]);
  await reader.cancel();
});
