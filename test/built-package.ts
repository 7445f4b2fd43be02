import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root: string = resolve(import.meta.dirname, "..");

/**
 * Builds the package into a folder of its own, so that no test depends on what was built before:
 * what its scripts and commands are run from. The folder is the caller's to remove.
 */
export function buildPackage(): string {
  // Within the project, where the packages it depends on are found.
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const home = mkdtempSync(join(cache, "twinbase-"));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const build = ["-p", join(root, "tsconfig.build.json"), "--outDir", join(home, "dist")];
  execFileSync(process.execPath, [tsc, ...build]);
  cpSync(join(root, "scripts"), join(home, "scripts"), { recursive: true });
  symlinkSync(join(root, "vectors"), join(home, "vectors"));
  writeFileSync(join(home, "package.json"), '{ "type": "module" }');
  return home;
}
