import { readdirSync, readFileSync } from "node:fs";
import type { VectorFile } from "./vector.js";

const HOME: URL = new URL("../../vectors/", import.meta.url);

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
