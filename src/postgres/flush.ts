import { type CompiledSchema, CREATED_AT_SLOT, VERSION_SLOT } from "../schema/columns.js";
import { formatArray } from "../sql/arrays.js";
import { type Statement, StatementWriter, statementOf } from "../sql/statement.js";
import type { SqlText, SqlValueType } from "../sql/values.js";
import { ordinalsOf, type TableVersion } from "../storage/table.js";
import { castOf, encodeRow, encodeRows, type StoredColumn, storedColumns } from "./rows.js";
import type { Write } from "./write.js";

/** Parameters of statements with many rows. */
export type RowForm =
  /** One array per column: the text is the same for any number of rows. */
  | "lists"
  /** One parameter per value, for sharded tables. */
  | "values";

/** Below the protocol's maximum. */
const MAX_PARAMETERS = 60_000;
/**
 * Maximum number of rows per statement, if any number works: the next ones are encoded meanwhile.
 */
const MAX_ROWS = 250;

interface TableChange {
  readonly name: string;
  readonly before: TableVersion;
  readonly after: TableVersion;
}

/**
 * Writes changed rows if their version is the one that was read: rows may be unlocked, and a
 * cluster that moves a table loses locks.
 */
export function* flushRows({ name, before, after }: TableChange, form: RowForm): Generator<Write> {
  const columns = storedColumns(after.schema);
  const were = encodeRows(before);
  const gone = [...were].flatMap(([id, was]) =>
    after.find(id) < 0 ? [[was[0]!, ...markOf(was)]] : [],
  );
  const added: number[] = [];
  const changed = new Map<string, { positions: readonly number[]; rows: ChangedRow[] }>();
  for (const ordinal of ordinalsOf(after.chunks)) {
    const was = were.get(after.idAt(ordinal));
    if (was === undefined) added.push(ordinal);
    else {
      const row = encodeRow(after, columns, ordinal);
      const positions = columns.flatMap((_, position) =>
        row[position] === was[position] ? [] : [position],
      );
      if (positions.length === 0) continue;
      const key = positions.join();
      const group = changed.get(key) ?? { positions, rows: [] };
      changed.set(key, group);
      group.rows.push({ row, mark: markOf(was) });
    }
  }
  for (const rows of inBatches(gone, 3, form)) {
    // A row begins with its id.
    yield writeKnown(name, form, [columns[0]!, ...MARK], rows, (source) =>
      source === undefined ? `delete from ${name}` : `delete from ${name} t using ${source.text}`,
    );
  }
  const names = columns.map((column) => column.name);
  const groups = [...changed.values()];
  const uniques = new Set(uniquePositions(columns, after.schema));
  const moved = groups.filter(({ positions }) =>
    positions.some((position) => uniques.has(position)),
  );
  const movedIds = moved.flatMap(({ rows }) => rows.map(({ row: [id] }) => id ?? ""));
  // Rows that swap unique values release them first.
  if (movedIds.length > 1) {
    const uniqueNames = Array.from(uniques, (i) => names[i]!); // indexes of columns
    yield { table: name, statement: clearColumns(name, uniqueNames, movedIds) };
  }
  for (const { positions: differing, rows } of groups) {
    const isMoved = movedIds.length > 1 && differing.some((position) => uniques.has(position));
    const positions = isMoved ? [...new Set([...differing, ...uniques])] : differing;
    const taken = [0, ...positions]; // the id first
    const updated = [...taken.map((position) => columns[position]!), ...MARK]; // indexes of columns
    for (const some of inBatches(rows, updated.length, form)) {
      const tuples = some.map(({ row, mark }) => [
        ...taken.map((position) => row[position] ?? null),
        ...mark,
      ]);
      yield writeKnown(name, form, updated, tuples, (source, textOf) => {
        const sets = updated
          .slice(1, -MARK.length)
          .map((column) => `${column.name} = ${textOf(column)}`);
        const update = `update ${name} t set ${sets.join(", ")}`;
        return source === undefined ? update : `${update} from ${source.text}`;
      });
    }
  }
  for (const ordinals of inBatches(added, columns.length, form)) {
    const hasNext = ordinals.at(-1) !== added.at(-1);
    const rows = ordinals.map((ordinal) => encodeRow(after, columns, ordinal));
    const writer = new StatementWriter();
    const source = writeRows(writer, columns, rows, form);
    const into = `insert into ${name} (${names.join(", ")})`;
    const select =
      source.values ?? `select ${columns.map(source.valueOf).join(", ")} from ${source.text}`;
    yield { table: name, statement: writer.finish(`${into} ${select}`), hasNext };
  }
}

