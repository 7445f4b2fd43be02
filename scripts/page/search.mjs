// Search for words, with boosters, and for vectors.
import assert from "node:assert/strict";
import { createEngine } from "../../dist/index.js";
import { searchTable } from "../../dist/search.js";
import { becomes, checkAccess, enter, placeOf } from "./open.mjs";

const MAIN = "demo/world/main";

/** Finds a misspelt word, and opens a record. */
export async function words({ open, world: { url } }) {
  const page = await open(url, placeOf(MAIN));
  await page.getByRole("link", { name: "Search" }).click();
  await enter(page.getByLabel("Search for"), "reykjavix");
  await page.locator("mark", { hasText: "Reykjavik" }).first().waitFor();
  await checkAccess(page, "search");
  await page.getByLabel("Typo tolerance").selectOption("0");
  await page.getByText("0 found").waitFor();
  await page.getByLabel("Typo tolerance").selectOption("1");
  await page.locator(".found a").first().click();
  await page.getByRole("complementary", { name: /^Record / }).waitFor();
}

/** Boosts by a number, a value and a date; marks the wrong booster. */
export async function boosters({ open, serve }) {
  const { url, found } = await servePosts(serve);
  const page = await open(url, placeOf("demo/blog/main", { view: "search" }));
  await enter(page.getByLabel("Search for"), "fox");
  await page.getByText("3 found").waitFor();
  await becomes(() => page.getByRole("button", { name: "+ Booster" }).count(), 0);
  await page.getByLabel("In", { exact: true }).selectOption("posts");
  const rows = page.getByRole("group", { name: "Boosters" });
  // By keys: the first column of numbers is preselected.
  await rows.getByRole("button", { name: "+ Booster" }).press("Enter");
  await becomes(() => rows.getByLabel("Column").inputValue(), "views");
  await enter(rows.getByLabel("Factor"), "0.5");
  await page.waitForURL(/boosters=/);
  const numeric = { numericBooster: { column: "views", factor: 0.5 } };
  await becomes(() => listed(page), found({ boosters: [numeric] }));

  await rows.getByRole("button", { name: "+ Booster" }).click();
  await rows.getByLabel("Boost by").last().selectOption("valueBooster");
  await rows.getByLabel("Column").last().selectOption("draft");
  await rows.getByLabel("Value").fill("true");
  await rows.getByLabel("Factor").last().fill("-100");
  await rows.getByRole("button", { name: "+ Booster" }).click();
  await rows.getByLabel("Boost by").last().selectOption("dateBooster");
  await rows.getByLabel("Origin").fill("2024-01-01T00:00:00Z");
  await rows.getByLabel("If matches").last().fill('{"views": {"$lt": 50}}');
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.getByText("score -").waitFor();
  const value = { valueBooster: { column: "draft", value: true, factor: -100 } };
  const date = {
    dateBooster: {
      column: "posted",
      scale: "30d",
      decay: 0.5,
      origin: "2024-01-01T00:00:00Z",
      ifMatchesFilter: { views: { $lt: 50 } },
    },
  };
  await becomes(() => listed(page), found({ boosters: [numeric, value, date] }));
  assert.deepEqual((await requestOf(page)).boosters, [numeric, value, date]);
  assert.match(await page.getByRole("region", { name: "curl" }).innerText(), /posts\/search'/);
  await checkAccess(page, "a search with boosters");

  // The form is restored from the address.
  const shared = await open(url, new URL(page.url()).hash);
  await shared.getByText("score -").waitFor();
  await becomes(() => shared.getByLabel("Scale").inputValue(), "30d");
  await becomes(() => shared.getByLabel("If matches").last().inputValue(), '{"views":{"$lt":50}}');

  await enter(rows.getByLabel("Factor").last(), "-1");
  const wrong = page.locator(".booster", { has: page.getByRole("alert") });
  await wrong.waitFor();
  await becomes(() => wrong.getByLabel("Factor").getAttribute("aria-invalid"), "true");
  await becomes(() => page.getByRole("alert").count(), 1);
  await checkAccess(page, "a booster that is refused");
  await rows.getByLabel("Factor").last().fill("1");
  await page.getByRole("alert").waitFor({ state: "detached" });
  await rows.getByRole("button", { name: "Remove booster" }).last().click();
  const focus = page.locator(":focus", { hasText: "Booster" });
  await focus.waitFor();
  await rows.getByRole("button", { name: "Remove booster" }).last().click();
  await focus.waitFor();
  await page.keyboard.press("Enter"); // adds one: the button has the focus
  await page.getByRole("button", { name: "Search", exact: true }).click();
  await page.getByText("score -").waitFor({ state: "detached" });
  await page.getByLabel("In", { exact: true }).selectOption("");
  await page.getByText("3 found").waitFor();
  assert.ok(!page.url().includes("boosters"));
}

/** Searches some columns of filtered records; marks the wrong field. */
export async function narrow({ open, serve }) {
  const { url, found } = await servePosts(serve);
  const fox = placeOf("demo/blog/main", { view: "search", words: "fox", in: "posts" });
  const page = await open(url, fox);
  await page.getByText("3 found").waitFor();
  const columns = page.getByLabel("Columns");
  const filter = page.getByLabel("Filter");
  const given = { target: [{ column: "title", weight: 5 }], filter: { views: { $lt: 50 } } };
  await columns.fill(JSON.stringify(given.target));
  await enter(filter, JSON.stringify(given.filter));
  await page.getByText("2 found").waitFor();
  await becomes(() => listed(page), found(given));
  const { target, filter: sent } = await requestOf(page);
  assert.deepEqual({ target, filter: sent }, given);
  await checkAccess(page, "a search of some columns");
  const shared = await open(url, new URL(page.url()).hash);
  await shared.getByText("2 found").waitFor();
  await becomes(() => shared.getByLabel("Filter").inputValue(), '{"views":{"$lt":50}}');

  for (const [wrong, right, text] of [
    [columns, filter, '["views"]'],
    [filter, columns, "{oops"],
    [filter, columns, '{"nmae": "fox"}'],
  ]) {
    await right.fill("");
    await enter(wrong, text);
    await wrong.and(page.locator("[aria-invalid=true]")).waitFor();
    await page.getByRole("alert").waitFor();
    await becomes(() => right.getAttribute("aria-invalid"), "false");
  }
  await page.getByLabel("Mode").selectOption("vector");
  await page.getByLabel("Vector", { exact: true }).fill("[1, 0]");
  await enter(filter, '{"draft": true}');
  await page.getByText("1 found").waitFor();
  await becomes(() => listed(page), ["tame 1.71"]);
  await page.getByLabel("Mode").selectOption("words");
  await page.getByLabel("In", { exact: true }).selectOption("");
  await page.getByText("3 found").waitFor();
  assert.ok(!page.url().includes("filter"));
}

/** Finds records similar to a vector, and to a record. */
export async function vectors({ open, serve, world }) {
  const { url } = await servePosts(serve);
  const page = await open(url, placeOf("demo/blog/main", { view: "search" }));
  await page.getByLabel("Mode").selectOption("vector");
  const numbers = page.getByLabel("Vector", { exact: true });
  await enter(numbers, "[1, 0]");
  await page.getByText("3 found").waitFor();
  await becomes(() => listed(page), ["red 2.00", "tame 1.71", "grey 1.00"]);
  await page.locator(".found").getByText("The red fox", { exact: true }).first().waitFor();
  await page.getByLabel("Similarity").selectOption("l1");
  await page.getByText("score 0.33").waitFor();
  await becomes(() => listed(page), ["red 1.00", "tame 0.50", "grey 0.33"]);
  await page.getByLabel("Similarity").selectOption("");
  await page.getByLabel("Or the vector of record").fill("grey");
  await page.getByRole("button", { name: "Find similar" }).click();
  await page.waitForURL(/vector=%5B0%2C1%5D/);
  await becomes(() => numbers.inputValue(), "[0,1]");
  await becomes(() => listed(page), ["grey 2.00", "tame 1.71", "red 1.00"]);
  assert.deepEqual(await requestOf(page), { column: "meaning", queryVector: [0, 1] });
  await checkAccess(page, "vectors");
  const shared = await open(url, new URL(page.url()).hash);
  await shared.getByText("3 found").waitFor();
  await becomes(() => listed(shared), await listed(page));

  await page.getByLabel("Or the vector of record").fill("none");
  await page.getByRole("button", { name: "Find similar" }).click();
  await page.getByRole("alert").getByText('record "none" not found').waitFor();
  await enter(numbers, "[1, 0, 0]");
  await page.getByRole("alert").getByText("V-1").waitFor();
  await becomes(() => numbers.getAttribute("aria-invalid"), "true");
  await checkAccess(page, "a vector that is refused");
  const none = await open(world.url, placeOf(MAIN, { view: "search", by: "vector" }));
  await none.getByText("No table of this branch has a vector column.").waitFor();
  await none.getByLabel("Mode").selectOption("words");
  await none.getByLabel("Search for").waitFor();
}

/** Serves posts; `found` lists the results of a search for "fox". */
async function servePosts(serve) {
  const engine = createEngine({ seed: 1, now: Date.UTC(2030, 0, 1) });
  const main = engine.createWorkspace("demo").createDatabase("blog").branch("main");
  const posts = main.createTable("posts", [
    { name: "title", type: "string" },
    { name: "views", type: "int" },
    { name: "draft", type: "bool" },
    { name: "posted", type: "datetime" },
    { name: "meaning", type: "vector", vector: { dimension: 2 } },
  ]);
  posts.insert([
    { id: "red", title: "The red fox", views: 3, posted: "2024-01-01T00:00:00Z", meaning: [1, 0] },
    { id: "grey", title: "A grey fox", views: 90, posted: "2023-01-01T00:00:00Z", meaning: [0, 1] },
    { id: "tame", title: "One tame fox", views: 9, draft: true, meaning: [1, 1] },
  ]);
  const found = (request) =>
    searchTable(posts, { query: "fox", ...request }).records.map(
      ({ id, service }) => `${id} ${service.score.toFixed(2)}`,
    );
  return { ...(await serve(engine)), found };
}

/** Returns the request that the page shows. */
async function requestOf(page) {
  await page.getByText("As JSON and as code").click();
  return JSON.parse(await page.getByRole("region", { name: "Request" }).innerText());
}

function listed(page) {
  return page.locator(".found h2").evaluateAll((titles) =>
    titles.map((title) => {
      const score = title.textContent.match(/score (.*)$/)[1];
      const id = new URLSearchParams(title.querySelector("a").hash.split("?")[1]).get("record");
      return `${id} ${score}`;
    }),
  );
}
