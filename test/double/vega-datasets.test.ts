import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { loadFixture } from "../../src/fixtures.js";
import { createEngine } from "../../src/index.js";

/** Rows and types of a file; `unlikeDuckDB` is why those of DuckDB's `read_csv_auto` and `read_json_auto` differ. */
interface Expected {
  readonly rows: number;
  readonly columns: Readonly<Record<string, string>>;
  readonly unlikeDuckDB?: string;
}

const folder: string = fileURLToPath(new URL("../data", import.meta.resolve("vega-datasets")));
const files = readFileSync(join(import.meta.dirname, "vega-datasets.ndjson"), "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as [name: string, Expected]);

describe("the files of the npm package vega-datasets", () => {
  for (const [name, { rows, columns }] of files) {
    const path = join(folder, name);
    const tags = statSync(path).size > 1_000_000 ? ["slow"] : [];
    it(name, { tags }, () => {
      const branch = createEngine({ seed: 1 }).createWorkspace("w").createDatabase("d");
      const fixture = { name, text: readFileSync(path) };
      const loaded = loadFixture(branch.branch("main"), "t", fixture);
      const types = Object.fromEntries(loaded.columns.map((column) => [column.name, column.type]));
      expect({ rows: loaded.count, columns: types }).toEqual({ rows, columns });
    });
  }
});
