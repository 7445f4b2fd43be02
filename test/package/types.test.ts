/** @module-tag slow */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFreshProject, type FreshProject } from "./fresh-project.js";

const root: string = resolve(import.meta.dirname, "../..");
/** The snippets of each page, as a program. */
const programs: readonly (readonly [string, string])[] = [
  "README.md",
  ...readdirSync(join(root, "docs")),
]
  .filter((name) => name.endsWith(".md"))
  .map((name) => [name.replace(".md", ".ts"), snippetsOf(name, "ts").join("\n")] as const)
  .filter(([, program]) => program !== "");

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

  it.each([{ types: [] }, { types: ["node"] }])(
    "of all pages compile, with types $types",
    ({ types }) => {
      const own = programs.filter(([, text]) => text.includes('"node:') === types.length > 0);
      expect(own.length).toBeGreaterThan(0);
      const options = { lib: ["ES2022", "DOM", "DOM.Iterable"], types };
      expect(project.compile(Object.fromEntries(own), options)).toEqual([]);
    },
  );

  it("export a seeded engine to fork", () => {
    const snippets = snippetsOf("testing.md", "typescript");
    const seeded = snippets.find((code) => code.includes("export const seeded")) ?? "";
    expect(project.compile(`${seeded}\nexport const fork = seeded.fork();`)).toEqual([]);
  });
});

function snippetsOf(page: string, language: string): string[] {
  const text = readFileSync(join(root, page === "README.md" ? page : `docs/${page}`), "utf8");
  const fenced = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm");
  return [...text.matchAll(fenced)].map(([, code = ""]) => code);
}
