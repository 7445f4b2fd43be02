/** @module-tag slow */
import { execFile, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildPackage } from "../built-package.js";
import { runPrinted } from "./printed-commands.js";

describe("npm start", () => {
  let home: string;

  beforeAll(() => {
    home = buildPackage();
  }, 120_000);

  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it.each(["documented", "xata"])(
    "serves the world under %s, and says what to ask",
    async (name) => {
      const server = spawn(process.execPath, script("--port", "0", "--profile", name), {
        cwd: home,
      });
      try {
        let said = "";
        for await (const chunk of server.stdout) {
          said += String(chunk);
          if (said.includes("Ctrl-C")) break;
        }
        expect(said).toContain("250 countries and 135233 cities");
        expect(said).toContain(`profile ${name}`);
        const [cities, regions, iceland, ...others] = await runPrinted(said);
        expect(others).toEqual([]);
        expect(await cities?.text()).toContain('"name":"Kinshasa"');
        expect(await regions?.text()).toContain('"region":"Europe"');
        expect(await iceland?.json()).toMatchObject({ id: "IS", region: "Europe" });
      } finally {
        server.kill("SIGTERM");
      }
    },
  );

  it("prints in a line why it cannot start", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as AddressInfo; // it listens on a port
    for (const [args, fault] of [
      [["--port", String(port)], /address already in use/],
      [["--port", "eighty"], /port/i],
      [["--profile", "other"], /profile/],
      [["--colour", "red"], /--colour/],
    ] as const) {
      const { code, stderr } = await run(args);
      expect(code).toBe(1);
      expect(stderr).toMatch(fault);
      expect(stderr).toMatch(/^npm start: .*\n$/);
    }
    other.close();
  });

  function script(...args: string[]): string[] {
    return ["scripts/start.mjs", ...args];
  }

  function run(args: readonly string[]): Promise<{ code: unknown; stderr: string }> {
    return new Promise((done) => {
      execFile(process.execPath, script(...args), { cwd: home }, (error, _, stderr) =>
        done({ code: error?.code, stderr }),
      );
    });
  }
});
