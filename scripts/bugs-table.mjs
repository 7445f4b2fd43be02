// Prints the check that finds each planted bug, and the requests and seconds it takes.
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";

const root = resolve(import.meta.dirname, "..");
const outfile = join(root, "reports/bugs-table.mjs");
mkdirSync(join(root, "reports"), { recursive: true });
await build({
  entryPoints: [join(root, "test/conformance/kit/bugs-table.ts")],
  bundle: true,
  packages: "external",
  external: ["#page"],
  format: "esm",
  platform: "node",
  logLevel: "error",
  outfile,
});
process.exitCode = spawnSync(process.execPath, [outfile], { stdio: "inherit" }).status ?? 1;
