import type { AnyEngine, AnyTable } from "../index.js";
import type { ProfileName } from "../profile.js";
import type { ColumnDefinition } from "../types.js";

/** Maximum columns shown per table. */
const MAX_COLUMNS = 8;

/** The defaults of a server. */
export interface ServerDefaults {
  readonly workspace: string;
  readonly database: string;
  readonly branch: string;
  /** Whether it serves the explorer. */
  readonly hasPage?: boolean | undefined;
}

/** The address of a server, its tables, and three commands to try; for PowerShell on `win32`. */
export function describeServer(
  engine: AnyEngine,
  url: string,
  served: ServerDefaults,
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
    ...describeInterface(url, engine.profile.base, served),
  ].join("\n");
}

/** The address of a server whose records are in PostgreSQL. */
export function describePostgresServer(
  url: string,
  base: ProfileName,
  served: ServerDefaults,
): string {
  const { workspace, database, branch } = served;
  return [
    `${url} serves workspace ${workspace}, database ${database}:${branch} (profile ${base}) from PostgreSQL`,
    "",
    ...describeInterface(url, base, served),
  ].join("\n");
}

function describeInterface(url: string, base: ProfileName, served: ServerDefaults): string[] {
  return [
    ...(base !== "documented"
      ? [...describeClient(url, served).map((line) => `  ${line}`), ""]
      : ["  The npm client @xata.io/client needs --profile xata."]),
    ...(served.hasPage ? [`  ${url}/_twinbase/ is the explorer.`] : []),
    `  ${url}/openapi.json describes the interface. Press Ctrl-C to stop.`,
    "",
  ];
}

/** Prints the address in bold and everything that can be pasted in colour. */
export function paintServerText(text: string): string {
  return text
    .replace(/^https?:\S+/, "\x1b[1m$&\x1b[0m")
    .replace(/^( {2})(curl.*|'.*|XATA_.*|TWINBASE_.*)$/gm, "$1\x1b[36m$2\x1b[0m");
}

/** The settings of the npm client and the `xata` command line, as lines of `.env`. */
function describeClient(url: string, { workspace, database, branch }: ServerDefaults): string[] {
  const { port, protocol } = new URL(url);
  const local = `${protocol}//localhost:${port}`;
  return [
    `XATA_DATABASE_URL=${protocol}//${workspace}.us-east-1.localhost:${port}/db/${database}`,
    `XATA_BRANCH=${branch}`,
    "XATA_API_KEY=any",
    `XATA_API_PROVIDER=${local},${protocol}//{workspaceId}.{region}.localhost:${port}`,
    "The databaseURL of a generated client wins over the first one. Up to version 0.28.3, clients need",
    `${protocol}//127.0.0.1:${port}/ws/${workspace}/us-east-1/db/${database}`,
    "If names do not resolve (ENOTFOUND), or to keep the service's addresses, start the application with",
    `TWINBASE_URL=${local} NODE_OPTIONS=--import=twinbase/local`,
  ];
}

/** In PowerShell, `curl` can be another command, and quoting differs between versions. */
function forPowerShell(command: string): string {
  const [, address = command, body] = /^curl -s (.*?)(?: -d ('.*'))?$/.exec(command) ?? [];
  return body === undefined ? `curl.exe -s ${address}` : `${body} | curl.exe -s ${address} -d '@-'`;
}

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

/** Returns the first letter of a column's text if it is safe in shell quotes. */
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

/** Quotes JSON of column names, letters and words, which contains no single quote. */
function quote(body: unknown): string {
  return `'${JSON.stringify(body)}'`;
}
