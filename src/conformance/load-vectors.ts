import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { VectorFile } from "./vector.js";

/** Beside the package's own description, however deep a build puts this file. */
const HOME: URL = new URL(
  "vectors/",
  pathToFileURL(createRequire(import.meta.url).resolve("twinbase/package.json")),
);

/** Reads the vectors that come with the package, or others, in the order of their files. */
export function loadVectors(directory: URL = HOME): VectorFile[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith(".json") && name !== "schema.json")
    .sort()
    .map((name) => {
      const text = readFileSync(new URL(name, directory), "utf8");
      return JSON.parse(text) as VectorFile; // its schema is held by a test
    });
}
