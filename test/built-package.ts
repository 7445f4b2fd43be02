import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, symlinkSync } from "node:fs";
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
  execFileSync(process.execPath, [join(root, "scripts/build.mjs"), join(home, "dist")]);
  cpSync(join(root, "scripts"), join(home, "scripts"), { recursive: true });
  symlinkSync(join(root, "vectors"), join(home, "vectors"));
  cpSync(join(root, "package.json"), join(home, "package.json"));
  return home;
}
