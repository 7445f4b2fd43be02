import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { formatText, runConformance } from "twinbase/conformance";

const check = spawnSync("python3", ["-c", "from datetime import UTC"]);
const skip = check.status === 0 ? false : "needs Python 3.11";
let service;
let url;

before(async () => {
  if (skip !== false) return;
  service = spawn("python3", ["service.py"], { cwd: import.meta.dirname });
  const [line] = await once(service.stdout, "data");
  url = String(line).trim();
});
after(() => service?.kill());

test("conforms in the core tier", { skip }, async () => {
  const target = { workspaceUrl: url, workspace: "acme", profile: "documented" };
  const report = await runConformance(target, { tiers: ["core"] });
  assert.ok(report.conforms, formatText(report));
  assert.equal(report.coverage.diverged, 0);
  assert.ok(report.coverage.covered > 45, formatText(report));
  const missing = report.missing.map(({ feature }) => feature);
  assert.ok(missing.includes("operation search"), String(missing));
  assert.ok(!missing.some((feature) => feature.startsWith("page")), String(missing));
});

test("answers malformed requests", { skip }, async () => {
  const send = (method, path, body) => fetch(`${url}${path}`, { method, body });
  await send("PUT", "/workspaces/acme/dbs/malformed");
  const table = "/db/malformed:main/tables/t";
  await send("PUT", table);
  const bodies = [
    ["PUT", "/schema", '{"columns":[{"name":"l","type":"link"}]}'],
    ["PUT", "/schema", '{"columns":[{"name":"o","type":"object"}]}'],
    ["POST", "/bulk", '{"records":5}'],
    ["POST", "/data", '{"id":5}'],
    ["POST", "/query", '{"page":{"size":1e400}}'],
    ["POST", "/query", '{"sort":[[]]}'],
  ];
  for (const [method, path, body] of bodies) {
    assert.equal((await send(method, table + path, body)).status, 400, body);
  }
});
