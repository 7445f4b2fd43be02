import type { Profile } from "../profile.js";
import type {
  Keys,
  PageQuery,
  Predicate,
  ReverseChoice,
  Selection,
} from "../query/bound/bound-query.js";
import type { ShowFiles } from "../schema/stored-files.js";
import type { AnyRecord } from "../types.js";
import { formatArray } from "./arrays.js";
import { conjuncts } from "./demand.js";
import { readKeys, writeKeys } from "./order.js";
import { type SqlScope, writePredicate } from "./predicate.js";
import { compileSelection, type Row, SelectList, type UnfilledRecord } from "./project.js";
import { type OrderSegment, writeOrder, writeSegments } from "./segments.js";
import {
  columnName,
  FromClause,
  type Schemata,
  type Statement,
  StatementWriter,
} from "./statement.js";
import { writeText } from "./text.js";

export interface CompileContext extends Schemata {
  readonly profile: Profile;
  readonly showFiles?: ShowFiles | undefined;
}

export interface RowsQuery extends PageQuery {
  readonly identity: string;
}

export interface FoundRow {
  readonly record: AnyRecord;
  readonly keys: Keys;
}

export interface CompiledSelect<T> {
  readonly statement: Statement;
  readonly read: (row: Row, unfilled: UnfilledRecord[]) => T;
}

/** The columns of a record, for `returning`. */
export interface CompiledRecord {
  readonly returning: string;
  readonly read: CompiledSelect<AnyRecord>["read"];
}

/** The alias of the table in a statement. */
export const BASE = "t";

export function compileRows(context: CompileContext, query: RowsQuery): CompiledSelect<FoundRow> {
  const { identity, predicate, order, range, backward, selection, limit, offset } = query;
  const { select, list, build } = openRecords(context, identity, selection);
  const { writer, from } = select;
  const condition = writePredicate(select, predicate);
  const keys = writeKeys(select, order);
  const indexes = keys.map(({ expression }) => list.add(expression));
  const segments = writeSegments(writer, keys, range, backward);
  const columns = nameColumns(list.expressions);
  const most = roundedLimit(limit);
  const rowsOf = (segment: OrderSegment): string => {
    const sorted = segment.order === "" ? "" : ` order by ${segment.order}`;
    return `select ${columns} from ${from.text} where ${condition} and ${segment.condition}${sorted} limit ${most}`;
  };
  const single = writeSingleLink(select, query, context);
  const cases = segments.flatMap((segment) => single?.splitSegment(segment) ?? [segment]);
  // The limit is a literal, so generic plans know that few rows are needed. A `union all` of
  // limited segments keeps their order.
  const parts = cases.length === 0 ? [rowsOf(NOTHING)] : cases.map(rowsOf);
  const all = parts.map((part) => `(${part})`).join(" union all ");
  const page = writePage(writer, limit - offset, offset);
  return {
    statement: writer.finish(`${single?.text ?? ""}select * from (${all}) u ${page}`),
    read: (row, unfilled) => ({
      record: build(row, unfilled),
      keys: readKeys(
        keys,
        indexes.map((index) => row[index] ?? null),
      ),
    }),
  };
}

/** Linked records that a filter allows, by whether there is more than one. */
interface SingleLink {
  readonly text: string;
  readonly splitSegment: (segment: OrderSegment) => readonly OrderSegment[];
}

/**
 * An index of link and sort keys has the rows of one linked record in order, which a join hides.
 */
