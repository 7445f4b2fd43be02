import { createEngine } from "../engine.js";
import { loadFixture } from "../fixtures.js";
import type { ColumnDefinition, Filter, Sort } from "../types.js";
import { readArguments } from "./arguments.js";
import { type Command, UsageError } from "./command.js";
import { formatTable } from "./format-table.js";
import { showLoading } from "./loading.js";
import { print, sayLine } from "./print.js";
import { openFixture, sayColumns, tableNameOf } from "./read-file.js";
import { USAGES } from "./usage.js";

/** `twinbase query` */
export const QUERY: Command = {
  run: (args) => print("query", () => queryFile(args)),
};

/** Loads a file into a table and queries it. */
export function queryFile(args: readonly string[]): string {
  const { values, operands } = readArguments(args, USAGES.query);
  const [path = ""] = operands;
  const { limit } = values;
  const filter =
    values.filter === undefined ? undefined : readJson<Filter>("filter", values.filter);
  const shown = values.columns === undefined ? undefined : readColumns(values.columns);
  const sort = values.sort === undefined ? undefined : readSort(values.sort);
  // All records fit on one page.
  const profile = { maxPageSize: Math.max(limit, 1) };
  const engine = createEngine({ profile, seed: 1, now: 0 });
  const branch = engine.createWorkspace("local").createDatabase("files").branch("main");
  const progress = showLoading(path, process.stderr);
  const loaded = loadFixture(branch, tableNameOf(path), openFixture(path), {
    onProgress: progress.rows,
  });
  progress.end(loaded.count);
  const { table, columns } = loaded;
  sayColumns(path, loaded, sayLine);
  if (values.schema) return formatColumns(columns);
  const count = table.count(filter);
  const page = { size: profile.maxPageSize };
  const records = table.query({ columns: shown, filter, sort, page }).records.slice(0, limit);
  if (values.json) return `${JSON.stringify(records, undefined, 2)}\n`;
  // Metadata and generated ids don't come from the file.
  const hidden = new Set([engine.profile.metadataColumn]);
  if (shown?.includes("id") !== true && records.every(({ id }) => id.startsWith("rec_"))) {
    hidden.add("id");
  }
  return `${formatTable(records, hidden)}${records.length} of ${count} records\n`;
}

/** Formats columns, one per line, with sub-columns indented. */
export function formatColumns(columns: readonly ColumnDefinition[], indent = ""): string {
  const lines = columns.map(({ name, type, columns: inner, link, unique, notNull }) => {
    const notes = [
      ...(link === undefined ? [] : [`→ ${link.table}`]),
      ...(unique === true ? ["unique"] : []),
      ...(notNull === true ? ["not null"] : []),
    ];
    const line = `${[`${indent}${name}: ${type}`, ...notes].join(" ")}\n`;
    return line + formatColumns(inner ?? [], `${indent}  `);
  });
  return lines.join("");
}

function readColumns(text: string): string[] {
  return text.startsWith("[") ? readJson<string[]>("columns", text) : text.split(",");
}

/** `name,age:desc`, or JSON. */
function readSort(text: string): Sort {
  if (/^[[{]/.test(text)) return readJson<Sort>("sort", text);
  return text.split(",").map((key) => {
    const [, column = "", direction = "asc"] = /^([^:]*)(?::(.*))?$/.exec(key) ?? [];
    if (direction !== "asc" && direction !== "desc" && direction !== "random") {
      throw new UsageError(`--sort ${key}: expected asc, desc or random, found ${direction}`);
    }
    return { [column]: direction };
  });
}

/** Parses JSON; the query checks the shape. */
function readJson<T>(option: string, text: string): T {
  try {
    return JSON.parse(text) as T;
  } catch (error) {
    const isBare = /[{,]\s*[\w$.]+\s*:/.test(text);
    const hint = isBare ? 'keys need quotes, as in {"name": "Ann"}; ' : "";
    throw new UsageError(`--${option}: ${hint}${(error as Error).message}`); // a SyntaxError
  }
}
