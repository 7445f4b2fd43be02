import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
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

  it.each([
    ['{ "compilerOptions": { "module": "NodeNext" } }', 'from "./double.js"'],
    ['{ "compilerOptions": { "moduleResolution": "node16" } }', 'from "./double.js"'],
    ['{ "compilerOptions": { "moduleResolution": "bundler" } }', 'from "./double"'],
  ])("imports with extensions if TypeScript needs them: %s", (config, expected) => {
    install({ vitest: "4" });
    writeFileSync(join(folder, "tsconfig.json"), config);
    initProject(folder);
    expect(readFileSync(join(folder, "test/double.test.ts"), "utf8")).toContain(expected);
  });

  it.each([
    ["export ", 'export { tables } from "../src/xata.js";\n'],
    ["", 'export const tables = [\n  { name: "posts", columns: [] },\n] as const;\n'],
  ])("takes the tables of src/xata.ts, declared with %j", (exported, expected) => {
    install({ vitest: "4", "@xata.io/client": "0.30" });
    writeFileSync(join(folder, "tsconfig.json"), '{ "compilerOptions": { "module": "nodenext" } }');
    mkdirSync(join(folder, "src"));
    const tables = 'const tables = [\n  { name: "posts", columns: [] },\n] as const;\n';
    writeFileSync(
      join(folder, "src/xata.ts"),
      `${exported}${tables}export type T = typeof tables;`,
    );
    initProject(folder);
    const read = (name: string) => readFileSync(join(folder, "test", name), "utf8");
    expect(read("schema.ts")).toContain(expected);
    expect(read("double.ts")).not.toContain("blue");
    expect(read("double.test.ts")).toContain("tables.length");
  });

  it("uses the client if installed, and names missing packages", () => {
    install({ "@xata.io/client": "0.30", vitest: "4" });
    expect(initProject(folder)).toContain("npm install -D twinbase\n");
    const text = readFileSync(join(folder, "test/double.test.mjs"), "utf8");
    expect(text).toContain("new (buildClient())(double.client, tables)");
  });

  it.each(["", "{", "null", "[]"])("refuses package.json with %j", (text) => {
    writeFileSync(join(folder, "package.json"), text);
    expect(() => initProject(folder)).toThrow(/package\.json: expected a JSON object$/);
    expect(readdirSync(folder)).toEqual(["package.json"]);
  });

  it("reads package.json with a byte order mark", () => {
    writeFileSync(join(folder, "package.json"), '\uFEFF{ "devDependencies": { "vitest": "4" } }');
    expect(initProject(folder)).toContain("npx vitest run");
  });

  it.each(["test", "test/double.mjs"])("refuses %s as a link to nothing", (name) => {
    const outside = join(folder, "outside");
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    symlinkSync(outside, join(folder, name));
    expect(() => initProject(folder)).toThrow(`${join(folder, name)}: a link to nothing`);
    expect(existsSync(outside)).toBe(false);
    expect(existsSync(join(folder, "test/schema.mjs"))).toBe(false);
  });

  it("never overwrites a file", () => {
    install({ vitest: "4", twinbase: "*" });
    initProject(folder);
    writeFileSync(join(folder, "test/schema.mjs"), "mine");
    expect(initProject(folder)).toContain("kept   test/schema.mjs: it exists");
    expect(readFileSync(join(folder, "test/schema.mjs"), "utf8")).toBe("mine");
  });
});
