/** @module-tag slow */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFreshProject, type FreshProject } from "./fresh-project.js";

const root: string = resolve(import.meta.dirname, "../..");
/** The pages with snippets, by name. */
const pages: [string, string][] = ["README.md", ...readdirSync(join(root, "docs"))]
  .filter((name) => name.endsWith(".md"))
  .map((name): [string, string] => [name, readPage(name)])
  .filter(([, text]) => /^```ts$/m.test(text));

let project: FreshProject;

beforeAll(() => {
  project = createFreshProject();
}, 240_000);

afterAll(() => project?.remove());

describe("the declarations of the package, with skipLibCheck off", () => {
  it("compile without other type packages", () => {
    const program = `
      import { createEngine } from "twinbase";
      import { createFetch } from "twinbase/http";
      import { loadFixture } from "twinbase/fixtures";
      import { serve } from "twinbase/node";
      export const all = [createEngine, createFetch, loadFixture, serve];
    `;
    expect(project.compile(program)).toEqual([]);
  });

  it("need fast-check only for the conformance kit", () => {
    project.install("fast-check", "pure-rand");
    const program = `
      import { runConformance } from "twinbase/conformance";
      export const report = runConformance({ workspaceUrl: "http://localhost", workspace: "w" });
    `;
    expect(project.compile(program).filter((line) => line.includes("twinbase"))).toEqual([]);
  });
});

describe("the snippets of the pages, compiled under strict", () => {
  beforeAll(() => project.install("@types/node", "undici-types", "@xata.io/client"));

  it.each(pages)("of %s compile, except for the errors they show", (_, page) => {
    const snippets = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
    const program = snippets.join("\n");
    const types = program.includes('"node:') ? ["node"] : [];
    const faults = project
      .compile(program, { lib: ["ES2022", "DOM", "DOM.Iterable"], types })
      .filter((line) => !line.startsWith(" ")); // continuation lines
    const lines = program.split("\n");
    const unexpected = faults.filter((fault) => {
      const line = Number(/^program\.ts\((\d+),/.exec(fault)?.[1]);
      return !(line > 0 && isRefused(lines, line - 1));
    });
    expect(unexpected).toEqual([]);
  });

  it("export a seeded engine to fork", () => {
    const snippets = [...readPage("testing.md").matchAll(/^```typescript\n([\s\S]*?)^```$/gm)].map(
      ([, code]) => code,
    );
    const seeded = snippets.find((code) => code?.includes("export const seeded")) ?? "";
    expect(project.compile(`${seeded}\nexport const fork = seeded.fork();`)).toEqual([]);
  });
});

/** Whether a comment after the statement of a line shows its error. */
function isRefused(lines: readonly string[], line: number): boolean {
  const end = lines.findIndex((text, at) => at >= line && /;$/.test(text));
  return lines[end + 1]?.startsWith("// ✗") === true;
}

function readPage(name: string): string {
  return readFileSync(join(root, name === "README.md" ? name : `docs/${name}`), "utf8");
}
