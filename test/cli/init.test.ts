import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { initProject } from "../../src/cli/init.js";

// scripts/check-init.mjs runs the written files.
describe("twinbase init", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "twinbase-init-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const install = (devDependencies: object, typescript = false): void => {
    writeFileSync(join(folder, "package.json"), JSON.stringify({ devDependencies }));
    if (typescript) writeFileSync(join(folder, "tsconfig.json"), "{}");
  };

  it.each([
    ["vitest and TypeScript", { vitest: "4" }, true, "ts", 'from "vitest"'],
    ["vitest", { vitest: "4" }, false, "mjs", 'from "vitest"'],
    ["jest", { jest: "30" }, true, "cjs", 'require("./double.cjs")'],
    ["ts-jest", { jest: "30", "ts-jest": "29" }, true, "ts", 'from "./double"'],
    ["no runner", {}, true, "mjs", 'from "node:test"'],
  ])("detects %s", (_, packages, typescript, extension, expected) => {
    install(packages, typescript);
    initProject(folder);
    const names = ["double", "double.test", "schema"].map((name) => `${name}.${extension}`);
    expect(readdirSync(join(folder, "test")).sort()).toEqual(names.sort());
    expect(readFileSync(join(folder, `test/double.test.${extension}`), "utf8")).toContain(expected);
  });

  it("uses the client if installed, and names missing packages", () => {
    install({ "@xata.io/client": "0.30", vitest: "4" });
    expect(initProject(folder)).toContain("npm install -D twinbase\n");
    const text = readFileSync(join(folder, "test/double.test.mjs"), "utf8");
    expect(text).toContain("new (buildClient())(double.client, tables)");
  });

  it("never overwrites a file", () => {
    install({ vitest: "4", twinbase: "*" });
    initProject(folder);
    writeFileSync(join(folder, "test/schema.mjs"), "mine");
    expect(initProject(folder)).toContain("kept   test/schema.mjs: it exists");
    expect(readFileSync(join(folder, "test/schema.mjs"), "utf8")).toBe("mine");
  });
});
