import type { Profile } from "../profile.js";
import type { ColumnChoice, ReverseChoice, Selection } from "../query/bound/bound-query.js";
import {
  type CompiledSchema,
  CREATED_AT_SLOT,
  ID_SLOT,
  type LeafColumn,
  UPDATED_AT_SLOT,
  VERSION_SLOT,
} from "../schema/columns.js";
import { addMetadata } from "../schema/record-names.js";
import type { ShowFiles } from "../schema/stored-files.js";
import type { AnyRecord, Json } from "../types.js";
import { columnName, type FromClause } from "./statement.js";
import { readText } from "./text.js";
import { decodeValue, isoOf, type SqlText } from "./values.js";

export type Row = readonly SqlText[];

export class SelectList {
  readonly #indexes: Map<string, number> = new Map();

  add(expression: string): number {
    const index = this.#indexes.get(expression);
    if (index !== undefined) return index;
    this.#indexes.set(expression, this.#indexes.size);
    return this.#indexes.size - 1;
  }

  get expressions(): readonly string[] {
    return [...this.#indexes.keys()];
  }
}

export interface RowScope {
  readonly profile: Profile;
  readonly from: FromClause;
  readonly list: SelectList;
  readonly schemaOf: (identity: string) => CompiledSchema;
  readonly showFiles?: ShowFiles | undefined;
}

/** A record whose reverse links are not loaded yet (P-11). */
export interface UnfilledRecord {
  readonly choice: ReverseChoice;
  readonly id: string;
  readonly record: AnyRecord;
}

/** Builds a record; adds those with reverse links to `unfilled`. */
export type BuildRecord = (row: Row, unfilled: UnfilledRecord[]) => AnyRecord;

type Target = Record<string, unknown>;
type Step = (row: Row, target: Target, unfilled: UnfilledRecord[]) => void;

/** Compiles a selection: `id`, columns in schema order, metadata (P-10); null is left out. */
export function compileSelection(
  context: RowScope,
  selection: Selection,
  { identity, alias }: AliasedTable,
): BuildRecord {
  const { list, profile, schemaOf } = context;
  const expressionAt = (slot: number): number => list.add(`${alias}.${columnName(slot)}`);
  const id = expressionAt(ID_SLOT);
  const steps = compileColumns(context, schemaOf(identity).columns, selection.columns, {
    identity,
    alias,
  });
  const idKey = profile.idColumn;
  const version = expressionAt(VERSION_SLOT);
  const createdAt = expressionAt(CREATED_AT_SLOT);
  const updatedAt = expressionAt(UPDATED_AT_SLOT);
  return (row, unfilled) => {
    const record = { [idKey]: readText(row[id]!) } as AnyRecord; // every record has an id
    for (const step of steps) step(row, record, unfilled);
    for (const choice of selection.reverse) {
      record[choice.name] = { records: [] };
      unfilled.push({ choice, id: readText(row[id]!), record });
    }
    addMetadata(record, profile, {
      version: Number(row[version]),
      createdAt: isoOf(row[createdAt]!), // never null
      updatedAt: isoOf(row[updatedAt]!),
    });
    return record;
  };
}

function compileColumns(
  context: RowScope,
  columns: readonly { readonly name: string }[],
  choices: ReadonlyMap<string, ColumnChoice>,
  { identity, alias }: AliasedTable,
): Step[] {
  return columns.flatMap(({ name }) => {
    const choice = choices.get(name);
    return choice === undefined ? [] : [compileChoice(context, choice, { identity, alias })];
  });
}

interface AliasedTable {
  readonly identity: string;
  readonly alias: string;
}

function compileChoice(context: RowScope, choice: ColumnChoice, table: AliasedTable): Step {
  const { identity, alias } = table;
  switch (choice.kind) {
    case "files":
      return compileFiles(context, choice, identity, alias);
    case "value":
      return compileValue(context, choice.column, alias);
    case "object": {
      const { name, columns } = choice.column;
      const steps = compileColumns(context, columns, choice.columns, table);
      return (row, target, unfilled) => {
        const object: Target = {};
        for (const step of steps) step(row, object, unfilled);
        // An object without values is null (T-14).
        if (Object.keys(object).length > 0) target[name] = object;
      };
    }
    case "link":
      return compileLink(context, choice, alias);
  }
}

function compileLink(
  context: RowScope,
  { column, linked }: Extract<ColumnChoice, { kind: "link" }>,
  alias: string,
): Step {
  const { list, from, profile } = context;
  const idKey = profile.idColumn;
  const { name, slot } = column;
  const link = list.add(`${alias}.${columnName(slot)}`);
  if (linked === undefined) {
    return (row, target) => {
      const id = row[link];
      if (id != null) target[name] = { [idKey]: readText(id) };
    };
  }
  const { identity } = linked.table;
  const joined = from.join(alias, slot, identity);
  const found = list.add(`${joined}.id`);
  const build = compileSelection(context, linked.selection, { identity, alias: joined });
  return (row, target, unfilled) => {
    const id = row[link];
    if (id == null) return;
    // P-7: a dangling link only has its id.
    target[name] = row[found] == null ? { [idKey]: readText(id) } : build(row, unfilled);
  };
}

function compileFiles(
  { list, showFiles }: RowScope,
  { column, members }: Extract<ColumnChoice, { kind: "files" }>,
  identity: string,
  alias: string,
): Step {
  const { name, slot, type } = column;
  const id = list.add(`${alias}.${columnName(ID_SLOT)}`);
  const index = list.add(`${alias}.${columnName(slot)}`);
  const show = showFiles?.(column, members, identity);
  return (row, target) => {
    const files = decodeValue(type, row[index] ?? null) as Json;
    const shown = files === null ? undefined : show?.(files, readText(row[id]!)); // every record has one
    if (shown !== undefined) target[name] = shown;
  };
}

function compileValue({ list, profile }: RowScope, column: LeafColumn, alias: string): Step {
  const { name, slot, type } = column;
  const index = list.add(`${alias}.${columnName(slot)}`);
  const isText = type === "json" && profile.jsonAsText;
  return (row, target) => {
    const text = row[index];
    if (text == null) return;
    if (type === "datetime") target[name] = isoOf(text);
    else {
      const value = decodeValue(type, text);
      target[name] = isText ? JSON.stringify(value) : value;
    }
  };
}
