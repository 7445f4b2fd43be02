import { type At, type Clause, type Reason, refuse, shorten } from "../../errors.js";
import {
  type Column,
  ID_SLOT,
  type LeafColumn,
  plainLeaf,
  plainObject,
  VERSION_SLOT,
} from "../../schema/columns.js";
import { METADATA_KEYS, recordNames } from "../../schema/record-names.js";
import { COMPARED_MEMBERS, FILE_MEMBERS, isFileType } from "../../schema/stored-files.js";
import { findNearest, listFew, suggest } from "../../value/nearest.js";
import {
  type BoundTable,
  type ColumnRef,
  type Hop,
  plainRef,
  type Ref,
  refTo,
} from "../bound/bound-query.js";
import type { QueryRun } from "../query-run.js";

/** A namespace: a table reached through links, or an object column. */
export interface Scope {
  readonly run: QueryRun;
  readonly table: BoundTable;
  readonly hops: readonly Hop[];
  readonly path: string;
  /** The path of the table; empty for the table of the request. */
  readonly tablePath: string;
  /** The columns of an object column; absent for a table's own names. */
  readonly columns: ReadonlyMap<string, Column> | undefined;
  /** The file column, if the names are its members. */
  readonly files?: ColumnRef | undefined;
  /** The part of the request that contains the names, for errors. */
  readonly clause?: Clause | undefined;
  /** Collects the resolved columns. */
  readonly resolved?: Ref[] | undefined;
}

export function tableScope(
  run: QueryRun,
  table: BoundTable = run.table,
  clause?: Clause,
  resolved?: Ref[],
): Scope {
  return {
    run,
    table,
    hops: [],
    path: "",
    tablePath: "",
    columns: undefined,
    clause,
    resolved,
  };
}

export interface ResolvedPath {
  readonly ref: Ref;
  readonly inner: Scope | undefined;
}

/** Resolves a path through objects and links (N-4); throws `unknown_column` (P-9). */
export function resolvePath(scope: Scope, path: string, at: At): ResolvedPath {
  scope.run.checkTime?.();
  const arrow = path.indexOf("->");
  const names = arrow < 0 ? path : path.slice(0, arrow);
  const keys = arrow < 0 ? undefined : path.slice(arrow + 2).split("->");
  let resolved: ResolvedPath;
  let inner: Scope | undefined = scope;
  let from = 0;
  do {
    const dot = names.indexOf(".", from);
    const name = names.slice(from, dot < 0 ? names.length : dot);
    const step: ResolvedPath | undefined = inner && resolveName(inner, name, at);
    if (step === undefined) refuseUnknown(scope, inner, path, name, at);
    resolved = step;
    inner = step.inner;
    from = dot + 1;
  } while (from > 0);
  if (keys !== undefined) {
    if (resolved.ref.type !== "json") refuseUnknown(scope, undefined, path, path, at);
    resolved = { ref: { ...resolved.ref, path: joinPath(scope, path), keys }, inner: undefined };
  }
  scope.resolved?.push(resolved.ref);
  return resolved;
}

export function refuseUnknown(
  scope: Scope,
  inner: Scope | undefined,
  path: string,
  name: string,
  at: At,
): never {
  const hint = inner === undefined ? describeMissingTable(scope, path) : suggestName(inner, name);
  const shown = joinPath(scope, shorten(path, 100));
  refuse("unknown_column", `column [${shown}] does not exist${hint}`, {
    path: at,
    rule: "P-9",
    reason: reasonOf(scope, inner, path),
  });
}

/** In `columns`, the service's text names a linked table that lacks the column. */
function reasonOf(scope: Scope, inner: Scope | undefined, path: string): Reason | undefined {
  const { clause } = scope;
  if (clause === undefined) return undefined;
  const column = joinPath(scope, path);
  const table = clause === "columns" ? inner?.hops.at(-1)?.target.name : undefined;
  if (inner === undefined || table === undefined) return { kind: "unknown_column", clause, column };
  return {
    kind: "unknown_column",
    clause,
    table,
    column: column.slice(inner.tablePath.length + 1),
  };
}

/** Returns a hint that names the missing table on a path (rule T-17), or "". */
function describeMissingTable(scope: Scope, path: string): string {
  let inner: Scope | undefined = scope;
  for (const name of path.split(".").slice(0, -1)) {
    const column = (inner.columns ?? inner.table.schema.columnsByName).get(name);
    if (column === undefined) break;
    const at = joinPath(inner, name);
    inner = resolveColumn(inner, column).inner;
    if (inner !== undefined) continue;
    return column.type === "link" ? `: ${at} links to the table [${column.target}], not found` : "";
  }
  return "";
}

