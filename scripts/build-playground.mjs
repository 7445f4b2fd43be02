// Builds the playground of the docs site: the explorer over an engine in a worker, with the demo's data.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Only files of the site itself may be loaded; no call may leave the page. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; worker-src 'self'";

/** Writes the files of the playground into a folder; needs the built package. */
export async function buildPlayground(folder) {
  const { PAGE } = await import("../dist/page.js");
  mkdirSync(folder, { recursive: true });
  for (const [name, { text }] of Object.entries(PAGE)) {
    if (name !== "") writeFileSync(join(folder, name), text);
  }
  const head = `<meta http-equiv="content-security-policy" content="${POLICY}" />`;
  const shell = '<script type="module" src="shell.js"></script>';
  const html = PAGE[""].text
    .replace('<meta charset="utf-8" />', `$&\n    ${head}`)
    .replace("<title>Twinbase", "<title>Playground – Twinbase")
    .replace("<script", `${shell}\n    $&`);
  writeFileSync(join(folder, "index.html"), html);
  await build({
    entryPoints: ["shell.mjs", "worker.mjs"].map((name) =>
      fileURLToPath(new URL(`playground/${name}`, import.meta.url)),
    ),
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    external: ["#page"], // the site has its files
    outdir: folder,
    logLevel: "warning",
  });
}
