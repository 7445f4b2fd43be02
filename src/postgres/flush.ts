import type { Schema } from "../schema/columns.js";
import { formatArray } from "../sql/arrays.js";
import { type Statement, StatementWriter } from "../sql/statement.js";
import { writeText } from "../sql/text.js";
import type { SqlText, ValueType } from "../sql/values.js";
import type { TableVersion } from "../storage/table.js";
import { castOf, encodeRows, type StoredColumn, storedColumns } from "./rows.js";

/** How the values of rows go along with a statement. */
export type RowForm =
  /** One parameter for each column, which is a list: the text is the same for any number of rows. */
  | "lists"
  /** One parameter for each value: a cluster that spreads tables says of those alone which is taken. */
  | "values";

/** A statement takes fewer parameters than this. */
const MAX_PARAMETERS = 60_000;
/** Rows of a statement where their number does not count for that: the next are written meanwhile. */
const MAX_ROWS = 250;

/** The rows of one table, and those it is to have. */
export interface RowChange {
  /** The table in the database. */
  readonly name: string;
  readonly before: TableVersion;
  readonly after: TableVersion;
}

/** The statements that bring the rows of a table from what they were to what they are. */
export function* flushRows(
  { name, before, after }: RowChange,
  form: RowForm,
): Generator<Statement> {
  const columns = storedColumns(after.schema);
  const were = encodeRows(before);
  const are = encodeRows(after);
  const gone = [...were.keys()].filter((id) => !are.has(id));
  const added: (readonly SqlText[])[] = [];
  const changed = new Map<string, { places: readonly number[]; rows: (readonly SqlText[])[] }>();
  for (const [id, row] of are) {
    const was = were.get(id);
    if (was === undefined) added.push(row);
    else {
      const places = columns.flatMap((_, place) => (row[place] === was[place] ? [] : [place]));
      if (places.length === 0) continue;
      const key = places.join();
      const group = changed.get(key) ?? { places, rows: [] };
      changed.set(key, group);
      group.rows.push(row);
    }
  }
  if (gone.length > 0) yield deleteRows(name, gone);
  const names = columns.map((column) => column.name);
  const groups = [...changed.values()];
  const uniques = new Set(uniquePlaces(columns, after.schema));
  const moved = groups.filter(({ places }) => places.some((place) => uniques.has(place)));
  const movedIds = moved.flatMap(({ rows }) => rows.map(([id]) => id ?? ""));
  // Rows that take each other's unique values give them up before one of them has two.
  if (movedIds.length > 1) {
    const given = Array.from(uniques, (i) => names[i]!); // places of columns
    yield clearColumns(name, given, movedIds);
  }
  for (const { places: differing, rows } of groups) {
    const isMoved = movedIds.length > 1 && differing.some((place) => uniques.has(place));
    const places = isMoved ? [...new Set([...differing, ...uniques])] : differing;
    const taken = [0, ...places]; // the id first
    const own = taken.map((place) => columns[place]!); // places of columns
    for (const some of inBatches(rows, own.length, form)) {
      const writer = new StatementWriter();
      const given = some.map((row) => taken.map((place) => row[place] ?? null));
      const source = writeRows(writer, own, given, form);
      if (some.length > 1) writer.planEach();
      const sets = own.slice(1).map((column) => `${column.name} = ${source.valueOf(column)}`);
      yield writer.finish(
        `update ${name} t set ${sets.join(", ")} from ${source.text} where t.id = r.id`,
      );
    }
  }
  for (const rows of inBatches(added, columns.length, form)) {
    const writer = new StatementWriter();
    const source = writeRows(writer, columns, rows, form);
    const rest =
      source.values ?? `select ${columns.map(source.valueOf).join(", ")} from ${source.text}`;
    yield writer.finish(`insert into ${name} (${names.join(", ")}) ${rest}`);
  }
}

/** Rows as a statement takes them, by the name `r`. */
interface RowSource {
  /** What follows `from`. */
  readonly text: string;
  /** The rows alone, where each value goes by itself. */
  readonly values?: string;
  readonly valueOf: (column: StoredColumn) => string;
}

function writeRows(
  writer: StatementWriter,
  columns: readonly StoredColumn[],
  rows: readonly (readonly SqlText[])[],
  form: RowForm,
): RowSource {
  const names = columns.map(({ name }) => name).join(", ");
  if (form === "values" || rows.length === 1) {
    const tuples = rows.map((row) => {
      const written = row.map((text, i) => writer.bind(text, castOf(columns[i]!))); // one each
      return `(${written.join(", ")})`;
    });
    const values = `values ${tuples.join(", ")}`;
    return { text: `(${values}) r(${names})`, values, valueOf: ({ name }) => `r.${name}` };
  }
  const lists = columns.map((column, i) => {
    const list = formatArray(
      rows.map((row) => row[i] ?? null),
      UNQUOTED.has(column.type),
    );
    return writer.bind(list, isList(column) ? "text[]" : `${castOf(column)}[]`);
  });
  return {
    text: `unnest(${lists.join(", ")}) r(${names})`,
    // A list of lists has lists of one length alone.
    valueOf: (column) => `r.${column.name}${isList(column) ? `::${castOf(column)}` : ""}`,
  };
}

/** The types whose values no array has to quote. */
const UNQUOTED: ReadonlySet<ValueType> = new Set(["bool", "int", "float", "datetime"]);

function isList(column: StoredColumn): boolean {
  return castOf(column).endsWith("[]");
}

function uniquePlaces(columns: readonly StoredColumn[], { leaves }: Schema): number[] {
  const slots = new Set(leaves.filter(({ unique }) => unique).map(({ slot }) => slot));
  return columns.flatMap(({ slot }, place) => (slots.has(slot) ? [place] : []));
}

function deleteRows(name: string, ids: readonly string[]): Statement {
  const writer = new StatementWriter();
  const given = writer.bind(formatArray(ids.map(writeText)), "text[]");
  writer.planEach();
  return writer.finish(`delete from ${name} where id = any(${given})`);
}

/** @param ids as they are stored */
function clearColumns(name: string, columns: readonly string[], ids: readonly string[]): Statement {
  const writer = new StatementWriter();
  const given = writer.bind(formatArray(ids), "text[]");
  const sets = columns.map((column) => `${column} = null`).join(", ");
  return writer.finish(`update ${name} set ${sets} where id = any(${given})`);
}

function* inBatches<T>(rows: readonly T[], width: number, form: RowForm): Generator<readonly T[]> {
  const size = form === "lists" ? MAX_ROWS : Math.max(1, Math.floor(MAX_PARAMETERS / width));
  for (let from = 0; from < rows.length; from += size) yield rows.slice(from, from + size);
}
