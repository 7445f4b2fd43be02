import type { Profile } from "../profile.js";
import type { Predicate } from "../query/bound/condition.js";
import type { Keys } from "../query/bound/point.js";
import type { RowQuery } from "../query/bound/query.js";
import type { ReverseChoice, Selection } from "../query/bound/selection.js";
import type { Schema } from "../schema/columns.js";
import type { ShowFiles } from "../schema/files.js";
import type { AnyRecord } from "../types.js";
import { formatArray } from "./arrays.js";
import { readKeys, writeKeys } from "./order.js";
import { type Writing, writePredicate } from "./predicate.js";
import { compileSelection, type Row, SelectList, type Unfilled } from "./project.js";
import { type Segment, writeOrder, writeSegments } from "./segments.js";
import {
  columnName,
  FromClause,
  type Schemata,
  type Statement,
  StatementWriter,
} from "./statement.js";
import { writeText } from "./text.js";

/** What queries are compiled against. */
export interface Compiling extends Schemata {
  readonly profile: Profile;
  /** The schema of a table that is read, by identity. */
  readonly schemaOf: (identity: string) => Schema;
  readonly showFiles?: ShowFiles | undefined;
}

/** Which rows are wanted of a table, and what of each. */
export interface RowsWanted extends RowQuery {
  readonly identity: string;
  /** Absent, the keys are all that is wanted. */
  readonly selection: Selection | undefined;
  /** Rows to leave out, in the direction of travel. */
  readonly offset: number;
}

/** A row that was found. */
export interface Found {
  readonly record: AnyRecord | undefined;
  /** Where it lies in the order. */
  readonly keys: Keys;
}

/** A statement with what its rows mean. */
export interface Compiled<T> {
  readonly statement: Statement;
  /** How many values each row has. */
  readonly width: number;
  readonly read: (row: Row, unfilled: Unfilled[]) => T;
}

/** The alias of the table whose rows are wanted. */
const BASE = "t";

/** Compiles a query of rows. */
export function compileRows(compiling: Compiling, wanted: RowsWanted): Compiled<Found> {
  const { identity, predicate, order, range, backward, selection, limit, offset } = wanted;
  const writing = openSelect(compiling, identity);
  const { writer, from } = writing;
  const list = new SelectList();
  list.add(`${BASE}.id`); // first, so that who joins rows to nothing tells that there was one
  const condition = writePredicate(writing, predicate);
  const keys = writeKeys(writing, order);
  const build =
    selection &&
    compileSelection({ ...compiling, from, list }, selection, { identity, alias: BASE });
  const places = keys.map(({ expression }) => list.add(expression));
  const segments = writeSegments(writer, keys, range, backward);
  const columns = nameColumns(list.expressions);
  const most = writer.bind(String(offset + limit), "bigint");
  const rowsOf = (segment: Segment): string => {
    const sorted = segment.order === "" ? "" : ` order by ${segment.order}`;
    return `select ${columns} from ${from.text} where ${condition} and ${segment.condition}${sorted} limit ${most}`;
  };
  // One after the other: a `union all` of parts that are limited gives them in their order.
  const parts = segments.length === 0 ? [rowsOf(NOTHING)] : segments.map(rowsOf);
  const all = parts.map((part) => `(${part})`).join(" union all ");
  const page = `limit ${writer.bind(String(limit), "bigint")} offset ${writer.bind(String(offset), "bigint")}`;
  return {
    statement: writer.finish(`select * from (${all}) u ${page}`),
    width: list.expressions.length,
    read: (row, unfilled) => ({
      record: build?.(row, unfilled),
      keys: readKeys(
        keys,
        places.map((place) => row[place] ?? null),
      ),
    }),
  };
}

const NOTHING: Segment = { condition: "false", order: "" };

/** Compiles columns of all rows that match, in no order. */
export function compileScan(
  compiling: Compiling,
  identity: string,
  predicate: Predicate,
  columns: readonly string[],
): Statement {
  const writing = openSelect(compiling, identity);
  const condition = writePredicate(writing, predicate);
  const named = columns.map((column) => `${BASE}.${column}`).join(", ");
  return writing.writer.finish(`select ${named} from ${writing.from.text} where ${condition}`);
}

/** A record of a reverse link. */
export interface Linked {
  /** The place, among the ids given, of the record that it links to. */
  readonly to: number;
  readonly record: AnyRecord;
}

/** Compiles the records of a reverse link for several records at once (rule P-11). */
export function compileReverse(
  compiling: Compiling,
  { table, link, selection, order, limit, offset }: ReverseChoice,
  ids: readonly string[],
): Compiled<Linked> {
  const { identity } = table;
  const writing = openSelect(compiling, identity);
  const { writer, from } = writing;
  const list = new SelectList();
  const build = compileSelection({ ...compiling, from, list }, selection, {
    identity,
    alias: BASE,
  });
  const ordered = writeOrder(writeKeys(writing, order), false);
  const given = writer.bind(formatArray(ids.map(writeText)), "text[]");
  const page = `limit ${writer.bind(String(limit), "bigint")} offset ${writer.bind(String(offset), "bigint")}`;
  const rows = `select ${nameColumns(list.expressions)}, row_number() over (order by ${ordered}) as place from ${from.text} where ${BASE}.${columnName(link.slot)} = p.id order by place ${page}`;
  const width = list.expressions.length;
  return {
    statement: writer.finish(
      `select r.*, p.place from unnest(${given}) with ordinality p(id, place) cross join lateral (${rows}) r order by p.place, r.place`,
    ),
    width: width + 2,
    read: (row, unfilled) => ({
      to: Number(row[width + 1]) - 1,
      record: build(row, unfilled),
    }),
  };
}

function openSelect(compiling: Compiling, identity: string): Writing {
  return {
    writer: new StatementWriter(),
    dialect: compiling.dialect,
    from: new FromClause(compiling, identity, BASE),
  };
}

function nameColumns(expressions: readonly string[]): string {
  return expressions.map((expression, index) => `${expression} as o${index}`).join(", ");
}
