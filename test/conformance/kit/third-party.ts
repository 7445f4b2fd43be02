import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Seeding, ServiceTarget } from "../../../src/conformance/target/target.js";

// biome-ignore lint/suspicious/noExplicitAny: this service takes what comes, as many do
type Any = any;

interface ThirdTable {
  records: Any[];
}

interface ThirdDatabase {
  tables: Map<string, ThirdTable>;
  mappings: { gitBranch: string; serviceBranch: string }[];
  color?: string;
}

/**
 * A service as somebody might write it who has read the description, and little more: pages by
 * position, nulls first, errors after a fashion.
 */
export async function startThirdParty(): Promise<{
  target: ServiceTarget;
  close(): Promise<void>;
}> {
  const databases = new Map<string, ThirdDatabase>();
  const server = createServer((request, response) => {
    void readText(request).then((text) => {
      const [status, body] = attempt(databases, request, text);
      response.writeHead(status, { "content-type": "application/json" });
      response.end(body === undefined ? "" : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port
  return {
    target: {
      workspaceUrl: url,
      controlUrl: url,
      workspace: "acme",
      seed: ({ database, tables }) => fill(databases, database, tables),
    },
    close: () => closeServer(server),
  };
}

function fill(
  databases: Map<string, ThirdDatabase>,
  name: string,
  tables: Seeding["tables"],
): void {
  for (const table of tables) {
    const records = table.records.map((record) => ({ ...record, service: { version: 0 } }));
    databases.get(name)?.tables.set(table.name, { records });
  }
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

function attempt(
  databases: Map<string, ThirdDatabase>,
  request: IncomingMessage,
  text: string,
): [number, unknown?] {
  try {
    const url = new URL(request.url ?? "/", "http://localhost");
    const parts = url.pathname.split("/").slice(1).map(decodeURIComponent);
    return route(
      databases,
      request.method ?? "GET",
      parts,
      url,
      text === "" ? {} : JSON.parse(text),
    );
  } catch (error) {
    return error instanceof Refusal ? [error.status, { message: error.message }] : [500, {}];
  }
}

class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

function route(
  databases: Map<string, ThirdDatabase>,
  method: string,
  parts: string[],
  url: URL,
  body: Any,
): [number, unknown?] {
  const [head, first = "", second, third = "", fourth] = parts;
  if (head === "user") return [200, { id: "usr_1" }];
  if (head === "workspaces") return routeDatabase(databases, method, third, body);
  const [name = "", branch] = first.split(":");
  const database = databases.get(name) ?? refuse(404, "no such database");
  if (head === "dbs" && second === "gitBranches") return routeMapping(database, method, url, body);
  if (head !== "db" || second !== "tables") return refuse(404, "no such route");
  if (branch !== "main") return refuse(404, "no such branch");
  if (fourth === "query") {
    return [200, query(database, database.tables.get(third) ?? refuse(404, "no such table"), body)];
  }
  return routeTable(database, method, third, body);
}

function refuse(status: number, message: string): never {
  throw new Refusal(status, message);
}

function routeDatabase(
  databases: Map<string, ThirdDatabase>,
  method: string,
  name: string,
  body: Any,
): [number, unknown?] {
  if (method === "PUT") {
    databases.set(name, { tables: new Map(), mappings: [] });
    return [201, {}];
  }
  const database = databases.get(name) ?? refuse(404, "no such database");
  if (method === "DELETE") databases.delete(name);
  if (method === "PATCH") database.color = body.color;
  return [200, { name, color: database.color }];
}

function routeMapping(
  database: ThirdDatabase,
  method: string,
  url: URL,
  body: Any,
): [number, unknown?] {
  if (method === "GET") return [200, { mappings: database.mappings }];
  if (method === "POST") {
    if (body.serviceBranch !== "main") return refuse(400, "no such branch");
    if (typeof body.gitBranch !== "string") return refuse(400, "gitBranch is missing");
    const known = database.mappings.some(({ gitBranch }) => gitBranch === body.gitBranch);
    // Wrong: an overwritten entry moves to the end.
    const others = database.mappings.filter(({ gitBranch }) => gitBranch !== body.gitBranch);
    database.mappings = [...others, { gitBranch: body.gitBranch, serviceBranch: "main" }];
    return known ? [201, { warning: "overwritten" }] : [204];
  }
  const name = url.searchParams.get("gitBranch") ?? refuse(400, "gitBranch is missing");
  const left = database.mappings.filter(({ gitBranch }) => gitBranch !== name);
  if (left.length === database.mappings.length) return refuse(404, "not mapped");
  database.mappings = left;
  return [204];
}

function routeTable(
  database: ThirdDatabase,
  method: string,
  name: string,
  body: Any,
): [number, unknown?] {
  const table = database.tables.get(name);
  if (method === "PUT") {
    if (table !== undefined) return refuse(422, "exists");
    database.tables.set(name, { records: [] });
    return [201, {}];
  }
  if (table === undefined) return refuse(404, "no such table");
  // Wrong: a table renamed to a taken name takes its place.
  if (method === "PATCH") database.tables.set(body.name, table);
  database.tables.delete(name);
  return [200, {}];
}

function query(database: ThirdDatabase, table: ThirdTable, body: Any): unknown {
  const given = body.page ?? {};
  const token = given.after ?? given.before ?? given.start ?? given.end;
  const cursor = token === undefined || token === "end" ? undefined : open(token);
  if (cursor !== undefined && (body.filter !== undefined || body.sort !== undefined)) {
    refuse(400, "filter and sort come with the cursor");
  }
  const { filter = {}, sort, columns, size = 20 } = { ...cursor?.query, ...body, ...given };
  if (size > 200 || given.offset > 800) refuse(400, "too much");
  const found = table.records.filter((record) => holds(filter, record));
  const ordered = sort === undefined ? found : [...found].sort(comparing(sort));
  // Wrong: a page is a position, whatever has been written since; `before` forgets its end.
  const { offset = 0 } = given;
  let from = offset;
  if (given.after === "end") from = ordered.length;
  else if (given.before === "end" || given.end) from = Math.max(0, ordered.length - size - offset);
  else if (given.after) from = cursor.to + offset;
  else if (given.before) from = Math.max(0, cursor.from - size - offset);
  const records = ordered.slice(from, from + size);
  const state = { query: { filter, sort, columns, size }, from, to: from + records.length };
  return {
    records: records.map((record) => project(database, record, columns)),
    meta: { page: { cursor: seal(state), more: from + size < ordered.length } },
  };
}

function seal(state: unknown): string {
  return Buffer.from(JSON.stringify(state)).toString("base64url");
}

function open(token: string): Any {
  try {
    return JSON.parse(Buffer.from(token, "base64url").toString());
  } catch {
    return refuse(400, "bad cursor");
  }
}

function readPath(record: Any, path: string): Any {
  return path.split(".").reduce((value, name) => value?.[name], record);
}

function holds(filter: Any, record: Any): boolean {
  return Object.entries<Any>(filter).every(([key, operand]) => {
    const parts = Array.isArray(operand) ? operand : [operand];
    switch (key) {
      case "$all":
        return parts.every((part) => holds(part, record));
      case "$any":
        // Wrong: the keys of an object are joined with and.
        return parts.some((part) => holds(part, record));
      case "$not":
        return !parts.every((part) => holds(part, record));
      case "$none":
        return !parts.some((part) => holds(part, record));
      case "$exists":
        return readPath(record, operand) !== undefined;
      case "$notExists":
        return readPath(record, operand) === undefined;
      default:
        return holdsOf(operand, readPath(record, key));
    }
  });
}

function holdsOf(predicate: Any, value: Any): boolean {
  if (typeof predicate !== "object" || predicate === null) return value === predicate;
  return Object.entries<Any>(predicate).every(([operator, operand]) => {
    const list: Any[] = [operand].flat();
    switch (operator) {
      case "$is":
        return value === operand;
      case "$isNot":
        return value !== operand;
      case "$any":
        return list.some((each) => holdsOf(each, value));
      case "$all":
        return list.every((each) => holdsOf(each, value));
      case "$not":
        return !list.every((each) => holdsOf(each, value));
      case "$none":
        return !list.some((each) => holdsOf(each, value));
      case "$contains":
        return typeof value === "string" && value.includes(operand);
      case "$startsWith":
        return typeof value === "string" && value.startsWith(operand);
      case "$endsWith":
        return typeof value === "string" && value.endsWith(operand);
      case "$pattern":
        return typeof value === "string" && toRegExp(operand).test(value);
      case "$gt":
        return value > operand;
      case "$ge":
        return value >= operand;
      case "$lt":
        return value < operand;
      case "$le":
        return value <= operand;
      case "$includes":
      case "$includesAny":
        return (value ?? []).some((item: Any) => list.some((each) => holdsOf(each, item)));
      case "$includesNone":
        return !(value ?? []).some((item: Any) => list.some((each) => holdsOf(each, item)));
      case "$includesAll":
        return (value ?? []).every((item: Any) => list.some((each) => holdsOf(each, item)));
      default:
        // Nested names.
        return holdsOf(operand, value?.[operator]);
    }
  });
}

function toRegExp(pattern: string): RegExp {
  // Wrong: without the flag `s` a star stops at the end of a line, and nothing is escaped twice.
  const source = pattern
    .replace(/[.+^${}()|[\]]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${source}$`);
}

function comparing(sort: Any): (a: Any, b: Any) => number {
  const keys = [sort].flat().flatMap((key: Any) => Object.entries(key));
  return (a, b) => {
    for (const [path, direction] of keys) {
      // Wrong: null comes first, and a random order is not random but none.
      const [x, y] = [readPath(a, path) ?? "", readPath(b, path) ?? ""];
      if (x !== y) return (x < y ? -1 : 1) * (direction === "desc" ? -1 : 1);
    }
    return 0;
  };
}

function project(database: ThirdDatabase, record: Any, columns: string[] | undefined): Any {
  const whole = { ...record, ...(record.team && { team: { id: record.team } }) };
  if (columns === undefined || columns.includes("*")) return whole;
  const selected: Any = { id: record.id, service: record.service };
  for (const column of columns) {
    const [head = "", ...rest] = column.split(".");
    if (whole[head] === undefined) continue;
    if (head === "team" && rest.length > 0) {
      const team = database.tables.get("teams")?.records.find(({ id }) => id === record.team);
      selected.team = team === undefined ? whole.team : project(database, team, [rest.join(".")]);
    } else {
      // Wrong: a part of an object is all of it.
      selected[head] = whole[head];
    }
  }
  return selected;
}
