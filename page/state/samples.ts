import type { Call } from "../../src/http/call.js";

/** A request of the journal or of a view. */
export interface SampleCall extends Call {
  readonly request?: unknown;
}

/** The request as a curl command. */
export function asCurl(call: SampleCall, origin: string, hasKey: boolean): string {
  const url = `${origin}${call.path}${call.search === "" ? "" : `?${call.search}`}`;
  const parts = ["curl -s"];
  if (call.method !== "GET" && !(call.method === "POST" && call.request !== undefined)) {
    parts.push(`-X ${call.method}`);
  }
  parts.push(quote(url));
  if (hasKey) parts.push('-H "authorization: Bearer $KEY"');
  if (call.request !== undefined) {
    parts.push("-H 'content-type: application/json'", `-d ${quote(textOf(call.request))}`);
  }
  return parts.join(" \\\n  ");
}

/** Single quotes: a shell expands nothing in them. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function textOf(body: unknown): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}

/** Calls of a table handle, by the operation they stand for. */
const TABLE_CALLS: Readonly<Record<string, (call: SampleCall) => string>> = {
  queryTable: ({ request }) => `query(${show(request)})`,
  summarizeTable: ({ request }) => `summarize(${show(request)})`,
  aggregateTable: ({ request }) => `aggregate(${show(request)})`,
  insertRecord: ({ request }) => `insert(${show(request)})`,
  getRecord: ({ record }) => `get(${show(record)})`,
  insertRecordWithID: ({ record, request }) => `put(${show(record)}, ${show(request)})`,
  updateRecordWithID: ({ record, request }) => `update(${show(record)}, ${show(request)})`,
  upsertRecordWithID: ({ record, request }) => `upsert(${show(record)}, ${show(request)})`,
  deleteRecord: ({ record }) => `delete(${show(record)})`,
  bulkInsertTableRecords: ({ request }) =>
    `insert(${show((request as { records?: unknown } | undefined)?.records)})`,
  getTableSchema: () => "schema()",
};

/** The request in TypeScript: a call of the engine's handle if there is one, otherwise `fetch`. */
export function asTypeScript(call: SampleCall, origin: string): string {
  const { workspace, database, branch, table, operation = "" } = call;
  const act = Object.hasOwn(TABLE_CALLS, operation) ? TABLE_CALLS[operation] : undefined;
  if (act !== undefined && table !== undefined && call.search === "") {
    return [
      "const result = engine",
      `  .workspace(${show(workspace ?? "default")})`,
      `  .database(${show(database)})`,
      `  .branch(${show(branch ?? "main")})`,
      `  .table(${show(table)})`,
      `  .${indent(act(call))};`,
    ].join("\n");
  }
  const url = `${origin}${call.path}${call.search === "" ? "" : `?${call.search}`}`;
  const options = [
    ...(call.method === "GET" ? [] : [`  method: ${show(call.method)},`]),
    ...(call.request === undefined
      ? []
      : [
          '  headers: { "content-type": "application/json" },',
          `  body: JSON.stringify(${indent(show(call.request))}),`,
        ]),
  ];
  const given = options.length === 0 ? "" : `, {\n${options.join("\n")}\n}`;
  return `const response = await fetch(${show(url)}${given});\nconst result = await response.json();`;
}

/** Maximum characters of a response that a test compares. */
const MAX_COMPARED = 4000;

/** A test that sends the request and expects its recorded response. */
export function asTest(
  call: SampleCall & { readonly status?: number; readonly response?: unknown },
  origin: string,
): string {
  const { method, path, search, request, status, response, operation } = call;
  const options = [
    `method: ${show(method)}`,
    ...(request === undefined
      ? []
      : [
          'headers: { "content-type": "application/json" }',
          `body: JSON.stringify(${indent(indent(show(request)))})`,
        ]),
  ];
  const sent = [
    `  const response = await fetch(URL + ${show(`${path}${search && `?${search}`}`)}, {`,
    ...options.map((option) => `    ${option},`),
    "  });",
  ];
  // Each error response has its own id.
  const { id: _, ...error } = (response ?? {}) as Readonly<Record<string, unknown>>;
  const compared = status !== undefined && status >= 400 ? error : response;
  const text = indent(show(compared));
  const isComparable = typeof response === "object" && text.length <= MAX_COMPARED;
  const expected =
    status === undefined
      ? ["  // The connection was dropped: fetch rejects."]
      : [
          `  expect(response.status).toBe(${status});`,
          ...(isComparable ? [`  expect(await response.json()).toMatchObject(${text});`] : []),
        ];
  return [
    'import { expect, it } from "vitest";',
    "",
    `const URL = ${show(origin)};`,
    "",
    `it(${show(`${operation ?? `${method} ${path}`} responds with ${status ?? "nothing"}`)}, async () => {`,
    ...sent,
    ...expected,
    "});",
    "",
  ].join("\n");
}

function show(value: unknown): string {
  return value === undefined ? "" : JSON.stringify(value, null, 2);
}

function indent(text: string): string {
  return text.replaceAll("\n", "\n  ");
}
