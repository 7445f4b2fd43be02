import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root: string = resolve(import.meta.dirname, "../..");

/** The files that npm would pack. */
function listPacked(): string[] {
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const stdio: ["ignore", "pipe", "ignore"] = ["ignore", "pipe", "ignore"];
  const text = execFileSync("npm", args, { cwd: root, encoding: "utf8", stdio });
  const [{ files }] = JSON.parse(text) as [{ files: { path: string }[] }];
  return files.map(({ path }) => path);
}

describe("the package as npm packs it", () => {
  const packed = listPacked();
  const pages = packed.filter((path) => path.endsWith(".md"));

  it("contains the pages", () => {
    expect(pages).toEqual(expect.arrayContaining(["README.md", "docs/testing.md"]));
  });

  it("contains the targets of its links", () => {
    const holds = (target: string): boolean =>
      packed.some((path) => path === target || path.startsWith(`${target}/`));
    const lost = pages.flatMap((page) =>
      linksOf(readFileSync(join(root, page), "utf8"))
        .map((link) => normalize(join(dirname(page), link)).replace(/\/$/, ""))
        .filter((target) => !holds(target))
        .map((target) => `${page}: ${target}`),
    );
    expect(lost).toEqual([]);
  });

  it("contains no installed packages of the examples", () => {
    expect(packed.filter((path) => /node_modules|\.tgz$|package-lock/.test(path))).toEqual([]);
    expect(packed.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it("contains only ASCII code, which engines store at one byte per character", () => {
    const code = packed.filter((path) => path.endsWith(".js"));
    expect(code).toContain("dist/index.js");
    const isAscii = (path: string): boolean =>
      readFileSync(join(root, path)).every((byte) => byte < 0x80);
    expect(code.filter((path) => !isAscii(path))).toEqual([]);
  });
});

describe("each entry of the package", () => {
  const { exports, typesVersions } = JSON.parse(
    readFileSync(join(root, "package.json"), "utf8"),
  ) as { exports: Record<string, object>; typesVersions: { "*": object } };
  const { "./package.json": _, ...entries } = exports;

  it.each(Object.keys(entries))("%s has an ES module, and a CommonJS module for jest", (path) => {
    const file = `./dist/${path === "." ? "index" : path.slice(2)}`;
    const module = { types: `${file}.d.ts`, default: `${file}.js` };
    const commonjs = { types: `${file}.d.cts`, default: `${file}.cjs` };
    const conditions = { "module-sync": module, bun: module, require: commonjs, ...module };
    expect(entries[path]).toEqual(conditions);
  });

  it("has types for the module resolution of jest's defaults", () => {
    const names = Object.keys(entries).map((path) => path.slice(2));
    const paths = names
      .filter((name) => name !== "")
      .map((name) => [name, [`./dist/${name}.d.ts`]]);
    expect(typesVersions["*"]).toEqual(Object.fromEntries(paths));
  });
});

/** The files that a page links to, without anchors. */
function linksOf(page: string): string[] {
  const links = Array.from(page.matchAll(/\]\(([^)\s]+)\)/g), ([, link = ""]) => link);
  return links
    .filter((link) => !/^(?:[a-z]+:|#)/.test(link))
    .map((link) => link.replace(/#.*$/, ""));
}
