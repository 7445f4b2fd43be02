// Bundles the checks with an engine that has a switch for each mutant.
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { listFiles, ROOT } from "./sample.mjs";

const FRAMEWORK = join(import.meta.dirname, "framework.mjs");
/** Test folders of the mutated code. */
const UNITS = "value schema rules query search storage engine files http history";
/** Imports of tests that need the built package, start programs or servers, or replace modules. */
const APART = /"twinbase["/]|built-package|vi\.mock|child_process|src\/node\.js/;

/** Bundles the checks of the conformance kit; `sources` are the files with switches, by path. */
export async function bundleKit(sources, outfile) {
  await bundle(sources, { entryPoints: [join(ROOT, "test/mutation/kit.ts")], outfile });
}

export async function bundleUnits(sources, outfile) {
  const files = UNITS.split(" ").flatMap((folder) => listFiles(join(ROOT, "test", folder)));
  const lines = files.filter(isUnit).flatMap((file) => {
    return [`import "begin:${relative(ROOT, file)}";`, `import ${JSON.stringify(file)};`];
  });
  lines.unshift(`import ${JSON.stringify(join(ROOT, "test/freeze.ts"))};`);
  const contents = `${lines.join("\n")}\nexport { listTrials, openRound } from ${JSON.stringify(FRAMEWORK)};`;
  await bundle(sources, { stdin: { contents, resolveDir: ROOT }, outfile });
}

function isUnit(file) {
  return file.endsWith(".test.ts") && !APART.test(readFileSync(file, "utf8"));
}

async function bundle(sources, options) {
  const plugin = {
    name: "mutants",
    setup(context) {
      context.onResolve({ filter: /^vitest$/ }, () => ({ path: FRAMEWORK }));
      context.onResolve({ filter: /^begin:/ }, ({ path }) => ({ path, namespace: "begin" }));
      context.onLoad({ filter: /.*/, namespace: "begin" }, ({ path }) => ({
        contents: `import { beginFile } from ${JSON.stringify(FRAMEWORK)}; beginFile(${JSON.stringify(path.slice(6))});`,
        resolveDir: ROOT,
      }));
      context.onLoad({ filter: /\.(ts|mjs)$/ }, ({ path }) => {
        const contents = sources.get(path) ?? readFileSync(path, "utf8");
        // The bundle is in another folder.
        const url = JSON.stringify(pathToFileURL(path).href);
        const folder = JSON.stringify(join(path, ".."));
        const placed = contents
          .replaceAll("import.meta.url", url)
          .replaceAll("import.meta.dirname", folder);
        return { contents: placed, loader: path.endsWith(".ts") ? "ts" : "js" };
      });
    },
  };
  await build({
    bundle: true,
    ignoreAnnotations: true,
    packages: "external",
    external: ["#page"],
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "error",
    plugins: [plugin],
    ...options,
  });
}
