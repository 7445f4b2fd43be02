// Runs the recipes of docs/mounting.md and docs/runners.md with the frameworks from npm. Each must answer a
// read, a write, a query and an invalid query: node scripts/check-recipes.mjs
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findPort } from "./find-port.mjs";
import { inFolder, makeProject, packInto, ROOT, runWith } from "./packed.mjs";

const PACKAGES = [
  "hono@4",
  "@hono/node-server@1",
  "express@5",
  "fastify@5",
  "bun@1",
  "deno@2",
  "jest@30",
  "vitest@3",
];
const BIN = "node_modules/.bin";
const SERVERS = {
  "hono.mjs": [process.execPath],
  "express.mjs": [process.execPath],
  "fastify.mjs": [process.execPath],
  "bun.mjs": [`${BIN}/bun`],
  "deno.mjs": [`${BIN}/deno`, "run", "--allow-all", "--quiet"],
};
const MODULES = { NODE_OPTIONS: "--experimental-vm-modules" };
const RUNNERS = {
  "vitest.test.mjs": { command: [`${BIN}/vitest`, "run", "vitest.test.mjs"] },
  "node.test.mjs": { command: [process.execPath, "--test", "node.test.mjs"] },
  "require.test.cjs": { command: [process.execPath, "--test", "require.test.cjs"] },
  "jest.test.cjs": {
    command: [process.execPath, `${BIN}/jest`, "--testMatch", "**/jest.test.cjs"],
  },
  "jest-modules.test.mjs": {
    command: [process.execPath, `${BIN}/jest`, "--testMatch", "**/jest-modules.test.mjs"],
    env: MODULES,
  },
};
await inFolder(check);

async function check(folder) {
  makeProject(folder, [packInto(folder), ...PACKAGES], "module");
  const docs = ["mounting.md", "runners.md"]
    .map((name) => readFileSync(join(ROOT, "docs", name), "utf8"))
    .join("\n");
  const recipes = [...docs.matchAll(/^```js file=(\S+)\n([\s\S]*?)^```$/gm)];
  for (const [, name, code] of recipes) writeFileSync(join(folder, name), code);
  for (const [name, command] of Object.entries(SERVERS)) {
    await checkServer(folder, [...command, name]);
    process.stdout.write(`${name} answers\n`);
  }
  for (const [name, { command, env }] of Object.entries(RUNNERS)) {
    runWith({ cwd: folder, env: { ...process.env, ...env } }, ...command);
    process.stdout.write(`${name} passes\n`);
  }
  const route = await import(pathToFileURL(join(folder, "route.mjs")).href);
  await checkAnswers(async (path, { method = "GET", body } = {}) =>
    route[method](new Request(`http://localhost${path}`, { method, body })),
  );
  process.stdout.write("route.mjs answers\n");
}

async function checkServer(cwd, [program, ...args]) {
  const port = await findPort();
  const env = { ...process.env, PORT: String(port) };
  // A process group, as some commands start others.
  const child = spawn(program, args, { cwd, env, stdio: "inherit", detached: true });
  try {
    const url = `http://127.0.0.1:${port}`;
    await waitFor(url);
    await checkAnswers((path, init) => fetch(url + path, init));
  } finally {
    process.kill(-child.pid);
  }
}

async function checkAnswers(ask) {
  const table = "/twinbase/db/shop:main/tables/users";
  const read = await ask(`${table}/data/ada?columns=name`);
  assert.equal((await read.json()).name, "Ada", "a read");
  const body = JSON.stringify({ name: "Bób" });
  assert.equal((await ask(`${table}/data/bob`, { method: "PUT", body })).status, 201, "a write");
  const query = JSON.stringify({ columns: ["name"], filter: { name: "Bób" } });
  const page = await ask(`${table}/query`, { method: "POST", body: query });
  assert.equal((await page.json()).records.length, 1, "a query");
  const refused = await ask(`${table}/query`, { method: "POST", body: '{"filter":{"x":1}}' });
  assert.equal((await refused.json()).code, "unknown_column", "a refusal");
  const deleted = await ask(`${table}/data/bob`, { method: "DELETE" });
  assert.equal(deleted.status, 204, "a deletion");
}

async function waitFor(url) {
  for (let left = 300; left > 0; left--) {
    try {
      await fetch(url);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error(`${url} does not answer`);
}
