// Writes figures and the machine's description to results/<name>.json.
import { mkdirSync, writeFileSync } from "node:fs";
import { arch, cpus, loadavg, platform, totalmem } from "node:os";

export const RESULTS = new URL("results/", import.meta.url);

export function saveResult(name, result) {
  mkdirSync(RESULTS, { recursive: true });
  const machine = {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
    load: loadavg()[0],
    memoryGiB: Math.round(totalmem() / 1024 ** 3),
    platform: `${platform()} ${arch()}`,
    node: process.version,
  };
  const text = JSON.stringify({ machine, ...result }, roundNumber, 2);
  writeFileSync(new URL(`${name}.json`, RESULTS), `${text}\n`);
}

/** Rounds to five significant digits. */
function roundNumber(_key, value) {
  return typeof value === "number" && !Number.isInteger(value)
    ? Number(value.toPrecision(5))
    : value;
}
