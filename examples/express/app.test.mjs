import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createEngine } from "twinbase";
import { loadFixture } from "twinbase/fixtures";
import { serve } from "twinbase/node";
import { createApp } from "./app.mjs";

let service;
let server;
before(async () => {
  const engine = createEngine({ seed: 1 });
  const main = engine.createWorkspace("acme").createDatabase("world").branch("main");
  loadFixture(main, "cities", {
    name: "cities.csv",
    text: "name,population\nWien,1982097\nGraz,291072\n",
  });
  service = await serve(engine);
  server = createApp(`${service.url}/db/world`).listen(0);
});
after(async () => {
  server.close();
  await service.close();
});

test("large cities come first", async () => {
  const answer = await fetch(`http://127.0.0.1:${server.address().port}/cities`);
  assert.deepEqual(await answer.json(), ["Wien", "Graz"]);
});

test("small cities are left out", async () => {
  const answer = await fetch(`http://127.0.0.1:${server.address().port}/cities?min=1000000`);
  assert.deepEqual(await answer.json(), ["Wien"]);
});
