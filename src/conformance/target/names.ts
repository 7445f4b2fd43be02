import { isObject, parseBody } from "../vectors/pattern.js";
import { LackError } from "./target.js";

interface Request {
  readonly query?: { readonly [name: string]: string } | undefined;
  readonly body?: unknown;
  readonly raw?: string | undefined;
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: unknown;
}

/** Translates requests and answers between the names of checks and those of a target. */
export interface Names {
  /** The target's path to a column. */
  path(text: string): string;
  request<R extends Request>(request: R): R;
  /** @param path of the request */
  answer<A extends Answer>(answer: A, path: string): A;
}

/** Members whose texts name columns. */
const PATHS: ReadonlySet<string> = new Set([
  ...["columns", "sort", "target", "column", "as", "$exists", "$notExists", "$existsNot"],
  ...["count", "uniqueCount", "sum", "min", "max", "average"],
]);

/** Operations of a transaction, whose `id` keeps its name, as a migration's does (X-3, K-1). */
const OPERATIONS: ReadonlySet<string> = new Set(["get", "update", "delete"]);

const METADATA: readonly string[] = ["version", "createdAt", "updatedAt"];
const flat = (key: string): string => `xata_${key.toLowerCase()}`;
/** A search adds the last three to its records. */
const MEMBERS = new Map(
  [...METADATA, "table", "score", "highlight"].map((key) => [flat(key), key]),
);

const NO_OBJECT = new LackError("profile xata-next has no object of metadata");

/** Requests are limited to 32 levels (L-3), but deeper ones are sent, too. */
const MAX_LEVELS = 100;

/**
 * The names of profile `xata-next`: checks are written with `id` and `xata.createdAt`, the target
 * has `xata_id` and `xata_createdat`. Members of files and JSON keep their names; their columns are
 * known from the requests that created them.
 */
export function flatNames(): Names {
  const types = new Map<string, unknown>();
  const keepsNames = (column: string): boolean =>
    /^(file|json)/.test(String(types.get(column.split(".").at(-1) ?? column)));

  const path = (text: string): string =>
    keepsNames(text.replace(/\.id$/, ""))
      ? text
      : text
          .replace(/(^|\.)id$/, "$1xata_id")
          .replace(/(^|\.)xata\.(\w+)$/, (_, before: string, key: string) => before + flat(key))
          .replace(/^xata$/, flat("version")); // a reserved name
  const paths = (text: string): string[] => {
    const link = /^(.*\.)?xata(\.\*)?$/.exec(text);
    return link === null ? [path(text)] : METADATA.map((key) => (link[1] ?? "") + flat(key));
  };
  const send = (value: unknown, level = 0, isOperation = false): unknown => {
    if (level > MAX_LEVELS || typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((member) => send(member, level + 1));
    const { name, type, operations } = value as { readonly [key: string]: unknown };
    if (typeof name === "string" && typeof type === "string") types.set(name, type);
    const keepsId = isOperation || operations !== undefined;
    const sendMember = ([key, member]: [string, unknown]): [string, unknown][] => {
      const isPath = PATHS.has(key) || (key === "name" && type !== undefined);
      if (keepsNames(key) || (key === "id" && keepsId)) return [[key, member]];
      if (isPath && typeof member === "string") return [[key, path(member)]];
      if (isPath && Array.isArray(member)) {
        const each = (one: unknown) => (typeof one === "string" ? paths(one) : [send(one, level)]);
        return [[key, member.flatMap(each)]];
      }
      if (key === "xata") {
        if (!isObject(member) || !METADATA.some((name) => name in member)) throw NO_OBJECT;
        return Object.entries(member).map(([name, one]) => [flat(name), send(one, level)]);
      }
      return [[path(key), send(member, level + 1, OPERATIONS.has(key))]];
    };
    return Object.fromEntries(Object.entries(value).flatMap(sendMember));
  };

  /** The target's own `id` and `xata` get other names: it should have none. */
  const receive = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(receive);
    if (!isObject(value)) return value;
    const record: [string, unknown][] = [];
    const metadata: [string, unknown][] = [];
    for (const [key, member] of Object.entries(value)) {
      const name = MEMBERS.get(key);
      const isWrong = key === "xata" || (key === "id" && !("operation" in value));
      if (name !== undefined) metadata.push([name, member]);
      else if (key === "xata_id") record.push(["id", member]);
      else if (isWrong) record.push([`unexpected ${key}`, member]);
      else record.push([key, keepsNames(key) ? member : receive(member)]);
    }
    if (metadata.length > 0) record.push(["xata", Object.fromEntries(metadata)]);
    return Object.fromEntries(record);
  };

  return {
    path,
    request(request) {
      const { query, body, raw } = request;
      const columns = query?.columns?.split(",").flatMap(paths).join(",");
      return {
        ...request,
        query: columns === undefined ? query : { ...query, columns },
        body: send(body),
        raw: raw?.replaceAll('"id":', '"xata_id":'),
      };
    },
    answer(answer, asked) {
      if (answer.status >= 400) {
        const text = answer.text
          .replaceAll("xata_id", "id")
          .replace(/xata_[a-z]+/g, (name) => `xata.${MEMBERS.get(name) ?? name}`);
        return { ...answer, text, body: parseBody(text) };
      }
      const hasRecords = /\/(data|bulk|query|summarize|\w*search|transaction)\b/i.test(asked);
      if (!hasRecords || asked.includes("/column/")) return answer;
      return { ...answer, body: receive(answer.body) };
    },
  };
}
