// The peers are no part of the package: they are installed when the bench first wants them.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const BENCH = new URL("./", import.meta.url);

/** Installs what bench/package-lock.json names, unless it is there. */
export function ensureInstalled() {
  if (existsSync(new URL("node_modules/.package-lock.json", BENCH))) return;
  console.error("bench: installing the engines to compare with (npm ci in bench/) …");
  runNpm(["ci"], BENCH);
}

/** @param {string[]} args @param {URL} cwd */
function runNpm(args, cwd) {
  const { status } = spawnSync("npm", args, { cwd, stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new Error(`npm ${args.join(" ")} failed`);
}
