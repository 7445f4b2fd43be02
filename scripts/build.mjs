// Builds the package: a file for each entry, and shared chunks. Node loads them five times as fast as a file
// for each module. The engine is one chunk: each further one costs 0.5 to 0.8 ms of startup. Each entry is
// also built as CommonJS, for jest and others without ES modules; its declarations refer to those of the ES
// module, so that both have the same types.
// node scripts/build.mjs [folder]
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "rolldown";
import { buildDemo, escapeOthers } from "./build-demo.mjs";
import { buildPage } from "./build-page.mjs";

const [given = "dist"] = process.argv.slice(2);
const root = fileURLToPath(new URL("..", import.meta.url));
const folder = resolve(root, given);
const { exports } = JSON.parse(readFileSync(resolve(root, "package.json"), "utf8"));
const ENTRIES = Object.keys(exports)
  .filter((path) => path !== "./package.json")
  .map((path) => path.slice(2) || "index");

const asciiOnly = {
  name: "ascii-only",
  generateBundle(_options, files) {
    for (const file of Object.values(files)) {
      if (file.type === "chunk") file.code = escapeOthers(file.code);
    }
  },
};

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

/** Declares the values and types of the ES module for CommonJS. */
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
