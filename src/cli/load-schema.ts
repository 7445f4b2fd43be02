import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { refuse } from "../errors.js";
import { type PushedMigration, pushMigrations, readSchema } from "../history.js";
import type { AnyBranch, AnyEngine } from "../index.js";

/**
 * Creates the tables of a schema: JSON as `xata schema dump` writes it, the generated file of a
 * client, or its folder `.xata/migrations`, whose history goes on.
 *
 * @param known tables of a file to leave out
 * @throws TwinbaseError `invalid_request` with the path, and the errors of schemas
 */
export function loadSchema(
  engine: AnyEngine,
  branch: AnyBranch,
  path: string,
  known?: ReadonlySet<string>,
): void {
  if (statSync(path).isDirectory()) {
    pushMigrations(branch, readMigrations(path));
    return;
  }
  const tables = readSchema(readSchemaFile(path), engine.profile, "").filter(
    ({ name }) => !known?.has(name),
  );
  branch.createTables(Object.fromEntries(tables.map(({ name, columns }) => [name, columns])));
}

/** Reads the files that the ledger names, oldest first. */
function readMigrations(folder: string): PushedMigration[] {
  const names = readFileSync(join(folder, ".ledger"), "utf8").split("\n");
  return names.flatMap((name) => {
    if (name.trim() === "") return [];
    const path = join(folder, `${name.trim()}.json`);
    const migration = parseJson(readFileSync(path, "utf8"), path);
    if (!("migration" in migration)) return [migration as unknown as PushedMigration]; // read there
    return refuse("invalid_request", `${path}: migrations of PostgreSQL are not supported`, {
      hint: "pass the generated file of the client",
    });
  });
}

/** The text before the array of tables in a generated client. */
const TABLES = /\btables\b[^=;]*=\s*(?=\[)/;

function readSchemaFile(path: string): object {
  const text = readFileSync(path, "utf8");
  const found = TABLES.exec(text);
  if (found === null || text.trimStart().startsWith("{")) {
    const { formatVersion: _, ...schema } = parseJson(text, path);
    return schema;
  }
  return { tables: parseJson(jsonOf(text.slice(found.index + found[0].length)), path) };
}

function parseJson(text: string, path: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>; // checked by who reads its members
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return refuse("invalid_request", `${path}: ${error.message}`);
  }
}

/** Comments, texts, keys, words and numbers, and single characters. */
const TOKEN =
  /\/\/[^\n]*|\/\*.*?\*\/|(?<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<key>[\w$]+(?=\s*:))|[-\w$.]+|\S/gs;

/** Returns the array literal at the beginning of a source as JSON, without running it. */
function jsonOf(source: string): string {
  const json: string[] = [];
  let depth = 0;
  for (const { 0: token, groups: { text, key } = {} } of source.matchAll(TOKEN)) {
    if (/^\/[/*]/.test(token)) continue;
    if ("[{".includes(token)) depth++;
    if ("]}".includes(token)) {
      depth--;
      if (json.at(-1) === ",") json.pop();
    }
    json.push(key !== undefined ? `"${key}"` : text !== undefined ? quoteText(text) : token);
    if (depth === 0) break;
  }
  return json.join(" ");
}

/** Converts a JavaScript string to JSON; JSON refuses escapes of JavaScript alone. */
function quoteText(quoted: string): string {
  const text = quoted.slice(1, -1).replaceAll(/\\.|"/gs, (found) => {
    if (found === "\\'") return "'";
    return found === '"' ? '\\"' : found;
  });
  return `"${text}"`;
}
