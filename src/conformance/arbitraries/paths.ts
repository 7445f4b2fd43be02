import type { ColumnDefinition } from "../../types.js";
import { FILE_MEMBERS } from "../oracle/files.js";
import type { Tier } from "../rules.js";
import { choose, chooseNamed, derive, happens } from "./choice.js";
import type { WriteProfile } from "./domains.js";
import { isInTier } from "./levels.js";
import type { GeneratedTable } from "./schema.js";

export interface QueriedSchema extends WriteProfile {
  readonly tables: readonly GeneratedTable[];
  /** Limits the features of queries; default `strict`. */
  readonly tier?: Tier;
}

export interface Scope {
  readonly columns: readonly ColumnDefinition[];
  /** Whether `id` and the metadata exist here. */
  readonly isRecord: boolean;
}

export interface WalkedPath {
  readonly names: readonly string[];
  readonly column: ColumnDefinition;
  readonly kind: "column" | "id" | "metadata" | "json path";
  /** The scope behind the path: an object's, or a link's if its target exists. */
  readonly next: Scope | undefined;
  readonly links: number;
}

export function recordScope(table: GeneratedTable): Scope {
  return { columns: table.columns, isRecord: true };
}

const MOST_LINKS = 3;
/** Members of files that no write changes by itself (F-18). */
const MEMBERS = FILE_MEMBERS.filter(({ name }) => /^(name|mediaType|size)$/.test(name));
const JSON_KEYS = ["a", "a", "a", "0", "0", "b", "1", "constructor", "length"];

export function walkPath(branch: QueriedSchema, scope: Scope, seed: number, links = 0): WalkedPath {
  const end = chooseEnd(branch, scope, seed);
  const { column } = end;
  const next = end.kind === "column" ? scopeOf(branch, column) : undefined;
  const isLink = column.type === "link";
  const into = isLink ? (isInTier("path link", branch.tier) ? 0.55 : 0) : 0.75;
  if (next !== undefined && links < MOST_LINKS && happens(seed, "into", into)) {
    const rest = walkPath(branch, next, derive(seed, "rest"), links + Number(isLink));
    return { ...rest, names: [...end.names, ...rest.names] };
  }
  return { ...end, next, links };
}

/** Falls back to `id` after too many attempts. */
export function walkTo(
  branch: QueriedSchema,
  scope: Scope,
  seed: number,
  fits: (path: WalkedPath) => boolean,
): WalkedPath | undefined {
  for (let attempt = 0; attempt < 8; attempt++) {
    const path = walkPath(branch, scope, derive(seed, `attempt ${attempt}`));
    if (fits(path)) return path;
  }
  return undefined;
}

export function enterJson(path: WalkedPath, seed: number): WalkedPath {
  const keys = Array.from({ length: happens(seed, "further", 0.3) ? 2 : 1 }, (_, i) =>
    choose(seed, `key ${i}`, JSON_KEYS),
  );
  const names = [...path.names.slice(0, -1), [path.column.name, ...keys].join("->")];
  return { ...path, names, kind: "json path" };
}

type PathEnd = Pick<WalkedPath, "names" | "column" | "kind">;

function chooseEnd(branch: QueriedSchema, scope: Scope, seed: number): PathEnd {
  const columns = scope.columns.map((column): PathEnd => {
    return { names: [column.name], column, kind: "column" };
  });
  const deep = columns.filter(
    ({ column }) => column.type === "json" || scopeOf(branch, column) !== undefined,
  );
  let ends = deep.length > 0 && happens(seed, "deep", 0.35) ? deep : columns;
  const hasOwn = isInTier("path metadata", branch.tier) && happens(seed, "own", 0.16);
  if (scope.isRecord && (columns.length === 0 || hasOwn)) {
    ends = recordEnds(branch);
  }
  const end = chooseNamed(seed, ends, ({ column }) => column.name);
  if (end === undefined) throw new Error("an object column has at least one sub-column");
  if (end.column.type !== "file" || happens(seed, "whole", 0.4)) return end;
  // F-7: members of files are not nested.
  const column = choose(seed, "member", MEMBERS);
  return { names: [`${end.column.name}.${column.name}`], column, kind: "column" };
}

function recordEnds(branch: QueriedSchema): PathEnd[] {
  const metadata = (name: string, type: "int" | "datetime"): PathEnd => ({
    names: [branch.metadataColumn, name],
    column: { name, type },
    kind: "metadata",
  });
  return [
    { names: ["id"], column: { name: "id", type: "string" }, kind: "id" },
    metadata("version", "int"),
    metadata("createdAt", "datetime"),
    metadata("updatedAt", "datetime"),
  ];
}

function scopeOf(branch: QueriedSchema, column: ColumnDefinition): Scope | undefined {
  if (column.type === "object") return { columns: column.columns ?? [], isRecord: false };
  const target = branch.tables.find((table) => table.name === column.link?.table);
  return target && recordScope(target);
}
