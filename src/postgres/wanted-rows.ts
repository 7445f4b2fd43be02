import type { CompiledSchema, LeafColumn, StoredValue } from "../schema/columns.js";
import { formatArray } from "../sql/arrays.js";
import { BASE } from "../sql/select.js";
import { columnName, type Statement, StatementWriter, statementOf } from "../sql/statement.js";
import { writeText } from "../sql/text.js";
import { amongUnique, equalsUnique, hasUniqueIndex } from "../sql/unique.js";
import { castType, encodeValue } from "../sql/values.js";
import { uniqueKey } from "../storage/unique.js";
import type { HeldTable } from "./held-table.js";
import { selectStored } from "./rows.js";

interface Source {
  readonly schema: CompiledSchema;
  readonly relation: string;
  readonly locks: boolean;
}

type Value = Exclude<StoredValue, null>;

export function* readWanted(
  { wantedIds, wantedUniques, wantedLinks, wantedMatches }: HeldTable,
  { schema, relation, locks }: Source,
): Generator<Statement> {
  // By id, against deadlocks. Foreign keys of others wait only for deletions.
  const locked = locks ? " order by id for no key update" : "";
  const select = (condition: string): string =>
    `${selectStored(schema, relation)} where ${condition}${locked}`;
  const ofIds = (column: string, wanted: ReadonlySet<string>): Statement => {
    const writer = new StatementWriter();
    const [first = "", ...others] = Array.from(wanted, writeText);
    if (others.length === 0) {
      return writer.finish(select(`${column} = ${writer.bind(first)}`));
    }
    writer.planEach();
    const ids = writer.bind(formatArray([first, ...others]), "text[]");
    return writer.finish(select(`${column} = any(${ids})`));
  };
  if (wantedIds.size > 0) yield ofIds("id", wantedIds);
  for (const [slot, ids] of wantedLinks) yield ofIds(columnName(slot), ids);
  for (const { text, ...statement } of wantedMatches.values()) {
    yield { ...statement, text: locks ? `${text} for no key update of ${BASE}` : text };
  }
  const uniques = new Map<LeafColumn, Value[]>();
  for (const { column, value } of wantedUniques.values()) {
    const values = uniques.get(column) ?? [];
    uniques.set(column, values);
    values.push(value);
  }
  for (const [column, values] of uniques) {
    // No index refuses it: lock the value.
    if (!hasUniqueIndex(column.type)) yield lockValues(relation, column, values);
    const writer = new StatementWriter();
    if (values.length > 1) writer.planEach();
    yield writer.finish(select(isAmong(writer, column, values)));
  }
}

function lockValues(relation: string, { slot }: LeafColumn, values: readonly Value[]): Statement {
  const keys = values.map((value) => writeText(`${relation} ${slot} ${uniqueKey(value)}`)).sort();
  return statementOf(
    (bind) =>
      `select null from unnest(${bind(formatArray(keys), "text[]")}) k(value) where pg_advisory_xact_lock(hashtextextended(k.value, 0)) is null`,
  );
}

function isAmong(writer: StatementWriter, column: LeafColumn, values: readonly Value[]): string {
  const { slot, type } = column;
  const name = columnName(slot);
  const texts = values.map((value) => encodeValue(type, value));
  if (!hasUniqueIndex(type)) {
    const isJson = type === "json";
    const same = texts.map((text) => {
      const literal = writer.bind(text, isJson ? "jsonb" : castType(type));
      return `${name}${isJson ? "::jsonb" : ""} = ${literal}`;
    });
    return `(${same.join(" or ")})`;
  }
  const [first, ...others] = texts;
  if (others.length === 0) {
    return equalsUnique(type, name, writer.bind(first ?? null, castType(type)));
  }
  return amongUnique(type, name, writer.bind(formatArray(texts), `${castType(type)}[]`));
}
