// The code of the package: a file for each entry, and those that hold what the entries share. Node
// loads them in a fifth of the time that a file for each module takes. What `twinbase` imports is one
// file beside its entry: each further one would take another 0.5 to 0.8 ms of a fresh process.
// Beside each entry is one in CommonJS, for jest and others that run no ES modules, with declarations
// that point to those of the ES module: a type is one type, however it is imported.
// node scripts/build.mjs [folder]
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "rolldown";
import { buildDemo } from "./build-demo.mjs";
import { buildPage } from "./build-page.mjs";

const ENTRIES = [
  ...[
    "index",
    "accounts",
    "changes",
    "export",
    "files",
    "history",
    "http",
    "node",
    "search",
    "fixtures",
    "testing",
  ],
  ...["conformance", "postgres"],
];

const [given = "dist"] = process.argv.slice(2);
const root = fileURLToPath(new URL("..", import.meta.url));
const folder = resolve(root, given);

/**
 * Writes what is not ASCII as escapes. One other character makes V8 decode the whole file by
 * characters and keep it at two bytes each: 1 to 2 ms of a fresh process.
 *
 * @type {import("rolldown").Plugin}
 */
const asciiOnly = {
  name: "ascii-only",
  generateBundle(_options, files) {
    for (const file of Object.values(files)) {
      if (file.type !== "chunk") continue;
      file.code = file.code.replace(
        /[\u0080-\uffff]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
      );
    }
  },
};

/**
 * Builds entries as one kind of module.
 *
 * @param {readonly string[]} entries
 * @param {{ format: "esm" | "cjs", extension: "js" | "cjs" }} kind
 */
async function buildEntries(entries, { format, extension }) {
  await build({
    cwd: root,
    input: entries.map((name) => `src/${name}.ts`),
    external: /^[^./]/,
    platform: "node",
    plugins: [asciiOnly],
    output: {
      dir: folder,
      format,
      entryFileNames: `[name].${extension}`,
      chunkFileNames: `chunks/[name].${extension}`,
      comments: format === "esm",
      cleanDir: format === "esm",
      codeSplitting: {
        groups: [{ name: "engine", test: /[\\/]src[\\/](engine|profile|errors)\.ts$/ }],
      },
    },
  });
}

/** Declares for CommonJS the values and types that the ES module of an entry has. */
async function declareForCommonjs(name) {
  const module = await import(pathToFileURL(resolve(folder, `${name}.js`)).href);
  const source = `import("./${name}.js", { with: { "resolution-mode": "import" } })`;
  const lines = [`export type * from "./${name}.js" with { "resolution-mode": "import" };`];
  for (const [key, value] of Object.entries(module)) {
    lines.push(`export declare const ${key}: typeof ${source}.${key};`);
    if (/^class\b/.test(String(value))) lines.push(`export type ${key} = ${source}.${key};`);
  }
  writeFileSync(resolve(folder, `${name}.d.cts`), `${lines.join("\n")}\n`);
}

await buildEntries([...ENTRIES, "cli"], { format: "esm", extension: "js" });
await buildEntries(ENTRIES, { format: "cjs", extension: "cjs" });
await buildPage(folder);
buildDemo(folder);
for (const name of ENTRIES) await declareForCommonjs(name);
