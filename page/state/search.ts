import { branchPath, tablePath } from "./api.js";
import { parseJson } from "./pointer.js";

/** A search request. */
export interface SearchCall {
  readonly operation: "searchBranch" | "searchTable" | "vectorSearchTable";
  /** Path relative to the service. */
  readonly path: string;
  readonly table?: string;
  readonly request: Readonly<Record<string, unknown>>;
}

type Params = Readonly<Record<string, string>>;

/** The full-text search in the URL parameters, if any. */
export function wordsCall(
  database: string,
  branch: string,
  params: Params,
): SearchCall | undefined {
  const { words = "", in: table = "", fuzziness = "1", prefix = "" } = params;
  if (words === "") return undefined;
  const request = {
    query: words,
    fuzziness: Number(fuzziness),
    ...(prefix !== "" && { prefix }),
    ...(table !== "" && readAll(params, ["target", "filter", "boosters"])),
    page: { size: 50 },
    // Highlights are parsed as text, never as HTML.
    highlight: { encodeHTML: false },
  };
  if (table === "") {
    return { operation: "searchBranch", path: `${branchPath(database, branch)}/search`, request };
  }
  const path = `${tablePath(database, branch, table)}/search`;
  return { operation: "searchTable", path, table, request };
}

/** The vector search in the URL parameters, if any. */
export function vectorCall(
  database: string,
  branch: string,
  params: Params,
): SearchCall | undefined {
  const { in: table = "", column = "", vector = "", similarity = "", size = "" } = params;
  if (vector === "" || table === "") return undefined;
  const request = {
    column,
    queryVector: readJson(vector),
    ...(similarity !== "" && { similarityFunction: similarity }),
    ...(size !== "" && { size: Number(size) }),
    ...readAll(params, ["filter"]),
  };
  const path = `${tablePath(database, branch, table)}/vectorSearch`;
  return { operation: "vectorSearchTable", path, table, request };
}

/** The named URL parameters, parsed as JSON. */
function readAll(params: Params, names: readonly string[]): Record<string, unknown> {
  const given = names.filter((name) => (params[name] ?? "") !== "");
  return Object.fromEntries(given.map((name) => [name, readJson(params[name]!)]));
}

/** Returns invalid JSON as a string: the service reports the error. */
function readJson(text: string): unknown {
  const read = parseJson(text);
  return "value" in read ? read.value : text;
}