function writeSingleLink(
  { writer, dialect }: SqlScope,
  { predicate, order }: RowsQuery,
  context: CompileContext,
): SingleLink | undefined {
  if (order.seed !== undefined || order.keys.some(({ column }) => column.hops.length > 0)) return;
  for (const leaf of conjuncts(predicate)) {
    const [hop, ...others] = leaf.column.hops;
    if (hop === undefined || others.length > 0 || leaf.test.kind !== "equals") continue;
    const from = new FromClause(context, hop.target.identity, LINKED);
    const inner = { ...leaf, column: { ...leaf.column, hops: [] } };
    const condition = writePredicate({ writer, dialect, from }, inner);
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

const LINKED = "l";

/** Rounds a limit up to one of a few values: it is part of the statement's text. */
function roundedLimit(count: number): number {
  let room = 32;
  while (room < count) room *= 4;
  return room;
}

const NOTHING: OrderSegment = { condition: "false", order: "" };

/** Returns undefined if some columns are of linked records. */
export function compileRecord(
  context: CompileContext,
  identity: string,
  selection: Selection,
): CompiledRecord | undefined {
  const { select, list, build } = openRecords(context, identity, selection);
  if (select.from.isJoined) return undefined;
  return { returning: nameColumns(list.expressions), read: build };
}

/** Compiles matching rows: with a limit, which may be infinite, the first by id. */
export function compileScan(
  context: CompileContext,
  identity: string,
  { predicate, limit }: { readonly predicate: Predicate; readonly limit?: number },
  columns: readonly string[],
): Statement {
  const select = openSelect(context, identity);
  const condition = writePredicate(select, predicate);
  const named = columns.map((column) => `${BASE}.${column}`).join(", ");
  const order = limit === undefined ? "" : ` order by ${BASE}.id`;
  const end = limit === undefined || limit === Infinity ? "" : ` limit ${limit}`;
  return select.writer.finish(
    `select ${named} from ${select.from.text} where ${condition}${order}${end}`,
  );
}

/** Compiles the number of matching rows, and of those that match further predicates. */
export function compileCounts(
  context: CompileContext,
  identity: string,
  predicate: Predicate,
  counted: readonly Predicate[],
): Statement {
  const select = openSelect(context, identity);
  const condition = writePredicate(select, predicate);
  const counts = counted.map(
    (one) => `count(*) filter (where ${writePredicate(select, one)}) as n`,
  );
  return select.writer.finish(
    `select ${["count(*) as n", ...counts].join(", ")} from ${select.from.text} where ${condition}`,
  );
}

export interface LinkedRecord {
  /** Index of the linked record among the given ids. */
  readonly to: number;
  readonly record: AnyRecord;
}

/** Compiles a reverse link for several records at once (P-11). */
export function compileReverse(
  context: CompileContext,
  { table, link, selection, order, limit, offset }: ReverseChoice,
  ids: readonly string[],
): CompiledSelect<LinkedRecord> {
  const { select, list, build } = openRecords(context, table.identity, selection);
  const { writer, from } = select;
  const ordered = writeOrder(writeKeys(select, order), false);
  const idList = writer.bind(formatArray(ids.map(writeText)), "text[]");
  const page = writePage(writer, limit, offset);
  const rows = `select ${nameColumns(list.expressions)}, row_number() over (order by ${ordered}) as index from ${from.text} where ${BASE}.${columnName(link.slot)} = p.id order by index ${page}`;
  const width = list.expressions.length;
  return {
    statement: writer.finish(
      `select r.*, p.index from unnest(${idList}) with ordinality p(id, index) cross join lateral (${rows}) r order by p.index, r.index`,
    ),
    read: (row, unfilled) => ({
      to: Number(row[width + 1]) - 1,
      record: build(row, unfilled),
    }),
  };
}

/** Begins a `select` of records, whose first column is the id. */
function openRecords(context: CompileContext, identity: string, selection: Selection) {
  const select = openSelect(context, identity);
  const list = new SelectList();
  const projection = { from: select.from, list, ...context };
  const build = compileSelection(projection, selection, { identity, alias: BASE });
  return { select, list, build };
}

function openSelect(context: CompileContext, identity: string): SqlScope {
  return {
    writer: new StatementWriter(),
    dialect: context.dialect,
    from: new FromClause(context, identity, BASE),
  };
}

function writePage(writer: StatementWriter, limit: number, offset: number): string {
  const [most, skipped] = [limit, offset].map((count) => writer.bind(String(count), "bigint"));
  return `limit ${most} offset ${skipped}`;
}

function nameColumns(expressions: readonly string[]): string {
  return expressions.map((expression, index) => `${expression} as o${index}`).join(", ");
}
