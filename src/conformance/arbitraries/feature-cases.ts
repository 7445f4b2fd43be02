import fc from "fast-check";
import { OPERATORS } from "../../schema/operators.js";
import { COLUMN_TYPES, TRAITS } from "../../schema/traits.js";
import type { ColumnDefinition, Json, QueryRequest } from "../../types.js";
import type { JsonObject, OracleDatabase } from "../oracle/model.js";
import { fillDatabase } from "../oracle/world.js";
import type { Tier } from "../rules.js";
import { choose, derive, happens } from "./choice.js";
import { interactionsOf, type Row } from "./covering.js";
import { CLOCK_START, makeValue, RECORD_IDS } from "./domains.js";
import {
  type Condition,
  columnOf,
  FLAT,
  featureRows,
  LEADING,
  ORDERS,
  plainColumns,
  SELECTIONS,
  TABLES,
  TRIPLES,
  walkedPath,
} from "./features.js";
import { atPath, chooseFilter } from "./filter.js";
import { levelsOf, NEEDS, type Traits } from "./levels.js";
import type { QueriedSchema, WalkedPath } from "./paths.js";
import { type LawCase, orderTotally } from "./people.js";
import { makeCondition } from "./predicate.js";
import { PAGES, type PageKind, type Walk } from "./walk.js";

/** The tables with columns of some types. */
function schemaOf(traits: Traits, types: readonly string[]): QueriedSchema {
  const { profile } = traits;
  const inner = types.filter((type) => !FLAT.includes(type));
  const complete = (type: string, table: string, depth = 0): ColumnDefinition => {
    const column = columnOf(type);
    if (type === "link") return { ...column, link: { table } };
    if (type !== "object") return column;
    if (depth > 0)
      return { ...column, columns: plainColumns(levelsOf(traits, "type", COLUMN_TYPES)) };
    return { ...column, columns: inner.map((each) => complete(each, table, depth + 1)) };
  };
  const tables = Object.values(TABLES).map((name) => ({
    name,
    columns: types.map((type) => complete(type, name)),
  }));
  return { tables, base: profile.base, metadataColumn: profile.metadataColumn };
}

/** The types of the columns that rows need. */
function typesOf(rows: readonly Row[]): string[] {
  const features = rows.flatMap((row) =>
    Object.entries(row).flatMap(([factor, level]) => {
      const feature = `${factor} ${level}`;
      return [feature, NEEDS[feature] ?? ""];
    }),
  );
  return COLUMN_TYPES.filter((type) => features.includes(`type ${type}`));
}

interface FeaturePlan {
  readonly seed: number;
  readonly records: readonly string[];
  readonly rows: readonly Row[];
}

export interface FeatureCase extends LawCase {
  readonly plan: FeaturePlan;
  readonly walks: readonly Walk[];
  /** The covered pairs and triples. */
  readonly features: readonly string[];
}

const RECORDS = RECORD_IDS.slice(0, 6);

/** Generates cases of some features. */
export function featureArbitrary(traits: Traits): fc.Arbitrary<FeatureCase> {
  const plan: fc.Arbitrary<FeaturePlan> = fc.record({
    seed: fc.noShrink(fc.nat()),
    records: fc.uniqueArray(fc.constantFrom(...RECORDS)),
    rows: fc.array(fc.constantFrom(...featureRows(traits)), { minLength: 1, maxLength: 30 }),
  });
  return plan.map(
    (given) => renderCase(traits, given),
    (given) => (given as FeatureCase).plan, // renderCase made it
  );
}

/** Cases with all features together. */
export function featureCases(traits: Traits, count: number): FeatureCase[] {
  const rows = featureRows(traits);
  return Array.from({ length: count }, (_, seed) =>
    renderCase(traits, {
      seed,
      records: RECORDS,
      rows: rows.filter((_, place) => place % count === seed),
    }),
  );
}

