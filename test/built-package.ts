import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, statSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";

const root: string = resolve(import.meta.dirname, "..");

/** Copies the package, with its scripts, sources and vectors, into a new folder, which the caller removes. */
export function buildPackage(): string {
  // Within the project, so that dependencies resolve.
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const home = mkdtempSync(join(cache, "twinbase-"));
  copyBuild(home);
  cpSync(join(root, "scripts"), join(home, "scripts"), { recursive: true });
  for (const name of ["src", "vectors"]) symlinkSync(join(root, name), join(home, name));
  return home;
}

/** Copies `package.json` and `dist`, or builds into the folder if a source is newer than `dist`. */
export function copyBuild(home: string): void {
  const dist = join(home, "dist");
  if (newestIn(["dist/index.d.ts"]) > newestIn(["src", "page", "scripts", "package.json"])) {
    cpSync(join(root, "dist"), dist, { recursive: true });
  } else {
    execFileSync(process.execPath, [join(root, "scripts/build.mjs"), dist]);
    const emit = ["tsc", "-p", "tsconfig.build.json", "--outDir", dist];
    execFileSync("npx", emit, { cwd: root });
  }
  cpSync(join(root, "package.json"), join(home, "package.json"));
}

function newestIn(paths: readonly string[]): number {
  const files = paths.map((path) => join(root, path)).flatMap(listFiles);
  return Math.max(...files.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0));
}

function listFiles(path: string): string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
  return readdirSync(path).flatMap((name) => listFiles(join(path, name)));
}
