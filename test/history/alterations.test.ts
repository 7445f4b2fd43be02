import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { exportEngine, importEngine } from "../../src/export.js";
import { createFetch } from "../../src/http.js";
import { type AnyEngine, createEngine } from "../../src/index.js";
import { openEngine } from "../../src/node.js";
import { runs, seed } from "../generated.js";
import { alter, alterationCase, readAll, WAYS } from "./alterations.js";

const NOW = Date.UTC(2026, 0, 2);

/** Runs cases by all ways, each in a database of its own; returns what each has afterwards. */
async function alterAll(engine: AnyEngine, numRuns: number): Promise<Map<string, unknown>> {
  engine.createWorkspace("w");
  const fetch = createFetch(engine, { workspace: "w" });
  const contents = new Map<string, unknown>();
  let refused = 0;
  for (const [index, given] of fc.sample(alterationCase, { seed, numRuns }).entries()) {
    for (const way of WAYS) {
      const name = `d${index}-${way}`;
      const { status, columns, records } = await alter(fetch, name, given, way);
      if (status >= 400) refused++;
      contents.set(name, { columns, records });
    }
  }
  expect(refused).toBeGreaterThan(0);
  expect(refused).toBeLessThan(contents.size);
  return contents;
}

async function expectContents(engine: AnyEngine, contents: Map<string, unknown>): Promise<void> {
  const fetch = createFetch(engine, { workspace: "w" });
  for (const [name, expected] of contents) {
    expect(await readAll(fetch, `/db/${name}:main`), name).toEqual(expected);
  }
}

it.each(["documented", "xata"] as const)(
  `K-5: a column that stays keeps its values, by every way and through an export, under %s (seed ${seed})`,
  async (profile) => {
    const engine = createEngine({ profile, seed: 1, now: NOW });
    const contents = await alterAll(engine, Math.ceil(100 * runs));
    await expectContents(importEngine([...exportEngine(engine)].join("")), contents);
  },
);

it("K-5: an altered column keeps its values in a folder", async () => {
  const folder = mkdtempSync(join(tmpdir(), "twinbase-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const engine = await openEngine({ folder, seed: 1, now: NOW });
  const contents = await alterAll(engine, Math.ceil(40 * runs));
  await engine.close();
  await using reopened = await openEngine({ folder });
  await expectContents(reopened, contents);
});
