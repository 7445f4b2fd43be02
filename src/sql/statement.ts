import { assert } from "../errors.js";
import type { ColumnRef, Hop } from "../query/bound/bound-query.js";
import {
  type CompiledSchema,
  CREATED_AT_SLOT,
  ID_SLOT,
  UPDATED_AT_SLOT,
  VERSION_SLOT,
} from "../schema/columns.js";
import type { SqlText } from "./values.js";

/** A statement; all of the request's values are parameters. */
export interface Statement {
  readonly text: string;
  readonly values: readonly SqlText[];
  /** Whether the plan depends on the values: planned at each execution. */
  readonly isPlannedEach?: boolean;
}

export interface Dialect {
  /** Expression for the lower case of a text by code point (F-10). */
  readonly foldCase: (text: string) => string;
}

export interface Schemata {
  readonly dialect: Dialect;
  readonly tableOf: (identity: string) => string;
  readonly schemaOf: (identity: string) => CompiledSchema;
}

export function isUnique(
  { schemaOf }: Pick<Schemata, "schemaOf">,
  identity: string,
  slot: number,
): boolean {
  return schemaOf(identity).constraints.uniques.some((column) => column.slot === slot);
}

export function columnName(slot: number): string {
  return SYSTEM_COLUMNS[slot] ?? `c${slot}`;
}

const SYSTEM_COLUMNS: Readonly<Record<number, string>> = {
  [ID_SLOT]: "id",
  [VERSION_SLOT]: "version",
  [CREATED_AT_SLOT]: "created_at",
  [UPDATED_AT_SLOT]: "updated_at",
};

export class StatementWriter {
  readonly #values: SqlText[] = [];
  #isPlannedEach = false;

  bind(value: SqlText, type = "text"): string {
    this.#values.push(value);
    const parameter = `$${this.#values.length}::text`;
    return type === "text" ? parameter : `${parameter}::${type}`;
  }

  planEach(): void {
    this.#isPlannedEach = true;
  }

  finish(text: string): Statement {
    return { text, values: this.#values, isPlannedEach: this.#isPlannedEach };
  }
}

/** Writes a statement whose values are bound in the order of their parameters. */
export function statementOf(
  write: (bind: (value: SqlText, type?: string) => string) => string,
): Statement {
  const writer = new StatementWriter();
  return writer.finish(write((value, type) => writer.bind(value, type)));
}

/** The tables of one `select`: its own and those behind links. */
export class FromClause {
  readonly #schemata: Schemata;
  readonly #identity: string;
  readonly #base: string;
  readonly #aliases: Map<string, string> = new Map();
  #text: string;

  constructor(schemata: Schemata, identity: string, base: string) {
    this.#schemata = schemata;
    this.#identity = identity;
    this.#base = base;
    this.#text = `${schemata.tableOf(identity)} ${base}`;
  }

  get text(): string {
    return this.#text;
  }

  get isJoined(): boolean {
    return this.#aliases.size > 0;
  }

  aliasOf(hops: readonly Hop[]): string {
    return hops.reduce(
      (alias, { slot, target }) => this.join(alias, slot, target.identity),
      this.#base,
    );
  }

  isUnique({ hops, slot, keys }: ColumnRef): boolean {
    const identity = hops.at(-1)?.target.identity ?? this.#identity;
    return keys === undefined && isUnique(this.#schemata, identity, slot);
  }

  /** Joins a linked table; a dangling link gives nulls. */
  join(alias: string, slot: number, identity: string): string {
    const key = `${alias}.${slot}`;
    const existing = this.#aliases.get(key);
    if (existing !== undefined) return existing;
    const joined = `${this.#base}${this.#aliases.size + 1}`;
    this.#aliases.set(key, joined);
    const table = this.#schemata.tableOf(identity);
    this.#text += ` left join ${table} ${joined} on ${joined}.id = ${alias}.${columnName(slot)}`;
    assert(/^\w+$/.test(joined), "an alias is a plain name");
    return joined;
  }
}
