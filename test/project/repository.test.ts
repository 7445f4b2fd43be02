import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root: string = resolve(import.meta.dirname, "../..");

/** Committed and new files, without ignored ones. */
const files: string[] = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => file !== "");

const textByFile: Map<string, string> = new Map();
for (const file of files) {
  const text = readText(join(root, file));
  if (text !== undefined && !text.includes("\0")) textByFile.set(file, text);
}

describe("committed files", () => {
  it("are read by these tests", () => {
    expect(textByFile.size).toBeGreaterThan(20);
    expect([...textByFile.keys()]).toEqual(expect.arrayContaining(["package.json", "README.md"]));
  });

  it("name no registry host", () => {
    const patterns = [
      /\bregistry\.[a-z0-9-]+\.[a-z]/i,
      /"resolved": *"https?:/,
      /\bregistry *= *["']?https?:/,
      ...configuredRegistry(),
    ];
    expect(linesMatching(patterns)).toEqual([]);
  });

  it("contain no absolute path of this machine", () => {
    // The parent of a checkout under the root would match every path.
    const places = [root, dirname(root), homedir()].filter((place) => place !== "/");
    const patterns = places.map((place) => new RegExp(`(?<![\\w.~-])${escapeRegExp(place)}/`));
    expect(linesMatching([...patterns, /\/(?:home|Users)\/[a-z]\w*\//])).toEqual([]);
  });
});

function linesMatching(patterns: readonly RegExp[]): string[] {
  const found: string[] = [];
  for (const [file, text] of textByFile) {
    for (const [at, line] of text.split("\n").entries()) {
      if (patterns.some((pattern) => pattern.test(line))) found.push(`${file}:${at + 1}: ${line}`);
    }
  }
  return found;
}

/** The registry host of npm's configuration. */
function configuredRegistry(): RegExp[] {
  const address = process.env.npm_config_registry;
  return address === undefined ? [] : [new RegExp(`//${escapeRegExp(new URL(address).host)}`)];
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
