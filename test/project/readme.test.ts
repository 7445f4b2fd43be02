import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { transformSync } from "esbuild";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { parseAst } from "vitest/node";
import { createEngine } from "../../src/index.js";
import { checkProject } from "../types/compiler.js";
import { commandLinePage } from "./command-line-page.js";
import { queryLanguagePage } from "./operators-table.js";
import { rulesPage } from "./rules-page.js";

const root: string = resolve(import.meta.dirname, "../..");
const readme: string = readFileSync(join(root, "README.md"), "utf8");
const reference: string = readFileSync(join(root, "docs/reference.md"), "utf8");
const { exports: entries, scripts } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8"),
) as { exports: Record<string, { default: string }>; scripts: Record<string, string> };

interface Claim {
  readonly line: number;
  readonly kind: "gives" | "refuses";
  readonly claimed: unknown;
  readonly found: unknown;
}

const pages: readonly string[] = [
  ...["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"],
  ...readdirSync(join(root, "docs")).map((name) => `docs/${name}`),
].filter((name) => name.endsWith(".md"));
const textByPage: ReadonlyMap<string, string> = new Map(
  pages.map((name) => [name, readFileSync(join(root, name), "utf8")]),
);
const withSnippets = [...textByPage].filter(([, text]) => /^```ts$/m.test(text));

for (const [name, text] of withSnippets) {
  // An embedded PostgreSQL takes seconds.
  const tags = name === "docs/postgres.md" ? ["slow"] : [];
  describe(`the snippets of ${name}`, { tags }, () => {
    const program = keepFenced(text, "ts");
    const claimCount = program.split(/\/\/ [→✗] /).length - 1;
    const claims: Claim[] = [];

    beforeAll(async () => {
      claims.push(...(await run(program)));
    }, 120_000);

    it("have claims, which are all checked", () => {
      expect(claimCount).toBeGreaterThan(0);
      expect(claims.length).toBe(claimCount);
    });

    it("return the values in their comments (→)", () => {
      for (const { line, claimed, found } of claims.filter(({ kind }) => kind === "gives")) {
        expect(found, `${name}, line ${line}`).toEqual(claimed);
      }
    });

    it("fail as their comments say (✗)", () => {
      for (const { line, claimed, found } of claims.filter(({ kind }) => kind === "refuses")) {
        expect(found, `${name}, line ${line}`).toMatchObject(claimed as object);
      }
    });
  });
}

describe("the tables of docs/reference.md", () => {
  const code = [...reference.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text).join(" ");
  const named = new Set(code.match(/\w+/g));

  it("name all exports of the entry points", async () => {
    const names = Object.keys(entries).filter((name) => name !== "./package.json");
    const modules = await Promise.all(names.map((name) => load(name.replace(".", "twinbase"))));
    const exported = modules.flatMap((module) => Object.keys(module as object));
    expect(exported.length).toBeGreaterThan(20);
    expect(exported.filter((name) => !named.has(name))).toEqual([]);
  });

  it("name every method of every handle", () => {
    const engine = createEngine();
    const workspace = engine.createWorkspace("w");
    const database = workspace.createDatabase("d");
    const branch = database.branch("main");
    const handles = [engine, workspace, database, database.gitBranches, branch];
    const methods = [...handles, branch.createTable("t")].flatMap((handle) => methodsOf(handle));
    expect(methods.length).toBeGreaterThan(70);
    expect(methods.filter((name) => name !== "constructor" && !named.has(name))).toEqual([]);
  });
});

/** The methods of an object, including inherited ones. */
function methodsOf(handle: object): string[] {
  const prototype = Object.getPrototypeOf(handle) as object;
  if (prototype === Object.prototype) return [];
  return [...Object.getOwnPropertyNames(prototype), ...methodsOf(prototype)];
}

describe("the pages", () => {
  it("have no dead links", () => {
    const dead = [...textByPage].flatMap(([page, text]) =>
      linksIn(text)
        .filter((link) => !leadsSomewhere(page, link))
        .map((link) => `${page}: ${link}`),
    );
    expect(dead).toEqual([]);
  });

  it("are all linked to", () => {
    const targets = new Set(
      [...textByPage].flatMap(([page, text]) =>
        linksIn(text).map((link) => join(dirname(page), link.replace(/#.*/, ""))),
      ),
    );
    expect(pages.filter((page) => page !== "README.md" && !targets.has(page))).toEqual([]);
  });

  it("README.md has at most 120 lines", () => {
    expect(readme.split("\n").length).toBeLessThanOrEqual(120);
  });

  it("docs/rules.md is up to date (npm run docs)", async () => {
    await expect(rulesPage()).toMatchFileSnapshot(join(root, "docs/rules.md"));
  });

  it("docs/command-line.md is up to date (npm run docs)", async () => {
    await expect(commandLinePage()).toMatchFileSnapshot(join(root, "docs/command-line.md"));
  });

  it("docs/query-language.md is up to date (npm run docs)", async () => {
    await expect(queryLanguagePage()).toMatchFileSnapshot(join(root, "docs/query-language.md"));
  });

  function leadsSomewhere(page: string, link: string): boolean {
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? page : join(dirname(page), path);
    if (anchor === undefined) return existsSync(join(root, target));
    return anchorsIn(textByPage.get(target) ?? "").has(anchor);
  }
});

/** The links of a page within the project, including images. */
function linksIn(markdown: string): string[] {
  const links = [...markdown.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  return links.filter((link) => !/^[a-z]+:/.test(link));
}

function anchorsIn(markdown: string): Set<string> {
  const headings = [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
  const named = [...markdown.matchAll(/<a id="([^"]+)">/g)].map(([, name = ""]) => name);
  return new Set([...headings, ...named]);
}

it("the snippets of all pages compile", () => {
  const folder = mkdtempSync(join(tmpdir(), "twinbase-snippets-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of withSnippets) {
    const program = `${keepFenced(text, "ts")}\nexport {};\n`;
    writeFileSync(join(folder, `${name.replaceAll("/", "-")}.mts`), program);
  }
  const project = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: {
      isolatedDeclarations: false,
      declaration: false,
      rootDir: "/",
      typeRoots: [join(root, "node_modules/@types")],
      paths: {
        twinbase: [join(root, "src/index.ts")],
        "twinbase/*": [join(root, "src/*.ts")],
        "@xata.io/client": [join(root, "node_modules/@xata.io/client/dist/index.d.ts")],
      },
    },
    include: ["*.mts"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(project));
  const { faults, types } = checkProject(folder);
  // The type check covers the sources.
  expect(faults.filter((fault) => !fault.startsWith("src/"))).toEqual([]);
  expect(types).toBeGreaterThan(1000);
});

it("the commands of README.md are scripts of the package", () => {
  const commands = keepFenced(readme, "sh").matchAll(/\bnpm (?:run )?([a-z:-]+)/g);
  const names = [...commands]
    .map(([, name = ""]) => name)
    .filter((name) => name !== "ci" && name !== "install");
  expect(names).toEqual(expect.arrayContaining(["start", "test"]));
  expect(names.filter((name) => scripts[name] === undefined)).toEqual([]);
});

/** The text with all lines blanked except fenced blocks of a language. */
function keepFenced(markdown: string, language: string): string {
  let fence: string | undefined;
  const lines = markdown.split("\n").map((line) => {
    const mark = /^```(\w*)/.exec(line);
    if (mark === null) return fence === language ? line : "";
    fence = fence === undefined ? (mark[1] ?? "") : undefined;
    return "";
  });
  return lines.join("\n");
}

