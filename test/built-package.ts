import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";

const root: string = resolve(import.meta.dirname, "..");

/**
 * Builds the package, with its scripts and vectors, into a new folder, so that no test depends on an
 * earlier build. The caller removes the folder.
 */
export function buildPackage(): string {
  // Within the project, so that dependencies resolve.
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const home = mkdtempSync(join(cache, "twinbase-"));
  execFileSync(process.execPath, [join(root, "scripts/build.mjs"), join(home, "dist")]);
  cpSync(join(root, "scripts"), join(home, "scripts"), { recursive: true });
  symlinkSync(join(root, "vectors"), join(home, "vectors"));
  cpSync(join(root, "package.json"), join(home, "package.json"));
  return home;
}
