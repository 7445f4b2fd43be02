import { readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { parseSync } from "rolldown/utils";
import { describe, expect, it } from "vitest";

const src: string = resolve(import.meta.dirname, "../../src");

/** Names that stand for several layers. */
const GROUPS: Readonly<Record<string, string>> = {
  BASE: "errors types profile",
  STORE: "value schema storage typed",
  ROOMS: "value schema storage typed catalog query",
};

type Allowed = Readonly<Record<string, readonly string[]>>;

function readAllowed(table: Readonly<Record<string, string>>): Allowed {
  const names = (text: string): string[] => text.split(" ").filter((name) => name !== "");
  const rows = Object.entries(table).map(([layer, text]) => {
    return [layer, names(text).flatMap((name) => names(GROUPS[name] ?? name))] as const;
  });
  return Object.fromEntries(rows);
}

const MAY_IMPORT = readAllowed({
  errors: "",
  types: "errors",
  profile: "errors types",
  "json-schema": "BASE",
  value: "BASE",
  schema: "BASE value",
  typed: "BASE schema",
  storage: "BASE value schema",
  catalog: "BASE STORE",
  query: "BASE STORE",
  engine: "BASE ROOMS",
  persist: "BASE ROOMS engine",
  index: "BASE ROOMS engine",
  search: "BASE ROOMS json-schema engine",
  files: "BASE ROOMS engine index",
  // The adapter knows nothing of the query language (rule F-1): neither storage nor query.
  http: "BASE value schema typed catalog json-schema engine index search files accounts history changes",
  accounts: "BASE STORE catalog engine",
  changes: "BASE engine",
  export: "BASE typed engine persist",
  history: "BASE STORE catalog engine",
  testing: "BASE typed value engine http history",
  fixtures: "BASE STORE engine index",
  sql: "BASE value schema query",
  postgres: "BASE ROOMS json-schema engine persist files http sql",
  conformance: "BASE schema typed engine index http",
  node: "BASE typed value engine persist index http",
  cli: "BASE typed value engine persist index http export history fixtures conformance node postgres",
});

const QUERY_ROOMS = readAllowed({
  thresholds: "",
  bound: "",
  bind: "bound",
  page: "bound",
  source: "bound",
  follow: "bound source",
  filter: "bound source",
  order: "bound source follow filter",
  plan: "bound source filter order",
  environment: "bind source plan",
  fetch: "bound source filter order plan",
  explain: "bound source filter plan fetch",
  project: "bound source",
  aggregate: "bound bind source follow environment filter plan fetch project",
  run: "bound bind source environment order plan fetch explain project page",
});

/** Packages that a layer may import; all others import none. */
const MAY_USE: Readonly<Record<string, readonly string[]>> = {
  catalog: ["immer"],
  conformance: ["fast-check"],
  engine: ["immer"],
  // Made by the build, as texts.
  http: ["#page"],
  cli: ["#demo"],
  persist: ["immer"],
  postgres: ["pg", "@electric-sql/pglite"],
};

/** Layers that run on Node alone. */
const ON_NODE: readonly string[] = ["node", "cli"];

/** Files of other layers that use a Node API, each with the reason. */
const NODE_FILES: Readonly<Record<string, string>> = {
  "conformance/vectors/load.ts": "the vectors lie beside the package as files",
  "persist/folder/files.ts": "the data of a folder are files",
  "persist/folder/lock.ts": "a folder is locked by a file",
  "persist/folder/open.ts": "the data of a folder are files",
  "persist/folder/segments.ts": "the data of a folder are files",
  "persist/folder/store.ts": "the data of a folder are files",
  "postgres/pglite-folder.ts": "PostgreSQL inside of the process keeps its files in a folder",
};

interface Import {
  /** As written, such as `./order.js` or `immer`. */
  readonly specifier: string;
  /** The file meant, relative to `src`; absent for a package. */
  readonly target: string | undefined;
  readonly typeOnly: boolean;
  /** Loaded when the code comes to it. */
  readonly dynamic: boolean;
}

const files: string[] = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => file.replaceAll("\\", "/"))
  .sort();
