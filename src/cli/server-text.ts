import type { AnyEngine } from "../index.js";
import type { ColumnDefinition } from "../types.js";

/** What a server answers for where a request says nothing else. */
export interface Served {
  readonly workspace: string;
  readonly database: string;
  readonly branch: string;
  /** Whether there is a page to look at it with. */
  readonly hasPage?: boolean | undefined;
}

/** Says where a server is, what it holds, and three commands that work as they are. */
export function describeServer(engine: AnyEngine, url: string, served: Served): string {
  const { workspace, database, branch } = served;
  const branchName = `${database}:${branch}`;
  const found = engine.workspace(workspace).database(database).branch(branch);
  const tables = found.tables().map(({ name }) => {
    const table = found.table(name);
    return { name, count: table.count(), columns: table.schema().columns };
  });
  const lines = tables.map(({ name, count }) => `  table ${name}: ${count} records`);
  const fullest = tables.toSorted((a, b) => b.count - a.count)[0];
  const commands =
    fullest === undefined
      ? commandsWithoutTable(url, branchName)
      : commandsForTable(url, branchName, fullest.name, fullest.columns);
  return [
    `${url} serves workspace ${workspace}, database ${branchName} (profile ${engine.profile.base})`,
    ...lines,
    "",
    ...commands.map((command) => `  ${command}`),
    "",
    ...(served.hasPage ? [`  ${url}/_twinbase/ shows it in a browser.`] : []),
    `  ${url}/openapi.json describes all there is; Ctrl-C ends it.`,
    "",
  ].join("\n");
}

function commandsForTable(
  url: string,
  branchName: string,
  table: string,
  columns: readonly ColumnDefinition[],
): string[] {
  const at = `${url}/db/${branchName}/tables/${table}`;
  const text = columns.find(({ type }) => type === "string" || type === "text")?.name;
  const number = columns.find(({ type }) => type === "int" || type === "float")?.name;
  const query = {
    ...(text !== undefined && { columns: [text, ...(number === undefined ? [] : [number])] }),
    ...(number !== undefined && { sort: { [number]: "desc" } }),
    page: { size: 3 },
  };
  return [
    `curl -s ${at}/schema`,
    `curl -s ${at}/query -d ${quote(query)}`,
    text === undefined
      ? `curl -s ${at}/summarize -d ${quote({ summaries: { records: { count: "*" } } })}`
      : `curl -s ${at}/query -d ${quote({ filter: { [text]: { $startsWith: "A" } }, page: { size: 1 } })}`,
  ];
}

function commandsWithoutTable(url: string, branchName: string): string[] {
  const at = `${url}/db/${branchName}/tables/notes`;
  return [
    `curl -s -X PUT ${at}`,
    `curl -s ${at}/columns -d ${quote({ name: "text", type: "text" })}`,
    `curl -s ${at}/data -d ${quote({ text: "hello" })}`,
  ];
}

/** For a shell: JSON of column names and words holds no single quote. */
function quote(body: unknown): string {
  return `'${JSON.stringify(body)}'`;
}
