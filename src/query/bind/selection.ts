import { type At, describe, pointer, type Reason, refuse } from "../../errors.js";
import type { Column, CompiledSchema, LeafColumn } from "../../schema/columns.js";
import { recordNames } from "../../schema/record-names.js";
import {
  BRIEF_MEMBERS,
  FILE_MEMBERS,
  type FileMember,
  isFileType,
} from "../../schema/stored-files.js";
import { type NumberRange, readNumber } from "../../shape/fields.js";
import { isPlainObject } from "../../value/json.js";
import type {
  BoundTable,
  ColumnChoice,
  Order,
  ReverseChoice,
  Selection,
} from "../bound/bound-query.js";
import { readEntries, refuseEntry } from "./column-list.js";
import {
  findLinked,
  hopTo,
  refuseUnknown,
  requireLinkLimit,
  resolvePath,
  type Scope,
  tableScope,
} from "./scope.js";
import { bindReverseOrder, bindSort } from "./sort.js";

/** A bound `columns`; sorts of reverse links are bound last (rule E-6). */
export interface ColumnsDraft {
  readonly selection: Selection;
  readonly reverse: readonly ReverseDraft[];
}

interface ReverseDraft extends Omit<ReverseChoice, "order"> {
  readonly bindOrder: () => Order;
}

/** Binds `columns`; by default all columns (rule P-1). */
export function bindColumns(scope: Scope, columns: unknown, at: string): ColumnsDraft {
  const counters: Counters = { entries: 0, reverseRecords: 0, insideReverse: false, reverse: [] };
  const selection = bindList({ ...scope, clause: "columns" }, columns, at, counters);
  const selections = [selection, ...counters.reverse.map((link) => link.selection)];
  const expanded = selections.filter(({ isWhole }) => !isWhole);
  const count = expanded.reduce((sum, chosen) => sum + countChoices(chosen.columns), 0);
  if (count > MAX_SELECTED) {
    const message = `columns: at most ${MAX_SELECTED} in total, found ${count} after expansion`;
    refuse("invalid_request", message, { path: at, rule: "L-7" });
  }
  return { selection, reverse: counters.reverse };
}

/** Columns that a selection may expand to (rule L-7). */
const MAX_SELECTED = 10_000;

function countChoices(choices: Selection["columns"]): number {
  let count = 0;
  for (const choice of choices.values()) {
    if (choice.kind === "object") count += countChoices(choice.columns);
    else if (choice.kind === "link" && choice.linked)
      count += countChoices(choice.linked.selection.columns);
    else count++;
  }
  return count;
}

export function bindReverseSorts({ selection, reverse }: ColumnsDraft): Selection {
  if (reverse.length === 0) return selection;
  const bound = reverse.map(({ bindOrder, ...choice }) => ({ ...choice, order: bindOrder() }));
  return { ...selection, reverse: bound };
}

interface Counters {
  entries: number;
  /** The sum of reverse links' limits (rule P-11). */
  reverseRecords: number;
  insideReverse: boolean;
  readonly reverse: ReverseDraft[];
}

function bindList(scope: Scope, columns: unknown, at: string, counters: Counters): Selection {
  if (columns === undefined) return wholeSelection(scope.table.schema);
  const entries = readEntries(scope, columns, counters.entries, at);
  counters.entries += entries.length;
  const selection = emptySelection();
  for (const [index, entry] of entries.entries()) {
    const entryAt = pointer(at, index);
    if (typeof entry === "string") addPath(scope, selection, entry, entryAt);
    else if (isPlainObject(entry))
      counters.reverse.push(bindReverse(scope, entry, entryAt, counters));
    else refuseEntry(entry, entryAt);
  }
  return selection;
}

function emptySelection(): Selection {
  return { columns: new Map(), reverse: [], isWhole: false };
}

const wholeSelections: WeakMap<CompiledSchema, Selection> = new WeakMap();

/** Selects all columns of a table, links as ids (rule P-1). */
function wholeSelection(schema: CompiledSchema): Selection {
  let selection = wholeSelections.get(schema);
  if (selection === undefined) {
    selection = selectAll(schema, BRIEF_MEMBERS);
    wholeSelections.set(schema, selection);
  }
  return selection;
}

/** Selects all columns, of files some members. */
export function selectAll({ columns }: CompiledSchema, members: readonly FileMember[]): Selection {
  return { columns: wholeColumns(columns, members), reverse: [], isWhole: true };
}