async function run(source: string): Promise<Claim[]> {
  const claims: Claim[] = [];
  const look = async (
    line: number,
    kind: Claim["kind"],
    attempt: () => unknown,
    claimed: unknown,
  ): Promise<void> => {
    claims.push({ line, kind, claimed, found: await evaluate(kind, attempt) });
  };
  // The constructor of async functions is not a global.
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  const { code } = transformSync(instrument(source), { loader: "ts", target: "es2022" });
  await AsyncFunction("load", "look", code)(load, look);
  return claims;
}

async function evaluate(kind: Claim["kind"], attempt: () => unknown): Promise<unknown> {
  if (kind === "gives") return attempt();
  try {
    await attempt();
  } catch (error) {
    return error;
  }
  return "not refused";
}

/** Turns imports into calls of `load`, and each statement with a claim into a call of `look`. */
function instrument(source: string): string {
  const { body } = parseAst(source, { lang: "ts" });
  let code = "";
  let at = 0;
  for (const [index, statement] of body.entries()) {
    code += source.slice(at, statement.start);
    const behind = source.slice(statement.end, body[index + 1]?.start ?? source.length);
    const text = source.slice(statement.start, statement.end);
    code += rewrite(statement.type, text, readClaim(behind), lineOf(source, statement.start));
    at = statement.end;
  }
  return code + source.slice(at);
}

function rewrite(
  type: string,
  text: string,
  claim: { kind: Claim["kind"]; value: string } | undefined,
  line: number,
): string {
  if (type === "ImportDeclaration") {
    const values = text.replaceAll(/\btype \w+(?:, | )/g, "");
    return values.replace(/^import (\{[^}]*\}) from ("[^"]+");$/, "const $1 = await load($2);");
  }
  if (claim === undefined) return text;
  if (type !== "ExpressionStatement") {
    throw new Error(`line ${line}: only an expression can have a claim`);
  }
  const expression = text.replace(/;$/, "").replace(/^console\.log(?=\()/, "");
  return `await look(${line}, "${claim.kind}", async () => (${expression}), (${claim.value}));`;
}

/** Reads `// → value` or `// ✗ error`, which may continue on further comment lines. */
function readClaim(behind: string): { kind: Claim["kind"]; value: string } | undefined {
  const match = /^\s*\/\/ ([→✗]) (.*(?:\n\/\/.*)*)/.exec(behind);
  if (match === null) return undefined;
  const [, mark, value = ""] = match;
  return { kind: mark === "→" ? "gives" : "refuses", value: value.replaceAll(/^\/\//gm, "") };
}

/** Imports the source of an entry point, or a module of Node or the client. */
function load(name: string): Promise<unknown> {
  if (name.startsWith("node:") || name === "@xata.io/client") return import(name);
  const entry = entries[name.replace(/^twinbase/, ".")];
  if (entry === undefined) throw new Error(`a snippet imports ${name}, which is no entry point`);
  return import(join(root, entry.default.replace("/dist/", "/src/").replace(/\.js$/, ".ts")));
}

function lineOf(source: string, offset: number): number {
  return source.slice(0, offset).split("\n").length;
}