const codeByFile: Map<string, string> = new Map(
  files.map((file) => [file, readFileSync(join(src, file), "utf8")]),
);
const importsByFile: Map<string, Import[]> = new Map(
  files.map((file) => [file, readImports(file, codeByFile.get(file) ?? "")]),
);

describe("imports", () => {
  it("are read", () => {
    expect(files.length).toBeGreaterThan(3);
    expect([...importsByFile.values()].flat().length).toBeGreaterThan(0);
  });

  it("stay in a known layer", () => {
    expect(files.filter((file) => MAY_IMPORT[layerOf(file)] === undefined)).toEqual([]);
  });

  it("meet a file of the source tree or a package", () => {
    const lost = eachImport(({ target }) => target !== undefined && !codeByFile.has(target));
    expect(lost).toEqual([]);
  });

  it("go down only", () => {
    const upwards = eachImport(({ target }, file) => {
      if (target === undefined) return false;
      const [from, to] = [layerOf(file), layerOf(target)];
      return from !== to && !(MAY_IMPORT[from] ?? []).includes(to);
    });
    expect(upwards).toEqual([]);
  });

  it("between the rooms of a query follow its way", () => {
    const roomOf = (file: string): string | undefined => /^query\/([^/.]+)/.exec(file)?.[1];
    const strange = eachImport(({ target }, file) => {
      const [from, to] = [roomOf(file), roomOf(target ?? "")];
      if (from === undefined || to === undefined || from === to || to === "thresholds")
        return false;
      return !(QUERY_ROOMS[from] ?? []).includes(to);
    });
    expect(strange).toEqual([]);
  });

  it("use only the packages of their layer", () => {
    const strange = eachImport(({ specifier, target }, file) => {
      if (target !== undefined) return false;
      const layer = layerOf(file);
      if (isBuiltin(specifier)) return !ON_NODE.includes(layer) && NODE_FILES[file] === undefined;
      return !(MAY_USE[layer] ?? []).includes(specifier);
    });
    expect(strange).toEqual([]);
  });

  it("of the oracle are types only, and none of the engine's rooms", () => {
    const allowed = /^(?:types|profile|conformance\/oracle\/.*)\.ts$/;
    const shared = eachImport(({ target, typeOnly }, file) => {
      if (!/^conformance\/oracle\//.test(file)) return false;
      if (target === undefined || !allowed.test(target)) return true;
      return !typeOnly && !target.startsWith("conformance/");
    });
    expect(shared).toEqual([]);
  });
});

describe("the compiler of SQL", () => {
  it("knows bound queries, and nothing of how memory answers them", () => {
    const inner = eachImport(({ target }, file) => {
      if (layerOf(file) !== "sql" || target === undefined) return false;
      return layerOf(target) === "query" && !/^query\/(?:bound|bind)\//.test(target);
    });
    expect(inner).toEqual([]);
  });
});

describe("the entries that have nothing to do with PostgreSQL", () => {
  it.each(["index", "http", "node", "search", "fixtures", "conformance"])(
    "%s loads none of it",
    (entry) => {
      const loaded = [...reach(`${entry}.ts`)].map(layerOf);
      expect(loaded).not.toContain("postgres");
      expect(loaded).not.toContain("sql");
    },
  );

  it("nor does the command line before a command needs it", () => {
    const loaded = reach("cli.ts", ({ typeOnly, dynamic }) => !typeOnly && !dynamic);
    expect([...loaded].map(layerOf)).not.toContain("postgres");
  });
});

describe("the entry of the engine", () => {
  const reached = [...reach("index.ts")];

  it("reaches the engine", () => {
    expect(reached).toEqual(expect.arrayContaining(["errors.ts", "types.ts"]));
  });

  it("reaches no Node API", () => {
    const globals =
      /(?<![.\w$"'`-])(?:process|Buffer|global|require|setImmediate|__dirname|__filename)\s*[.([]/;
    const builtins = reached.filter((file) =>
      (importsByFile.get(file) ?? []).some(({ specifier }) => isBuiltin(specifier)),
    );
    const users = reached.filter((file) =>
      globals.test(withoutComments(codeByFile.get(file) ?? "")),
    );
    expect([...builtins, ...users]).toEqual([]);
  });

  it("reaches none of the outer rooms", () => {
    const outer = [
      ...["accounts", "conformance", "export", "files", "history", "fixtures", "http", "search"],
      ...ON_NODE,
    ];
    expect(reached.filter((file) => outer.includes(layerOf(file)))).toEqual([]);
  });
});

describe("the entry of the conformance kit", () => {
  it("loads an engine only to check one", () => {
    const loaded = reach("conformance.ts", ({ typeOnly, dynamic }) => !typeOnly && !dynamic);
    expect([...loaded].map(layerOf)).toContain("conformance");
    const inner = ["storage", "catalog", "query", "engine", "index", "http"];
    expect([...loaded].filter((file) => inner.includes(layerOf(file)))).toEqual([]);
  });
});

describe("files", () => {
  it("are 350 lines at most", () => {
    const lengths = files.map(
      (file) => [file, (codeByFile.get(file) ?? "").trimEnd().split("\n").length] as const,
    );
    expect(lengths.filter(([, length]) => length > 350)).toEqual([]);
  });
});

/** `engine.ts` and `engine/table.ts` are both of the layer `engine`. */
function layerOf(file: string): string {
  return (file.split("/")[0] ?? "").replace(/\.ts$/, "");
}

function isBuiltin(specifier: string): boolean {
  return specifier.startsWith("node:") || builtinModules.includes(specifier.split("/")[0] ?? "");
}

function readImports(file: string, source: string): Import[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(file, source).module;
  const found = (specifier: string, typeOnly: boolean, dynamic = false): Import => {
    return { specifier, target: resolveTarget(file, specifier), typeOnly, dynamic };
  };
  return [
    ...staticImports.map(({ moduleRequest, entries }) =>
      found(moduleRequest.value, entries.length > 0 && entries.every(({ isType }) => isType)),
    ),
    ...staticExports
      .flatMap(({ entries }) => entries)
      .flatMap(({ moduleRequest, isType }) =>
        moduleRequest ? found(moduleRequest.value, isType) : [],
      ),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) =>
      found(source.slice(start + 1, end - 1), false, true),
    ),
  ];
}

function resolveTarget(file: string, specifier: string): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  const path = relative(src, resolve(src, dirname(file), specifier)).replaceAll("\\", "/");
  return path.replace(/\.js$/, ".ts");
}

/** Blanks comments at the start of a line or behind a space; strings that hold `//` stay whole. */
function withoutComments(source: string): string {
  return source.replaceAll(/(?<=^|\s)(?:\/\/[^\n]*|\/\*[\s\S]*?\*\/)/g, "");
}

function eachImport(matches: (found: Import, file: string) => boolean): string[] {
  return [...importsByFile].flatMap(([file, imports]) =>
    imports
      .filter((found) => matches(found, file))
      .map(({ specifier }) => `${file} → ${specifier}`),
  );
}

function targetsOf(file: string, counts: (found: Import) => boolean = () => true): string[] {
  return (importsByFile.get(file) ?? []).filter(counts).flatMap(({ target }) => target ?? []);
}

/** All files that running `entry` could load; types count too, which only makes it stricter. */
function reach(entry: string, counts?: (found: Import) => boolean): Set<string> {
  const reached = new Set<string>();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    waiting.push(...targetsOf(file, counts));
  }
  return reached;
}
