// Builds the explorer as one module that contains its files: it can be served without a file system.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const PAGE = fileURLToPath(new URL("../page", import.meta.url));

/** Writes `page.js` into a folder. */
export async function buildPage(folder) {
  const { outputFiles } = await build({
    entryPoints: [join(PAGE, "main.tsx"), join(PAGE, "app.css")],
    tsconfig: join(PAGE, "tsconfig.json"),
    bundle: true,
    minify: true,
    write: false,
    outdir: folder,
    entryNames: "[name]",
    format: "esm",
    target: "es2022",
    // Modules of the page have side effects, unlike the package's, which package.json declares.
    ignoreAnnotations: true,
    legalComments: "none",
    logLevel: "warning",
  });
  const textOf = (ending) => outputFiles.find(({ path }) => path.endsWith(ending)).text;
  const files = {
    "": ["text/html; charset=utf-8", readFileSync(join(PAGE, "index.html"), "utf8")],
    "icon.svg": ["image/svg+xml", readFileSync(join(PAGE, "icon.svg"), "utf8")],
    "app.js": ["text/javascript; charset=utf-8", textOf("main.js")],
    "app.css": ["text/css; charset=utf-8", textOf("app.css")],
  };
  const entries = Object.entries(files).map(
    ([name, [type, text]]) => `  ${JSON.stringify(name)}: ${JSON.stringify({ type, text })},\n`,
  );
  writeFileSync(join(folder, "page.js"), `export const PAGE = {\n${entries.join("")}};\n`);
}
