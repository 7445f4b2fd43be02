import type { Profile } from "../profile.js";
import type { Predicate } from "../query/bound/condition.js";
import type { Keys } from "../query/bound/point.js";
import type { RowQuery } from "../query/bound/query.js";
import type { ReverseChoice, Selection } from "../query/bound/selection.js";
import type { ShowFiles } from "../schema/files.js";
import type { AnyRecord } from "../types.js";
import { formatArray } from "./arrays.js";
import { conjuncts } from "./demand.js";
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
    compileSelection({ from, list, ...compiling }, selection, { identity, alias: BASE });
  const places = keys.map(({ expression }) => list.add(expression));
  const segments = writeSegments(writer, keys, range, backward);
  const columns = nameColumns(list.expressions);
  const most = roomFor(offset + limit);
  const rowsOf = (segment: Segment): string => {
    const sorted = segment.order === "" ? "" : ` order by ${segment.order}`;
    return `select ${columns} from ${from.text} where ${condition} and ${segment.condition}${sorted} limit ${most}`;
  };
  const single = writeSingleLink(writing, wanted, compiling);
  const cases = segments.flatMap((segment) => single?.splitSegment(segment) ?? [segment]);
  // A plan for any values knows by the number in the text that few rows are wanted. One part after
  // the other: a `union all` of parts that are limited gives them in their order.
  const parts = cases.length === 0 ? [rowsOf(NOTHING)] : cases.map(rowsOf);
  const all = parts.map((part) => `(${part})`).join(" union all ");
  const page = `limit ${writer.bind(String(limit), "bigint")} offset ${writer.bind(String(offset), "bigint")}`;
  return {
    statement: writer.finish(`${single?.text ?? ""}select * from (${all}) u ${page}`),
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

/** The records that a filter wants a link to lead to, told apart by whether there are several. */
interface SingleLink {
  /** What comes before the statement. */
  readonly text: string;
  /** The rows of a segment, where one record is linked to, and where there are more. */
  readonly splitSegment: (segment: Segment) => readonly Segment[];
}

/**
 * Rows that link to one record are found in their order by an index of the link and that order; of
 * a join the database does not know that it leads to one. Undefined where a query asks for no such.
 */
function writeSingleLink(
  { writer, dialect }: Writing,
  { predicate, order }: RowsWanted,
  compiling: Compiling,
): SingleLink | undefined {
  if (order.seed !== undefined || order.keys.some(({ column }) => column.hops.length > 0)) return;
  for (const leaf of conjuncts(predicate)) {
    const [hop, ...others] = leaf.column.hops;
    if (hop === undefined || others.length > 0 || leaf.test.kind !== "equals") continue;
    const from = new FromClause(compiling, hop.target.identity, LINKED);
    const own = { ...leaf, column: { ...leaf.column, hops: [] } };
    const condition = writePredicate({ writer, dialect, from }, own);
    const isSingle = "(select count(*) from single) < 2";
    const link = `${BASE}.${columnName(hop.slot)} = (select min(id) from single)`;
    return {
      text: `with single as (select ${LINKED}.id from ${from.text} where ${condition} limit 2) `,
      splitSegment: ({ condition: other, order: sorted }) => [
        { condition: `${isSingle} and ${link} and ${other}`, order: sorted },
        { condition: `not ${isSingle} and ${other}`, order: sorted },
      ],
    };
  }
  return undefined;
}

/** The alias of the table that a link leads to, where that is read by itself. */
const LINKED = "l";

/** So many rows and some more: a number of which there are few, so that it may be in a text. */
function roomFor(count: number): number {
  let room = 32;
  while (room < count) room *= 4;
  return room;
}

const NOTHING: Segment = { condition: "false", order: "" };

/** Compiles the record of an id. */
export function compileRecord(
  compiling: Compiling,
  identity: string,
  selection: Selection,
  id: string,
): Compiled<AnyRecord> {
  const { writer, from } = openSelect(compiling, identity);
  const list = new SelectList();
  const build = compileSelection({ from, list, ...compiling }, selection, {
    identity,
    alias: BASE,
  });
  const given = writer.bind(writeText(id), "text");
  const columns = nameColumns(list.expressions);
  return {
    statement: writer.finish(`select ${columns} from ${from.text} where ${BASE}.id = ${given}`),
    width: list.expressions.length,
    read: build,
  };
}

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

/** Compiles how many rows match, and how many of those match each of some further predicates. */
export function compileCounts(
  compiling: Compiling,
  identity: string,
  predicate: Predicate,
  counted: readonly Predicate[],
): Statement {
  const writing = openSelect(compiling, identity);
  const condition = writePredicate(writing, predicate);
  const counts = counted.map(
    (one) => `count(*) filter (where ${writePredicate(writing, one)}) as n`,
  );
  return writing.writer.finish(
    `select ${["count(*) as n", ...counts].join(", ")} from ${writing.from.text} where ${condition}`,
  );
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
  const build = compileSelection({ from, list, ...compiling }, selection, {
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