interface ChangedRow {
  readonly row: readonly SqlText[];
  readonly mark: readonly SqlText[];
}

/** Identifies the state of a row: a record inserted again may have an equal version. */
const MARK: readonly StoredColumn[] = [
  { name: "was", type: "int", slot: VERSION_SLOT },
  { name: "made", type: "datetime", slot: CREATED_AT_SLOT },
];

function markOf([, version, createdAt]: readonly SqlText[]): readonly SqlText[] {
  return [version ?? null, createdAt ?? null];
}

/** Updates unchanged rows. Columns: the id first, {@link MARK} last. */
function writeKnown(
  table: string,
  form: RowForm,
  columns: readonly StoredColumn[],
  rows: readonly (readonly SqlText[])[],
  write: (source: RowSource | undefined, textOf: RowSource["valueOf"]) => string,
): Write {
  const writer = new StatementWriter();
  let text: string;
  if (rows.length === 1) {
    const bound = columns.map((column, i) => writer.bind(rows[0]![i] ?? null, castOf(column))); // the only one
    const update = write(undefined, (column) => bound[columns.indexOf(column)]!); // of these
    const [was, made] = bound.slice(-MARK.length);
    text = `${update} where id = ${bound[0]} and version = ${was} and created_at = ${made}`;
  } else {
    writer.planEach();
    const source = writeRows(writer, columns, rows, form);
    text = `${write(source, source.valueOf)} where t.id = r.id and t.version = r.was and t.created_at = r.made`;
  }
  text += " returning 1";
  // To count a single row on the server would take a fifth of the statement's time.
  if (form === "values" || rows.length === 1) {
    return { table, statement: writer.finish(text), rows: rows.length };
  }
  const count = writer.bind(String(rows.length), "bigint");
  return {
    table,
    statement: writer.finish(`with w as (${text}) select 1 / (count(*) = ${count})::int from w`),
  };
}

interface RowSource {
  readonly text: string;
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
      const parameters = row.map((text, i) => writer.bind(text, castOf(columns[i]!))); // one each
      return `(${parameters.join(", ")})`;
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
    // Multidimensional arrays need equal lengths.
    valueOf: (column) => `r.${column.name}${isList(column) ? `::${castOf(column)}` : ""}`,
  };
}

/** Types that need no quotes in arrays. */
const UNQUOTED: ReadonlySet<SqlValueType> = new Set(["bool", "int", "float", "datetime"]);

function isList(column: StoredColumn): boolean {
  return castOf(column).endsWith("[]");
}

function uniquePositions(columns: readonly StoredColumn[], { leaves }: CompiledSchema): number[] {
  const slots = new Set(leaves.filter(({ unique }) => unique).map(({ slot }) => slot));
  return columns.flatMap(({ slot }, position) => (slots.has(slot) ? [position] : []));
}

/** @param ids encoded */
function clearColumns(name: string, columns: readonly string[], ids: readonly string[]): Statement {
  const sets = columns.map((column) => `${column} = null`).join(", ");
  return statementOf(
    (bind) => `update ${name} set ${sets} where id = any(${bind(formatArray(ids), "text[]")})`,
  );
}

function* inBatches<T>(rows: readonly T[], width: number, form: RowForm): Generator<readonly T[]> {
  const size = form === "lists" ? MAX_ROWS : Math.max(1, Math.floor(MAX_PARAMETERS / width));
  for (let from = 0; from < rows.length; from += size) yield rows.slice(from, from + size);
}