function wholeColumns(
  columns: readonly Column[],
  members: readonly FileMember[],
): Map<string, ColumnChoice> {
  return new Map(columns.map((column) => [column.name, wholeColumn(column, members)]));
}

function wholeColumn(column: Column, members = BRIEF_MEMBERS): ColumnChoice {
  if (column.type === "object") {
    return { kind: "object", column, columns: wholeColumns(column.columns, members) };
  }
  if (isFileType(column.type)) return { kind: "files", column, members: new Set(members) };
  return column.type === "link"
    ? { kind: "link", column, linked: undefined }
    : { kind: "value", column };
}

/** Adds the columns of a path such as `*`, `obj.sub` or `link.*`. */
function addPath(scope: Scope, selection: Selection, path: string, at: At): void {
  if (path.includes("->")) refuseUnknown(scope, undefined, path, path, at); // P-9
  const names = path.split(".");
  const isAll = names.at(-1) === "*";
  const named = isAll ? names.slice(0, -1) : names;
  // Throws for unknown paths.
  const resolved = named.length === 0 ? undefined : resolvePath(scope, named.join("."), at);
  const isLeaf = resolved?.inner === undefined && resolved?.ref.type !== "object";
  if (isAll && resolved !== undefined && isLeaf) refuseUnknown(scope, undefined, path, path, at);
  if (resolved?.inner !== undefined && (isAll || scope.run.profile.wholeLinks)) {
    requireLinkLimit(resolved.inner, at);
  }
  addNames(scope, selection, named, isAll);
}

function addNames(
  scope: Scope,
  selection: Selection,
  names: readonly string[],
  isAll: boolean,
): void {
  let columns = selection.columns;
  let schemaColumns: ReadonlyMap<string, Column> = scope.table.schema.columnsByName;
  if (names.length === 0) {
    mergeAll(columns, scope.table.schema.columns);
    return;
  }
  for (const [depth, name] of names.entries()) {
    const column = schemaColumns.get(name);
    if (column === undefined) return; // P-8: `id` and the metadata are always selected
    const rest = names.slice(depth + 1);
    if (column.type !== "object") {
      addLeaf(scope, columns, column, rest, isAll);
      return;
    }
    const fresh = { kind: "object", column, columns: new Map<string, ColumnChoice>() } as const;
    const choice = columns.get(name) ?? fresh;
    columns.set(name, choice);
    if (choice.kind !== "object") return;
    if (rest.length === 0) {
      mergeAll(choice.columns, column.columns);
      return;
    }
    columns = choice.columns;
    schemaColumns = column.columnsByName;
  }
}

function mergeAll(choices: Map<string, ColumnChoice>, columns: readonly Column[]): void {
  for (const column of columns) {
    const choice = choices.get(column.name);
    if (choice === undefined) choices.set(column.name, wholeColumn(column));
    else if (choice.kind === "files") {
      for (const member of BRIEF_MEMBERS) choice.members.add(member);
    } else if (choice.kind === "object") mergeAll(choice.columns, choice.column.columns);
  }
}

function addLeaf(
  scope: Scope,
  choices: Map<string, ColumnChoice>,
  column: LeafColumn,
  rest: readonly string[],
  isAll: boolean,
): void {
  if (isFileType(column.type)) {
    addMembers(choices, column, rest[0]);
    return;
  }
  if (column.type !== "link") {
    choices.set(column.name, { kind: "value", column });
    return;
  }
  const existing = choices.get(column.name);
  const choice: ColumnChoice =
    existing?.kind === "link" ? existing : { kind: "link", column, linked: undefined };
  choices.set(column.name, choice);
  const isWhole = isAll || scope.run.profile.wholeLinks;
  if (rest.length === 0 && !isWhole) return;
  const linked = findLinked(scope.run, column);
  if (linked === undefined) return; // T-17: only the id is known
  const hop = hopTo(column, linked);
  choice.linked ??= { table: hop.target, selection: emptySelection() };
  const inner: Scope = { ...tableScope(scope.run, linked), hops: [...scope.hops, hop] };
  addNames(inner, choice.linked.selection, rest, isAll);
}

/** Selects one member of files, or the default members (rule H-2). */
function addMembers(
  choices: Map<string, ColumnChoice>,
  column: LeafColumn,
  name: string | undefined,
): void {
  const existing = choices.get(column.name);
  const members = existing?.kind === "files" ? existing.members : new Set<FileMember>();
  const names = Object.keys(FILE_MEMBERS) as FileMember[]; // keyed by the type's own keys
  for (const member of names) {
    if (name === undefined ? FILE_MEMBERS[member] !== "apart" : member === name)
      members.add(member);
  }
  choices.set(column.name, { kind: "files", column, members });
}

