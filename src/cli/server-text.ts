import type { AnyEngine, AnyTable } from "../index.js";
import type { ColumnDefinition } from "../types.js";

/** Columns of a table that are named. */
const MAX_COLUMNS = 8;

/** What a server answers for where a request says nothing else. */
export interface Served {
  readonly workspace: string;
  readonly database: string;
  readonly branch: string;
  /** Whether there is a page to look at it with. */
  readonly hasPage?: boolean | undefined;
}

/**
 * Says where a server is, what it holds, and three commands that work as they are.
 *
 * @param platform `win32`: the commands are for PowerShell
 */
export function describeServer(
  engine: AnyEngine,
  url: string,
  served: Served,
  platform: string = process.platform,
): string {
  const { workspace, database, branch } = served;
  const branchName = `${database}:${branch}`;
  const found = engine.workspace(workspace).database(database).branch(branch);
  const tables = found.tables().map(({ name }) => {
    const table = found.table(name);
    return { name, count: table.count(), columns: table.schema().columns };
  });
  const lines = tables.map(
    ({ name, count, columns }) => `  table ${name}: ${count} records${describeColumns(columns)}`,
  );
  const fullest = tables.toSorted((a, b) => b.count - a.count)[0];
  const commands =
    fullest === undefined
      ? commandsWithoutTable(url, branchName)
      : commandsForTable(url, branchName, found.table(fullest.name));
  return [
    `${url} serves workspace ${workspace}, database ${branchName} (profile ${engine.profile.base})`,
    ...lines,
    "",
    ...commands.map((command) => `  ${platform === "win32" ? forPowerShell(command) : command}`),
    "",
    ...(engine.profile.base === "xata"
      ? [...describeClient(url, served).map((line) => `  ${line}`), ""]
      : ["  The npm client @xata.io/client wants --profile xata."]),
    ...(served.hasPage ? [`  ${url}/_twinbase/ shows it in a browser.`] : []),
    `  ${url}/openapi.json describes all there is; Ctrl-C ends it.`,
    "",
  ].join("\n");
}

/** The same text with its address in bold, and what can be pasted in another colour. */
export function paintServerText(text: string): string {
  return text
    .replace(/^https?:\S+/, "\x1b[1m$&\x1b[0m")
    .replace(/^( {2})(curl.*|'.*|XATA_.*)$/gm, "$1\x1b[36m$2\x1b[0m");
}

/** The settings of the npm client and the `xata` command line, as lines of `.env`. */
function describeClient(url: string, { workspace, database, branch }: Served): string[] {
  const { port, protocol } = new URL(url);
  return [
    `XATA_DATABASE_URL=${protocol}//${workspace}.us-east-1.localhost:${port}/db/${database}`,
    `XATA_BRANCH=${branch}`,
    "XATA_API_KEY=any",
    `XATA_API_PROVIDER=${protocol}//localhost:${port},${protocol}//{workspaceId}.{region}.localhost:${port}`,
  ];
}

/** PowerShell has another `curl`, and each version passes quotes to programs in its own way. */
function forPowerShell(command: string): string {
  const [, address = command, body] = /^curl -s (.*?)(?: -d ('.*'))?$/.exec(command) ?? [];
  return body === undefined ? `curl.exe -s ${address}` : `${body} | curl.exe -s ${address} -d '@-'`;
}

/** The columns of a table with their types, in short. */
function describeColumns(columns: readonly ColumnDefinition[]): string {
  if (columns.length === 0) return "";
  const shown = columns
    .slice(0, MAX_COLUMNS)
    .map(({ name, type, link }) => `${name} ${link === undefined ? type : `→ ${link.table}`}`);
  const more = columns.length - shown.length;
  return ` (${shown.join(", ")}${more > 0 ? `, and ${more} more` : ""})`;
}

function commandsForTable(url: string, branchName: string, table: AnyTable): string[] {
  const at = `${url}/db/${branchName}/tables/${table.name}`;
  const { columns } = table.schema();
  const text = columns.find(({ type }) => type === "string" || type === "text")?.name;
  const number = columns.find(({ type }) => type === "int" || type === "float")?.name;
  const start = text === undefined ? undefined : firstLetter(table, text);
  const query = {
    ...(text !== undefined && { columns: [text, ...(number === undefined ? [] : [number])] }),
    ...(number !== undefined && { sort: { [number]: "desc" } }),
    page: { size: 3 },
  };
  return [
    `curl -s ${at}/schema`,
    `curl -s ${at}/query -d ${quote(query)}`,
    text === undefined || start === undefined
      ? `curl -s ${at}/summarize -d ${quote({ summaries: { records: { count: "*" } } })}`
      : `curl -s ${at}/query -d ${quote({ filter: { [text]: { $startsWith: start } }, page: { size: 1 } })}`,
  ];
}

/** What the first text of a column begins with, where a shell can be given it in quotes. */
function firstLetter(table: AnyTable, column: string): string | undefined {
  const filter = { $exists: column, [column]: { $isNot: "" } };
  const text = table.query({ columns: [column], filter, page: { size: 1 } }).records[0]?.[column];
  return typeof text === "string" ? /^[\p{L}\p{N}]/u.exec(text)?.[0] : undefined;
}

function commandsWithoutTable(url: string, branchName: string): string[] {
  const at = `${url}/db/${branchName}/tables/notes`;
  return [
    `curl -s -X PUT ${at}`,
    `curl -s ${at}/columns -d ${quote({ name: "text", type: "text" })}`,
    `curl -s ${at}/data -d ${quote({ text: "hello" })}`,
  ];
}

/** For a shell: JSON of column names, letters and words holds no single quote. */
function quote(body: unknown): string {
  return `'${JSON.stringify(body)}'`;
}
