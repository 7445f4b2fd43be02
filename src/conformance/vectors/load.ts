import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { VectorFile } from "./vector.js";

/** Loads vectors from a directory, by default those of the package, in the order of their files. */
export function loadVectors(directory: URL = findVectors()): VectorFile[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith(".json") && name !== "schema.json")
    .sort()
    .map((name) => {
      const text = readFileSync(new URL(name, directory), "utf8");
      return JSON.parse(text) as VectorFile; // a test validates the schema
    });
}

/** Searches upward for the package, as builds place this file at different depths. */
function findVectors(): URL {
  const description = createRequire(import.meta.url).resolve("twinbase/package.json");
  return new URL("vectors/", pathToFileURL(description));
}