function renderCase(traits: Traits, plan: FeaturePlan): FeatureCase {
  const schema = schemaOf(traits, typesOf(plan.rows));
  const used = schema.tables.filter(({ name }) =>
    plan.rows.some(({ nulls = "" }) => TABLES[nulls] === name),
  );
  const tables = used.map((table) => ({
    ...table,
    records: plan.records.map((id) => {
      const seed = derive(plan.seed, `${table.name} ${id}`);
      return { id, ...makeValues(schema, table.columns, { seed, id, table: table.name }) };
    }),
  }));
  const db = fillDatabase(traits.profile, tables, CLOCK_START);
  const walks = plan.rows.map((row) =>
    renderWalk({ schema, db, tier: traits.tier }, row, plan.seed),
  );
  const features = plan.rows.flatMap((row) => interactionsOf(row, TRIPLES));
  return { fixture: { tables }, plan, walks, features };
}

interface RecordKey {
  readonly seed: number;
  readonly id: string;
  readonly table: string;
}

function makeValues(
  schema: QueriedSchema,
  columns: readonly ColumnDefinition[],
  place: RecordKey,
): JsonObject {
  const { id, table } = place;
  const values = columns.flatMap((column): [string, Json][] => {
    const { name, type } = column;
    const seed = derive(place.seed, name);
    // Records with files are inserted one by one.
    if (
      type.startsWith("file")
        ? id !== RECORDS[0]
        : table !== TABLES.none && happens(seed, "null", 0.35)
    ) {
      return [];
    }
    if (type === "link") return [[name, choose(seed, "id", RECORDS)]];
    if (type !== "object") return [[name, makeValue(schema, column, seed)]];
    return [[name, makeValues(schema, column.columns ?? [], { ...place, seed })]];
  });
  return Object.fromEntries(values);
}

interface RenderContext {
  readonly schema: QueriedSchema;
  readonly db: OracleDatabase;
  readonly tier: Tier;
}

function renderWalk({ schema, db, tier }: RenderContext, row: Row, seed: number): Walk {
  const { type = "", path = "", order = "", page = "", columns = "" } = row;
  const own = derive(seed, JSON.stringify(row));
  const table = TABLES[row.nulls ?? ""] ?? "";
  const walked = walkedPath(type, path);
  if (walked === undefined) throw new Error(`no path to ${type}`);
  const name = walked.names.join(".");
  const isSortable =
    walked.kind === "id" || (walked.kind === "column" && TRAITS[walked.column.type].sortable);
  const filter = chooseFilter(db, table, (label) =>
    renderFilter(schema, row, walked, derive(own, label)),
  );
  const sort = ORDERS[order]?.(isSortable ? name : "id");
  // A file's name selects addresses, which only the service that created them knows (H-2).
  const shown =
    walked.kind === "json path" ? "json" : type.startsWith("file") ? `${name}.size` : name;
  const selected = SELECTIONS[columns]?.(shown, table);
  const kinds =
    Object.hasOwn(PAGES, page) && page !== "query" ? [...(LEADING[page] ?? []), page] : [];
  const query = tier === "strict" ? { filter, ...(sort && { sort }) } : orderTotally(filter, sort);
  const size = choose(own, "size", kinds.length === 0 ? [3, 20] : [1, 2, 2]);
  return {
    table,
    query: {
      ...(query as QueryRequest), // valid for the types of its columns
      ...(selected && { columns: selected }),
      page: { size, ...(page === "offset" && { offset: 1 }) },
    },
    steps: kinds.map((kind) => ({
      kind: kind as PageKind,
      of: kind === "range" ? 2 : 0,
      until: 0,
    })),
  };
}

function renderFilter(
  schema: QueriedSchema,
  row: Row,
  walked: WalkedPath,
  seed: number,
): JsonObject {
  const { operator, literal, negation } = row as { readonly [factor: string]: string };
  const levels = { operator, literal } as Pick<Condition, "operator" | "literal">; // levels of a condition
  const condition = makeCondition(schema, walked, levels, seed);
  const name = walked.names.join(".");
  if (OPERATORS[levels.operator].operand === "paths") {
    const plain = literal === "list" ? { [levels.operator]: [name, "id"] } : condition;
    return negation === "around" ? { $not: plain } : plain;
  }
  const plain = atPath(walked.names, negation === "within" ? { $not: condition } : condition, seed);
  return negation === "around" ? { $not: plain } : plain;
}
