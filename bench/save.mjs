// Where figures are kept: results/<name>.json, with the machine they were seen on.
import { mkdirSync, writeFileSync } from "node:fs";
import { describeMachine } from "./machine.mjs";

export const RESULTS = new URL("results/", import.meta.url);

/** @param {string} name @param {object} result */
export function saveResult(name, result) {
  mkdirSync(RESULTS, { recursive: true });
  const written = { machine: describeMachine(), ...result };
  writeFileSync(new URL(`${name}.json`, RESULTS), `${JSON.stringify(written, roundNumber, 2)}\n`);
}

/** Five digits say all there is. @param {string} _key @param {unknown} value */
function roundNumber(_key, value) {
  return typeof value === "number" && !Number.isInteger(value)
    ? Number(value.toPrecision(5))
    : value;
}