function resolveName(scope: Scope, name: string, at: At): ResolvedPath | undefined {
  requireLinkLimit(scope, at);
  if (scope.files !== undefined) return resolveMember(scope, scope.files, name);
  if (scope.columns === undefined) {
    const names = recordNames(scope.run.profile);
    if (name === names[0]) return { ref: idRef(scope, name), inner: undefined };
    if (names.includes(name)) return resolveColumn(scope, metadataColumn(name, names));
  }
  const column = (scope.columns ?? scope.table.schema.columnsByName).get(name);
  return column === undefined ? undefined : resolveColumn(scope, column);
}

function resolveColumn(scope: Scope, column: Column): ResolvedPath {
  const path = joinPath(scope, column.name);
  if (column.type === "object") {
    return {
      ref: { type: "object", path, columns: column.columns, hops: scope.hops },
      inner: { ...scope, path, columns: column.columnsByName },
    };
  }
  const ref = refTo(column, scope.hops, path);
  if (isFileType(column.type)) return { ref, inner: { ...scope, path, files: ref } };
  return { ref, inner: column.type === "link" ? linkScope(scope, column, path) : undefined };
}

/** F-18: a member without comparison is null if the file is null. H-2: a single file has no id. */
function resolveMember(scope: Scope, files: ColumnRef, name: string): ResolvedPath | undefined {
  if (!Object.hasOwn(FILE_MEMBERS, name)) return undefined;
  const compared = files.type === "file" ? COMPARED_MEMBERS[name] : undefined;
  const hasKeys = compared !== undefined || (files.type === "file" && name === "id");
  const type = compared ?? files.type;
  const keys = hasKeys ? [name] : undefined;
  return { ref: { ...files, type, path: joinPath(scope, name), keys }, inner: undefined };
}

/** Through a link: the stored id, which may dangle (rule T-9). */
function idRef(scope: Scope, name: string): ColumnRef {
  const slot = scope.hops.at(-1)?.slot ?? ID_SLOT;
  return plainRef("id", joinPath(scope, name), slot, scope.hops.slice(0, -1));
}

function linkScope(scope: Scope, column: LeafColumn, path: string): Scope | undefined {
  const linked = findLinked(scope.run, column);
  return (
    linked && {
      ...tableScope(scope.run, linked, scope.clause, scope.resolved),
      hops: [...scope.hops, hopTo(column, linked)],
      path,
      tablePath: path,
    }
  );
}

/** Undefined while the target table is missing (rule T-17). */
export function findLinked(run: QueryRun, column: LeafColumn): BoundTable | undefined {
  return run.findTable(column.target ?? "");
}

export function hopTo({ name, slot, target = "" }: LeafColumn, { identity }: BoundTable): Hop {
  return { name, slot, target: { name: target, identity } };
}

export function requireLinkLimit({ run, hops, path }: Scope, at: At): void {
  const { pathLinks } = run.limits;
  if (hops.length <= pathLinks) return;
  refuse("invalid_request", `column [${path}]: a path follows at most ${pathLinks} links`, {
    path: at,
    rule: "L-5",
  });
}

function metadataColumn(name: string, names: readonly string[]): Column {
  const leaf = (path: string, index: number): LeafColumn =>
    plainLeaf(index === 0 ? "int" : "datetime", path, VERSION_SLOT + index);
  if (names.length > 2) return leaf(name, names.indexOf(name) - 1);
  return plainObject(
    name,
    METADATA_KEYS.map((member, index) => leaf(`${name}.${member}`, index)),
  );
}

function namesIn(scope: Scope): Iterable<string> {
  if (scope.files !== undefined) return Object.keys(FILE_MEMBERS);
  if (scope.columns !== undefined) return scope.columns.keys();
  return [...recordNames(scope.run.profile), ...scope.table.schema.columnsByName.keys()];
}

function suggestName(scope: Scope, name: string): string {
  const near = findNearest(name, namesIn(scope));
  if (near !== undefined) return suggest(name, [], joinPath(scope, near));
  return scope.path === "" ? listFew(scope.table.schema.columnsByName) : "";
}

function joinPath(scope: Scope, name: string): string {
  return scope.path === "" ? name : `${scope.path}.${name}`;
}
