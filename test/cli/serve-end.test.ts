/** @module-tag slow */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildPackage } from "../built-package.js";

/** Fails long writes, like a full disk. */
const FULL = `import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
const { write } = fs;
fs.write = (file, bytes, done) => {
  if (bytes.length < 20_000) write(file, bytes, done);
  else done(Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" }));
};
syncBuiltinESMExports();`;

let home: string;
let folder: string;
beforeAll(() => {
  home = buildPackage();
  folder = mkdtempSync(join(tmpdir(), "twinbase-end-"));
}, 120_000);
afterAll(() => {
  for (const path of [home, folder]) rmSync(path, { recursive: true, force: true });
});

it("a server whose disk has failed exits after a signal with an error message", async () => {
  const preload = `data:text/javascript,${encodeURIComponent(FULL)}`;
  const given = ["--import", preload, "dist/cli.js", "serve", "--data", folder, "--port", "0"];
  const server = spawn(process.execPath, given, { cwd: home });
  let stderr = "";
  server.stderr.on("data", (chunk) => {
    stderr += String(chunk);
  });
  let url = "";
  for await (const line of createInterface(server.stdout)) {
    url = /^http:\S+/.exec(line)?.[0] ?? "";
    if (url !== "") break;
  }
  expect(url).not.toBe("");
  const send = async (method: string, path: string, body?: object) => {
    const headers = { "content-type": "application/json" };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    return fetch(`${url}/db/files:main/tables/notes${path}`, init);
  };
  expect((await send("PUT", "")).status).toBe(201);
  const column = { name: "text", type: "text" };
  expect((await send("POST", "/columns", column)).status).toBe(200);
  const failed = await send("POST", "/data", { text: "x".repeat(30_000) });
  expect(failed.status).toBe(503);
  expect(await failed.text()).not.toContain(folder);
  const ended = once(server, "close");
  server.kill("SIGTERM");
  expect(await ended).toEqual([1, null]);
  expect(stderr).toMatch(/\ntwinbase serve: data cannot be persisted \(ENOSPC\).*\n$/);
});
