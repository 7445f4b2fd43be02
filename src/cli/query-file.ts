import { createEngine } from "../engine.js";
import { readDate } from "../fixtures/dates.js";
import type { LoadedFixture } from "../fixtures.js";
import type { ColumnDefinition, Filter, Sort } from "../types.js";
import { isPlainObject } from "../value/json.js";
import { readArguments } from "./arguments.js";
import { type Command, UsageError } from "./command.js";
import { formatRecords } from "./format-records.js";
import { openFile } from "./load-file.js";
import { print, sayLine } from "./print.js";
import { tableNameOf } from "./read-file.js";
import { USAGES } from "./usage.js";

/** `twinbase query` */
export const QUERY: Command = {
  run: (args) => print("query", () => queryFile(args)),
};

/** Loads a file into a table and queries it. */
export async function queryFile(
  args: readonly string[],
  say: (line: string) => void = sayLine,
): Promise<string> {
  const { values, operands } = readArguments(args, USAGES.query);
  const [path = ""] = operands;
  const { limit } = values;
  const format = values.json ? "json" : values.format;
  const show = (records: readonly object[], paths: readonly string[]): string =>
    formatRecords(records, format, paths, values["escape-formulas"]);
  const parsed = {
    filter: values.filter === undefined ? undefined : readJson<Filter>("filter", values.filter),
    columns: values.columns?.startsWith("[")
      ? readJson<string[]>("columns", values.columns)
      : values.columns?.split(","),
    sort: values.sort === undefined ? undefined : readSort(values.sort),
  };
  const groups = values["group-by"] ?? (values.summarize === undefined ? undefined : []);
  if (groups !== undefined && parsed.columns !== undefined) {
    throw new UsageError("--columns: groups have the columns of --group-by and --summarize");
  }
  // All records fit on one page; metadata is named as in an export of the service.
  const profile = { maxPageSize: Math.max(limit, 1), metadataColumn: "xata" } as const;
  const engine = createEngine({ profile, seed: 1, now: 0 });
  const branch = engine.createWorkspace("local").createDatabase("files").branch("main");
  const load = await openFile(path, values, say);
  const loaded = load(branch, tableNameOf(path));
  const { table, columns } = loaded;
  if (values.schema) return formatColumns(columns);
  const { nameOf, ...names } = translate(loaded);
  const filter =
    parsed.filter === undefined ? undefined : (names.filterOf(parsed.filter) as Filter); // of the same shape
  const sort = parsed.sort === undefined ? undefined : (names.sortOf(parsed.sort) as Sort); // as above
  const page = { size: profile.maxPageSize };
  if (groups !== undefined) {
    const summaries = readSummaries(values.summarize ?? ["count"], nameOf);
    const by = groups.map(nameOf);
    const found = table.summarize({ columns: by, filter, sort, summaries, page }).summaries;
    return show(found.slice(0, limit), [...by, ...Object.keys(summaries)]);
  }
  const shown = names.namesOf(parsed.columns) as string[] | undefined; // of the same shape
  const count = table.count(filter);
  const records = table.query({ columns: shown, filter, sort, page }).records.slice(0, limit);
  // Metadata and generated ids don't come from the file.
  const { metadataColumn } = engine.profile;
  const isAsked = (name: string): boolean =>
    shown?.some((path) => path === name || path.startsWith(`${name}.`)) === true;
  const hasId = loaded.hasIds || isAsked("id");
  const shownRecords = records.map(({ id, [metadataColumn]: metadata, ...rest }) => ({
    ...(hasId && { id }),
    ...rest,
    ...(isAsked(metadataColumn) && { [metadataColumn]: metadata }),
  }));
  const paths = shown?.includes("*") === false ? shown : leavesOf(columns, "");
  const text = show(shownRecords, hasId && !isAsked("id") ? ["id", ...paths] : paths);
  return format === "table" ? `${text}${records.length} of ${count} records\n` : text;
}

function leavesOf(columns: readonly ColumnDefinition[], head: string): string[] {
  return columns.flatMap(({ name, columns: inner }) =>
    inner === undefined ? [head + name] : leavesOf(inner, `${head}${name}.`),
  );
}

/** Translates names and dates as the file writes them. */
function translate({ renamed, dates }: LoadedFixture): {
  readonly nameOf: (path: string) => string;
  /** Translates paths; leaves other values for the query to reject. */
  readonly namesOf: (names: unknown) => unknown;
  readonly filterOf: (filter: unknown) => unknown;
  readonly sortOf: (sort: unknown) => unknown;
} {
  const nameOf = (path: string): string => {
    const found = renamed.find(({ from }) => path === from || path.startsWith(`${from}.`));
    return found === undefined ? path : found.to + path.slice(found.from.length);
  };
  const filterOf = (filter: unknown, path = ""): unknown => {
    const order = dates.get(path);
    if (typeof filter === "string")
      return order ? (readDate(filter, order)?.text ?? filter) : filter;
    if (Array.isArray(filter)) return filter.map((member) => filterOf(member, path));
    if (!isPlainObject(filter)) return filter;
    return Object.fromEntries(
      Object.entries(filter).map(([key, member]) => {
        if (/^\$(?:exists|notExists)$/.test(key)) return [key, namesOf(member)];
        if (key.startsWith("$")) return [key, filterOf(member, path)];
        const name = nameOf(path === "" ? key : `${path}.${key}`);
        return [path === "" ? name : key, filterOf(member, name)];
      }),
    );
  };
  const namesOf = (names: unknown): unknown =>
    Array.isArray(names) ? names.map(namesOf) : typeof names === "string" ? nameOf(names) : names;
  const sortOf = (sort: unknown): unknown => {
    if (Array.isArray(sort)) return sort.map(sortOf);
    if (!isPlainObject(sort)) return namesOf(sort);
    return Object.fromEntries(Object.entries(sort).map(([key, value]) => [nameOf(key), value]));
  };
  return { nameOf, namesOf, filterOf, sortOf };
}

const MEASURES = ["min", "max", "sum", "average"] as const;

/** `count`, `sum:population` */
function readSummaries(
  texts: readonly string[],
  nameOf: (path: string) => string,
): Record<string, { count: "*" } | { [measure: string]: string }> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, measure = "", column = ""] = /^([^:]*)(?::(.*))?$/.exec(text) ?? [];
      if (measure === "count" && column === "") return ["count", { count: "*" }];
      if (!MEASURES.some((each) => each === measure) || column === "") {
        const expected = `count, or ${MEASURES.join(", ")} of a column, as in sum:price`;
        throw new UsageError(`--summarize: expected ${expected}, found ${text}`);
      }
      return [`${measure}_${column.replaceAll(/[^\w~-]/g, "_")}`, { [measure]: nameOf(column) }];
    }),
  );
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
