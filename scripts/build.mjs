// Builds the package: a file for each entry, and shared chunks. Node loads them five times as fast as a file
// for each module. Chunks are few, as each costs 0.5 to 0.8 ms of startup. Each entry is
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

/** A chunk of modules and of what they import, unless an earlier group has it. */
function group(name, modules) {
  const paths = modules.map((path) => path.replace("/", "[\\\\/]")).join("|");
  return { name, test: new RegExp(`[\\\\/]src[\\\\/](${paths})\\.ts$`) };
}

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
      comments: { annotation: true, jsdoc: false, legal: false },
      cleanDir: format === "esm",
      codeSplitting: {
        groups: [
          // Both `twinbase/search` and the service use `readBySchema`.
          group("engine", ["engine", "profile", "errors", "shape/read"]),
          group("live", ["live", "changes"]),
          group("functions", ["accounts", "files", "history"]),
          group("search", ["search"]),
          group("service", ["http"]),
        ],
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
