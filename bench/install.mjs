import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const BENCH = new URL("./", import.meta.url);

/** Installs the engines of bench/package-lock.json, unless they are there. */
export function ensureInstalled() {
  if (existsSync(new URL("node_modules/.package-lock.json", BENCH))) return;
  console.error("bench: installing the engines to compare with (npm ci in bench/) …");
  const { status } = spawnSync("npm", ["ci"], { cwd: BENCH, stdio: ["ignore", 2, 2] });
  if (status !== 0) throw new Error("npm ci failed");
}
