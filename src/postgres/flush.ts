import type { Schema } from "../schema/columns.js";
import { formatArray } from "../sql/arrays.js";
import { type Statement, StatementWriter } from "../sql/statement.js";
import { writeText } from "../sql/text.js";
import type { SqlText } from "../sql/values.js";
import type { TableVersion } from "../storage/table.js";
import { castOf, encodeRows, type StoredColumn, storedColumns } from "./rows.js";

/** A statement takes fewer parameters than this. */
const MAX_PARAMETERS = 60_000;

/**
 * The statements that bring the rows of a table from what they were to what they are. Inserts go by
 * `values`: a cluster that spreads tables says of those alone which value is taken.
 *
 * @param name the table in the database
 */
export function flushRows(name: string, before: TableVersion, after: TableVersion): Statement[] {
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
  const statements: Statement[] = [];
  if (gone.length > 0) statements.push(deleteRows(name, gone));
  const names = columns.map((column) => column.name);
  const groups = [...changed.values()];
  const uniques = new Set(uniquePlaces(columns, after.schema));
  const moved = groups.filter(({ places }) => places.some((place) => uniques.has(place)));
  const movedIds = moved.flatMap(({ rows }) => rows.map(([id]) => id ?? ""));
  // Rows that take each other's unique values give them up before one of them has two.
  if (movedIds.length > 1)
    statements.push(
      clearColumns(
        name,
        [...uniques].map((i) => names[i]!),
        movedIds,
      ),
    );
  for (const { places: differing, rows } of groups) {
    const isMoved = movedIds.length > 1 && differing.some((place) => uniques.has(place));
    const places = isMoved ? [...new Set([...differing, ...uniques])] : differing;
    const sets = places.map((place) => `${names[place]} = r.${names[place]}`).join(", ");
    const taken = [0, ...places]; // the id first
    for (const some of inBatches(rows, taken.length)) {
      const writer = new StatementWriter();
      const values = some.map((row) =>
        tuple(taken.map((place) => writer.bind(row[place] ?? null, castOf(columns[place]!)))),
      );
      const given = taken.map((place) => names[place]).join(", ");
      statements.push(
        writer.finish(
          `update ${name} t set ${sets} from (values ${values.join(", ")}) r(${given}) where t.id = r.id`,
        ),
      );
    }
  }
  for (const rows of inBatches(added, columns.length)) {
    const writer = new StatementWriter();
    const values = rows.map((row) =>
      tuple(row.map((text, i) => writer.bind(text, castOf(columns[i]!)))),
    );
    statements.push(
      writer.finish(`insert into ${name} (${names.join(", ")}) values ${values.join(", ")}`),
    );
  }
  return statements;
}

function uniquePlaces(columns: readonly StoredColumn[], { leaves }: Schema): number[] {
  const slots = new Set(leaves.filter(({ unique }) => unique).map(({ slot }) => slot));
  return columns.flatMap(({ slot }, place) => (slots.has(slot) ? [place] : []));
}

function deleteRows(name: string, ids: readonly string[]): Statement {
  const writer = new StatementWriter();
  const given = writer.bind(formatArray(ids.map(writeText)), "text[]");
  return writer.finish(`delete from ${name} where id = any(${given})`);
}

/** @param ids as they are stored */
function clearColumns(name: string, columns: readonly string[], ids: readonly string[]): Statement {
  const writer = new StatementWriter();
  const given = writer.bind(formatArray(ids), "text[]");
  const sets = columns.map((column) => `${column} = null`).join(", ");
  return writer.finish(`update ${name} set ${sets} where id = any(${given})`);
}

function tuple(expressions: readonly string[]): string {
  return `(${expressions.join(", ")})`;
}

function* inBatches<T>(rows: readonly T[], width: number): Generator<readonly T[]> {
  const size = Math.max(1, Math.floor(MAX_PARAMETERS / width));
  for (let from = 0; from < rows.length; from += size) yield rows.slice(from, from + size);
}
