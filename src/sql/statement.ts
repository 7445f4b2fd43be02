import { assert } from "../errors.js";
import type { ColumnRef, Hop } from "../query/bound/column-ref.js";
import {
  CREATED_AT_SLOT,
  ID_SLOT,
  type Schema,
  UPDATED_AT_SLOT,
  VERSION_SLOT,
} from "../schema/columns.js";
import type { SqlText } from "./values.js";

/** One statement: nothing of a request is in its text, all of it is in the values. */
export interface Statement {
  readonly text: string;
  /** The values of `$1`, `$2` …, all of them text. */
  readonly values: readonly SqlText[];
  /** Whether the best plan depends on the values, so that it is planned each time it is sent. */
  readonly isPlannedEach?: boolean;
}

/** What statements are written for. */
export interface Dialect {
  /** Lower case code point by code point, of a text expression (rule F-10). */
  readonly foldCase: (text: string) => string;
}

/** Where the rows are: the names of tables in the database, by identity. */
export interface Schemata {
  readonly dialect: Dialect;
  readonly tableOf: (identity: string) => string;
  /** The schema of a table that is read, by identity. */
  readonly schemaOf: (identity: string) => Schema;
}

/** Whether the values of a column are unique. */
export function isUnique(
  { schemaOf }: Pick<Schemata, "schemaOf">,
  identity: string,
  slot: number,
): boolean {
  return schemaOf(identity).constraints.uniques.some((column) => column.slot === slot);
}

/** The name of the column that holds a slot. */
export function columnName(slot: number): string {
  return SYSTEM_COLUMNS[slot] ?? `c${slot}`;
}

const SYSTEM_COLUMNS: Readonly<Record<number, string>> = {
  [ID_SLOT]: "id",
  [VERSION_SLOT]: "version",
  [CREATED_AT_SLOT]: "created_at",
  [UPDATED_AT_SLOT]: "updated_at",
};

/** Collects the values of a statement while its text is written. */
export class StatementWriter {
  readonly #values: SqlText[] = [];
  #isPlannedEach = false;

  /** The text in place of a value: a parameter of type text, made what is wanted. */
  bind(value: SqlText, type: string): string {
    this.#values.push(value);
    const parameter = `$${this.#values.length}::text`;
    return type === "text" ? parameter : `${parameter}::${type}`;
  }

  /** Notes that a plan for any values could be a bad one for these. */
  planEach(): void {
    this.#isPlannedEach = true;
  }

  finish(text: string): Statement {
    return { text, values: this.#values, isPlannedEach: this.#isPlannedEach };
  }
}

/** The tables that one `select` reads: its own, and those its paths lead to over links. */
export class FromClause {
  readonly #schemata: Schemata;
  readonly #identity: string;
  readonly #base: string;
  readonly #aliases: Map<string, string> = new Map();
  #text: string;

  /** @param base the alias of the table */
  constructor(schemata: Schemata, identity: string, base: string) {
    this.#schemata = schemata;
    this.#identity = identity;
    this.#base = base;
    this.#text = `${schemata.tableOf(identity)} ${base}`;
  }

  get text(): string {
    return this.#text;
  }

  /** The alias of the table that links lead to, one after the other. */
  aliasOf(hops: readonly Hop[]): string {
    return hops.reduce(
      (alias, { slot, target }) => this.join(alias, slot, target.identity),
      this.#base,
    );
  }

  /** Whether the values of a column are unique, which links lead to. */
  isUnique({ hops, slot, keys }: ColumnRef): boolean {
    const identity = hops.at(-1)?.target.identity ?? this.#identity;
    return keys === undefined && isUnique(this.#schemata, identity, slot);
  }

  /** The alias of the table that a link of another leads to; a dangling link has nulls there. */
  join(alias: string, slot: number, identity: string): string {
    const key = `${alias}.${slot}`;
    const known = this.#aliases.get(key);
    if (known !== undefined) return known;
    const joined = `${this.#base}${this.#aliases.size + 1}`;
    this.#aliases.set(key, joined);
    const table = this.#schemata.tableOf(identity);
    this.#text += ` left join ${table} ${joined} on ${joined}.id = ${alias}.${columnName(slot)}`;
    assert(/^\w+$/.test(joined), "an alias is a plain name");
    return joined;
  }
}
