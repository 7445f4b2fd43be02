// A sample of Stryker's mutants, and the sources with a switch for each.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { Instrumenter } from "@stryker-mutator/instrumenter";

export const ROOT = resolve(import.meta.dirname, "../..");
export const FOLDERS = ["query", "storage", "schema", "catalog", "http", "search"];

/** A random sample, the same for the same seed and sources. */
export async function drawSample(size, seed) {
  const { mutants } = await instrument(readSources().map((file) => ({ ...file, mutate: true })));
  const rank = ({ key }) => createHash("sha1").update(`${seed} ${key}`).digest("hex");
  const ranked = mutants.map((mutant) => [rank(mutant), mutant]);
  ranked.sort(([a], [b]) => (a < b ? -1 : 1));
  return { mutants: ranked.slice(0, size).map(([, mutant]) => mutant), all: mutants.length };
}

/**
 * Returns the sources with a switch for each mutant, by file, and the mutants with the ids of their switches:
 * `globalThis.__stryker__.activeMutant` turns one on.
 */
export async function placeSwitches(sample) {
  const touched = new Map();
  for (const { file, location } of sample) {
    touched.set(file, [...(touched.get(file) ?? []), location]);
  }
  const files = readSources()
    .filter(({ name }) => touched.has(relative(ROOT, name)))
    .map((file) => ({ ...file, mutate: touched.get(relative(ROOT, file.name)) }));
  const placed = await instrument(files);
  const ids = new Map();
  for (const mutant of placed.mutants) ids.set(placeOf(mutant), mutant.id);
  const lost = sample.filter((mutant) => !ids.has(placeOf(mutant)));
  if (lost.length > 0) throw new Error(`no switch for ${JSON.stringify(lost[0])}`);
  return {
    sources: new Map(placed.files.map(({ name, content }) => [name, content])),
    mutants: sample.map((mutant) => ({ ...mutant, id: ids.get(placeOf(mutant)) })),
  };
}

function placeOf({ file, location, mutator, replacement }) {
  return JSON.stringify([file, location, mutator, replacement]);
}

function readSources() {
  return FOLDERS.flatMap((folder) => listFiles(join(ROOT, "src", folder))).map((name) => ({
    name,
    content: readFileSync(name, "utf8"),
  }));
}

export function listFiles(directory) {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

async function instrument(files) {
  const quiet = () => {};
  const off = () => false;
  const logger = { debug: quiet, info: quiet, trace: quiet, warn: quiet, error: console.error };
  const levels = { isDebugEnabled: off, isInfoEnabled: off, isTraceEnabled: off };
  const instrumenter = new Instrumenter({ ...logger, ...levels });
  const options = { plugins: null, excludedMutations: [], ignorers: [] };
  const contents = new Map(files.map(({ name, content }) => [name, content]));
  const found = await instrumenter.instrument(files, options);
  const keys = new Map();
  const mutants = found.mutants.map(({ id, fileName, location, mutatorName, replacement }) => {
    const content = contents.get(fileName);
    const [from, to] = [location.start, location.end].map((place) => offsetOf(content, place));
    const file = relative(ROOT, fileName);
    const original = content.slice(from, to);
    // Without the line number: a change elsewhere in the file does not change the key.
    const near = content.slice(Math.max(0, from - 80), to + 80);
    const digest = createHash("sha1").update([file, near, original, replacement].join("\0"));
    let key = digest.digest("hex").slice(0, 12);
    const twins = keys.get(key) ?? 0;
    keys.set(key, twins + 1);
    if (twins > 0) key += `-${twins}`;
    const line = location.start.line + 1;
    return { id, key, file, line, location, mutator: mutatorName, original, replacement };
  });
  return { files: found.files, mutants };
}

function offsetOf(content, { line, column }) {
  let at = 0;
  for (let i = 0; i < line; i++) at = content.indexOf("\n", at) + 1;
  return at + column;
}
