// What a reader must know of the machine and the versions to place the figures.
import { readFileSync } from "node:fs";
import { arch, cpus, loadavg, platform, totalmem } from "node:os";
import { ENGINES } from "./engines/index.mjs";

/** The machine without its name, and how many processes wanted it of late. */
export function describeMachine() {
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
    load: loadavg()[0],
    memoryGiB: Math.round(totalmem() / 1024 ** 3),
    platform: `${platform()} ${arch()}`,
    node: process.version,
    v8: process.versions.v8,
  };
}

/**
 * The versions of the packages behind the engines.
 *
 * @param {readonly string[]} engines
 */
export async function listVersions(engines) {
  /** @type {Record<string, string>} */
  const versions = {};
  for (const name of engines) {
    const load = ENGINES[/** @type {keyof typeof ENGINES} */ (name)];
    try {
      const packageName = (await load?.())?.adapter.package;
      if (packageName !== undefined) versions[name] = readVersion(packageName);
    } catch {
      // An engine that cannot be loaded is reported where it is measured.
    }
  }
  return versions;
}

/** @param {string} packageName */
export function readVersion(packageName) {
  const path =
    packageName === "twinbase" ? "../package.json" : `./node_modules/${packageName}/package.json`;
  const { version } = JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8"));
  return `${packageName} ${version}`;
}
