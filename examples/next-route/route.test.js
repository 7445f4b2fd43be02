import assert from "node:assert/strict";
import { test } from "node:test";
import { GET, POST } from "./app/twinbase/[...path]/route.js";

const TEAMS = "http://localhost/twinbase/db/shop:main/tables/teams";

test("a record is read", async () => {
  const answer = await GET(new Request(`${TEAMS}/data/blue`));
  assert.equal((await answer.json()).name, "Blue");
});

test("a query is answered", async () => {
  const body = JSON.stringify({ filter: { name: { $startsWith: "B" } } });
  const answer = await POST(new Request(`${TEAMS}/query`, { method: "POST", body }));
  assert.equal((await answer.json()).records.length, 1);
});
