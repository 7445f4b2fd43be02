import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { VectorFile } from "./vector.js";

/** Reads the vectors that come with the package, or others, in the order of their files. */
export function loadVectors(directory: URL = findVectors()): VectorFile[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith(".json") && name !== "schema.json")
    .sort()
    .map((name) => {
      const text = readFileSync(new URL(name, directory), "utf8");
      return JSON.parse(text) as VectorFile; // its schema is held by a test
    });
}

/** Beside the package's own description, however deep a build puts this file. */
function findVectors(): URL {
  const description = createRequire(import.meta.url).resolve("twinbase/package.json");
  return new URL("vectors/", pathToFileURL(description));
}
