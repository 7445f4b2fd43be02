import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { formatText, runConformance } from "twinbase/conformance";
import { createService } from "./server.mjs";

let server;
before(async () => {
  server = createService().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
});
after(() => server.close());

test("keeps the rules of what it offers", async () => {
  const target = {
    workspaceUrl: `http://127.0.0.1:${server.address().port}`,
    workspace: "acme",
  };
  const only = [
    "vector:adding-again-overwrites-with-a-warning",
    "vector:removing-an-unknown-mapping-is-404",
  ];
  const report = await runConformance(target, { tiers: ["core"], only });
  assert.ok(report.conforms, formatText(report));
  assert.equal(report.checks.filter(({ verdict }) => verdict === "passed").length, only.length);
});
