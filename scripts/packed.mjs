// Installs the packed package in temporary projects. Needs the built package.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));
const QUIET = ["--no-audit", "--no-fund", "--loglevel=error", "--prefer-offline"];

/** Runs a function in a temporary folder. */
export async function inFolder(act) {
  const folder = mkdtempSync(join(tmpdir(), "twinbase-check-"));
  try {
    await act(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Packs the package into a folder; returns the path of the tarball. */
export function packInto(folder) {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  return join(folder, JSON.parse(run(ROOT, "npm", ...args))[0].filename);
}

/** Creates a project with some packages. */
export function makeProject(folder, packages, type = "commonjs") {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type }));
  if (packages.length > 0) install(folder, "--save-dev", ...packages);
}

export function install(folder, ...packages) {
  run(folder, "npm", "install", ...QUIET, ...packages);
}

/** Runs a program; returns its output, or throws an error with it. */
export function run(cwd, program, ...args) {
  return runWith({ cwd }, program, ...args);
}

export function runWith(options, program, ...args) {
  try {
    return execFileSync(program, args, {
      ...options,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  } catch (error) {
    const output = error.code === "ENOENT" ? error.code : `${error.stdout}${error.stderr}`;
    throw new Error(`${options.cwd}: ${program} ${args.join(" ")} failed\n${output}`);
  }
}
