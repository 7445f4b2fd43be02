/** @module-tag slow */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { seed } from "../generated.js";
import type * as Law from "./law.js";

const root: string = resolve(import.meta.dirname, "../..");

/** Bugs: a file below `src/live`, and what takes the place of a part of it. */
const BUGS: readonly (readonly [what: string, file: string, from: string, to: string])[] = [
  [
    "a backward page compares forward",
    "page",
    "backward ? compared >= 0 : compared <= 0",
    "compared <= 0",
  ],
  ["a page is not refilled", "page", "this.#edge !== undefined && isShort", "false"],
  ["records that leave are not seen", "page", "!this.#inWindow.has(id) && (", "("],
  [
    "cursors do not bound the page",
    "page",
    "if (!order.isInRange(ordinal, range)) return false;",
    "",
  ],
  [
    "the edge stays when the window is cut",
    "page",
    "this.#edge = pointOf(order, table.find(window.at(-1)!));",
    "",
  ],
  ["links of filter and order are not followed", "view", "this.#reach.some(", "[].some("],
  ["linked records are not followed", "page", "this.#shown.get(name)?.has(id) === true", "false"],
  ["former reverse links are not seen", "page", "isShown(formerValue(row, slot))", "false"],
  ["a batch counts a record twice", "queries", "if (visited.has(place)) continue;", ""],
  [
    "former values do not lead to queries",
    "queries",
    "former === after ? [after] : [after, former]",
    "[after]",
  ],
  ["counts forget the former record", "view", "- Number(was)", ""],
  ["moves do not mind their own gap", "changes", "oldIndex >= 0 && oldIndex <= last ? 0 : 1", "1"],
  [
    "linked filters are compiled once",
    "view",
    "(reach.length > 0 && known.call !== call)",
    "false",
  ],
  [
    "schema changes are not followed",
    "queries",
    'kind === "records" || kind === "created" || kind === "changed"',
    'kind !== "replaced"',
  ],
  [
    "written records are not made again",
    "page",
    "isWhole || this.#written.has(id) ||",
    "isWhole ||",
  ],
  [
    "what is skipped is forgotten",
    "page",
    "this.#window.length > offset + size",
    "this.#window.length > size",
  ],
];

async function loadWith(file: string, from: string, to: string): Promise<typeof Law> {
  const folder = mkdtempSync(join(tmpdir(), "twinbase-live-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const outfile = join(folder, "law.mjs");
  await build({
    entryPoints: [join(root, "test/live/law.ts")],
    bundle: true,
    format: "esm",
    platform: "node",
    outfile,
    plugins: [
      {
        name: "plant",
        setup: ({ onLoad }) =>
          onLoad({ filter: new RegExp(`src/live/${file}\\.ts$`) }, ({ path }) => {
            const source = readFileSync(path, "utf8");
            expect(source.split(from)).toHaveLength(2);
            return { contents: source.replace(from, to), loader: "ts" };
          }),
      },
    ],
  });
  return (await import(pathToFileURL(outfile).href)) as typeof Law;
}

it.each(BUGS)(
  `the law of live queries finds a planted bug: %s (seed ${seed})`,
  async (...bug) => {
    const [, file, from, to] = bug;
    const { findBreach, programs } = await loadWith(file, from, to);
    const property = fc.property(programs, (program) => findBreach(program) === undefined);
    const { failed, numRuns } = fc.check(property, { seed, numRuns: 500, endOnFailure: true });
    expect(failed, `not found in ${numRuns} programs`).toBe(true);
  },
  300_000,
);