const REVERSE_KEYS = new Set(["name", "as", "columns", "sort", "order", "limit", "offset"]);
const DEFAULT_REVERSE_LIMIT = 20;

/** Binds `{"name": "<-table.link", …}` (rule P-11). */
function bindReverse(
  scope: Scope,
  entry: Readonly<Record<string, unknown>>,
  at: string,
  counters: Counters,
): ReverseDraft {
  if (counters.insideReverse) {
    refuseReverse(at, "name", "a reverse link cannot contain another one");
  }
  for (const key of Object.keys(entry)) {
    if (REVERSE_KEYS.has(key) || entry[key] === undefined) continue;
    const reason = { kind: "unknown_key", key } as const;
    refuseReverse(at, key, `unknown key ${describe(key)} in a reverse link`, reason);
  }
  const { shape, ...source } = findReverse(scope, entry.name, at);
  const { run, table } = scope;
  const { joinedNames, maxPageSize, maxPageOffset } = run.profile;
  const joined = source.table.name + source.link.path;
  const { as: name = joinedNames ? joined : entry.name } = entry;
  if (typeof name !== "string" || name === "" || name === "__proto__") {
    return refuseReverse(at, "as", `expected a name, found ${describe(name)}`);
  }
  const isTaken =
    recordNames(run.profile).includes(name) ||
    table.schema.columnsByName.has(name) ||
    counters.reverse.some((other) => other.name === name);
  if (isTaken) refuseReverse(at, "as", `the name ${describe(name)} is taken`);
  const count = (key: "limit" | "offset", fallback: number, range: NumberRange): number =>
    entry[key] === undefined
      ? fallback
      : readNumber(entry[key], range, { path: pointer(at, key), rule: "P-11" });
  const limit = count("limit", DEFAULT_REVERSE_LIMIT, [1, maxPageSize]);
  const offset = count("offset", 0, [0, maxPageOffset]);
  const { columns, sort, order } = entry;
  if (order !== undefined && sort !== undefined) {
    refuseReverse(at, "order", "order is an alias of sort: give only one");
  }
  counters.reverseRecords += limit;
  if (counters.reverseRecords > maxPageSize) {
    const message = `the limits of reverse links must not exceed ${maxPageSize} in total`;
    refuseReverse(at, "limit", message);
  }
  counters.insideReverse = true;
  const inner = tableScope(run, shape, scope.clause, scope.resolved);
  const selection = bindList(inner, columns, pointer(at, "columns"), counters);
  counters.insideReverse = false;
  const bindOrder = (): Order =>
    order === undefined
      ? bindSort(tableScope(run, shape), sort, pointer(at, "sort"))
      : bindReverseOrder(tableScope(run, shape), order, pointer(at, "order"));
  return { name, ...source, selection, limit, offset, bindOrder };
}

function refuseReverse(at: string, key: string, message: string, reason?: Reason): never {
  const path = pointer(at, key);
  refuse("invalid_request", `columns: ${message}`, { path, rule: "P-11", reason });
}

const REVERSE_NAME = /^<-([^.]+)\.(.+)$/;

/** Finds the link `<-table.link`, whose target must be the scope's table. */
function findReverse(
  { run, table }: Scope,
  name: unknown,
  at: string,
): Pick<ReverseChoice, "table" | "link"> & { readonly shape: BoundTable } {
  const match = typeof name === "string" ? REVERSE_NAME.exec(name) : null;
  if (match === null) {
    return refuseReverse(at, "name", `expected "<-table.link", found ${describe(name)}`);
  }
  const [shown, tableName = "", path = ""] = match;
  const shape = run.findTable(tableName);
  const link = shape?.schema.leaves.find((leaf) => leaf.type === "link" && leaf.path === path);
  // Compares identities: versions change within a transaction.
  if (shape !== undefined && link !== undefined) {
    if (findLinked(run, link)?.identity === table.identity) {
      return { table: { name: tableName, identity: shape.identity }, shape, link };
    }
  }
  const message = `column [${shown.slice(0, 100)}] does not exist: no such link to this table`;
  return refuse("unknown_column", message, {
    path: pointer(at, "name"),
    rule: "P-11",
    reason: { kind: "unknown_column", clause: "columns", column: shown },
  });
}
