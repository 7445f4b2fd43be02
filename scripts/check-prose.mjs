// Lists comments and docs that are hard to read: `node scripts/check-prose.mjs [files or folders]`.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

const USUAL = [
  "src",
  "page",
  "docs",
  "scripts",
  "bench",
  "README.md",
  "CONTRIBUTING.md",
  "ARCHITECTURE.md",
  "SECURITY.md",
];
// A doc comment describes behaviour: "Returns the rows", not "What is read".
const OPENING = /^\/\*\*[\s*]*(What|Who|Whose|Where|Whatever|Whoever|That which|Those)\b/;
// Passives without an actor.
const PASSIVE =
  /\b(?:is|are|was|were|be|been|being) (?:told(?! from)|asked|kept(?! apart)|heard|wanted)\b/;
const COMMENT = /\/\*\*?[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/gm;
const CODE = /^```[\s\S]*?^```/gm;

const { positionals } = parseArgs({ allowPositionals: true });
const files = (positionals.length > 0 ? positionals : USUAL).flatMap(listFiles);
const found = files.flatMap(findIn);
for (const line of found) console.log(line);
if (found.length > 0) {
  console.error(`${found.length} to rewrite: subject, verb, object; present tense; active`);
  process.exitCode = 1;
}

function listFiles(path) {
  if (statSync(path).isFile()) return [path];
  const names = readdirSync(path, { recursive: true }).filter(
    (name) => /\.(tsx?|mjs|md)$/.test(name) && !name.includes("node_modules"),
  );
  return names.sort().map((name) => join(path, name));
}

function findIn(file) {
  const text = readFileSync(file, "utf8");
  const parts = file.endsWith(".md")
    ? [{ 0: text.replace(CODE, (code) => code.replace(/[^\n]/g, " ")), index: 0 }]
    : text.matchAll(COMMENT);
  return [...parts].flatMap(({ 0: part, index }) => {
    const at = OPENING.test(part) ? [0] : [];
    for (const { index: passive } of part.matchAll(new RegExp(PASSIVE, "g"))) at.push(passive);
    return at.map((offset) => {
      const line = text.slice(0, index + offset).split("\n").length;
      return `${file}:${line}: ${part.slice(offset, offset + 80).replace(/\s+/g, " ")}`;
    });
  });
}
