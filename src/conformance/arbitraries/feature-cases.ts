import fc from "fast-check";
import { OPERATORS } from "../../schema/operators.js";
import { COLUMN_TYPES, TRAITS } from "../../schema/traits.js";
import type { ColumnDefinition, Json, QueryRequest } from "../../types.js";
import {
  evaluateQuery,
  matchingRecords,
  type OraclePage,
  type OraclePageRequest,
} from "../oracle/evaluate.js";
import type { JsonObject, OracleDatabase } from "../oracle/model.js";
import { isRandomSort } from "../oracle/order.js";
import { fillDatabase } from "../oracle/world.js";
import type { Cases, LawCase } from "./cases.js";
import { choose, derive, happens, once } from "./choice.js";
import { interactionsOf, type Row } from "./covering.js";
import { CLOCK_START, makeValue, RECORD_IDS } from "./domains.js";
import { columnOf, FLAT, plainColumns, walkedPath } from "./feature-columns.js";
import {
  type Condition,
  featureRows,
  LEADING,
  ORDERS,
  SELECTIONS,
  simplerRows,
  TABLES,
  TRIPLES,
} from "./features.js";
import { atPath } from "./filter.js";
import { levelsOf, NEEDS, type Traits } from "./levels.js";
import { type Neighbour, nearOf, neighbourRows } from "./neighbours.js";
import type { QueriedSchema, WalkedPath } from "./paths.js";
import { orderTotally } from "./people.js";
import { makeCondition } from "./predicate.js";
import { Shrinking } from "./shrinking.js";
import { boundsOf, findMarks, type PageKind, type PageTurn, requestOf, type Walk } from "./walk.js";

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
  /** Each is chosen when it is first needed, as this takes the oracle many answers. */
  readonly walks: readonly (() => ChosenWalk)[];
}

const RECORDS = RECORD_IDS.slice(-10);

/** Generates cases of some features; `count` examples have all features together. */
export function featureCases(traits: Traits, count: number): Cases<FeatureCase> {
  const { covering, telling } = featureRows(traits);
  const rows = new Shrinking([...covering, ...telling], simplerRows);
  const plan: fc.Arbitrary<FeaturePlan> = fc.record({
    seed: fc.noShrink(fc.nat()),
    records: fc.uniqueArray(fc.constantFrom(...RECORDS)),
    rows: fc.array(rows, { minLength: 1, maxLength: 100 }),
  });
  const arbitrary = plan.map(
    (given) => renderCase(traits, given),
    (given) => (given as FeatureCase).plan, // renderCase made it
  );
  // Neighbours share types and chosen operands, pages nothing.
  const operators = telling.filter(({ operator }) => operator !== undefined);
  const pages = telling.filter(({ operator }) => operator === undefined);
  const length = Math.ceil(operators.length / count);
  const examples = Array.from({ length: count }, (_, seed) => {
    const spread = [...covering, ...pages].filter((_, place) => place % count === seed);
    const own = operators.slice(seed * length, (seed + 1) * length);
    return renderCase(traits, { seed, records: RECORDS, rows: [...spread, ...own] });
  });
  return { arbitrary, examples };
}

function renderCase(traits: Traits, plan: FeaturePlan): FeatureCase {
  const schema = schemaOf(traits, typesOf(plan.rows));
  const used = schema.tables.filter(({ name }) =>
    plan.rows.some(({ nulls = "" }) => TABLES[nulls] === name),
  );
  const tables = used.map((table) => ({
    ...table,
    records: RECORDS.map((id) => {
      const seed = derive(plan.seed, `${table.name} ${id}`);
      return { id, ...makeValues(schema, table.columns, { seed, id, table: table.name }) };
    }),
  }));
  // Operands are those for all records, so that they stay the same when a case shrinks.
  const db = fillDatabase(traits.profile, tables, CLOCK_START);
  const context = { schema, db, traits, seeds: new Map(), answers: new Map() };
  const walks = plan.rows.map((row) => once(() => chooseWalk(context, row, plan.seed)));
  const fixture = {
    tables: tables.map((table) => ({
      ...table,
      records: table.records.filter(({ id }) => plan.records.includes(id)),
    })),
  };
  return { fixture, plan, walks };
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
        : table !== TABLES.none && happens(seed, "null", 0.25)
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
  readonly traits: Traits;
  /** The chosen seeds of conditions. */
  readonly seeds: Map<string, number>;
  /** The oracle's matches by table and filter, which many rows share. */
  readonly answers: Map<string, string>;
}

interface ChosenWalk {
  readonly walk: Walk;
  /** The covered pairs and triples, or the combinations that another answer tells from their neighbours. */
  readonly features: readonly string[];
}

function chooseWalk(context: RenderContext, row: Row, seed: number): ChosenWalk {
  // An operand that tells operators apart does so below any others and on any page, too.
  const { page: _, order: __, columns: ___, ...condition } = row;
  const alone = { ...condition, combinator: "bare" };
  const key = JSON.stringify(row.operator === undefined ? row : alone);
  const own = derive(seed, key);
  const chosen =
    row.operator === undefined ? own : (context.seeds.get(key) ?? chooseSeed(context, alone, own));
  context.seeds.set(key, chosen);
  const features =
    row.columns === undefined
      ? tell(context, row, chosen).flatMap(({ names }) => names)
      : interactionsOf(row, TRIPLES);
  return { walk: renderWalk(context, row, row, chosen), features };
}

/** Attempts without a better seed. */
const PATIENCE = 8;

/** Chooses the seed of a walk whose answers differ from those with most of its neighbours. */
function chooseSeed(context: RenderContext, row: Row, seed: number): number {
  const neighbours = neighbourRows(context.traits, row);
  let [best, most] = [seed, -1];
  for (let attempt = 0, last = PATIENCE; attempt < last; attempt++) {
    const own = derive(seed, `attempt ${attempt}`);
    const walk = renderWalk(context, row, row, own);
    const ids = matchesOf(context, walk);
    const isSplit = ids !== "" && ids !== matchesOf(context, { ...walk, query: {} });
    const told = tell(context, row, own, neighbours).length;
    const gain = 2 * told + Number(isSplit);
    if (gain > most) [best, most, last] = [own, gain, attempt + PATIENCE];
    if (isSplit && told === neighbours.length) break;
  }
  return best;
}

/** Finds the neighbours of a walk with other answers. */
function tell(
  context: RenderContext,
  row: Row,
  seed: number,
  neighbours = neighbourRows(context.traits, row),
): Neighbour[] {
  const answerOf = row.page === undefined ? matchesOf : answersOf;
  const own = answerOf(context, renderWalk(context, row, row, seed));
  return neighbours.filter(
    ({ neighbour }) => answerOf(context, renderWalk(context, row, neighbour, seed)) !== own,
  );
}

function matchesOf({ db, answers }: RenderContext, { table, query }: Walk): string {
  const key = `${table} ${JSON.stringify(query.filter)}`;
  const known = answers.get(key);
  if (known !== undefined) return known;
  const ids = matchingRecords(db, table, query.filter).map(({ id }) => id);
  answers.set(key, ids.join());
  return ids.join();
}

/** The ids of the pages of a walk by the oracle. */
function answersOf({ db }: RenderContext, { table, query, steps }: Walk): string {
  const pages: OraclePage[] = [];
  for (const step of [{ kind: "query" } as const, ...(steps as readonly PageTurn[])]) {
    const marks = findMarks(pages, step);
    const { page, ...rest } = requestOf({ ...query, columns: [] }, step, marks[0] === undefined);
    const tokens = boundsOf(step.kind, marks, "token") as OraclePageRequest; // `start` has a token
    try {
      pages.push(evaluateQuery(db, table, { ...rest, page: { ...tokens, ...page } }));
    } catch (error) {
      // G-9: contradictory bounds.
      if (!(error instanceof RangeError)) throw error;
    }
  }
  // A random order has unknown ids, but a known number of them.
  const isRandom = isRandomSort(query.sort);
  return JSON.stringify(
    pages.map(({ records, more }) => [more, records.map(({ id }) => isRandom || id)]),
  );
}

/** Renders a row with the operator, operand, order or offset of a neighbour. */
function renderWalk(
  { schema, traits }: RenderContext,
  row: Row,
  { operator, operand, order = "", skip }: Row,
  seed: number,
): Walk {
  const { type = "", path = "", page = "query", columns = "" } = row;
  const table = TABLES[row.nulls ?? ""] ?? "";
  const walked = walkedPath(type, path);
  if (walked === undefined) throw new Error(`no path to ${type}`);
  const name = walked.names.join(".");
  const isSortable =
    walked.kind === "id" || (walked.kind === "column" && TRAITS[walked.column.type].sortable);
  const filter =
    operator === undefined
      ? {}
      : renderFilter(schema, { row, walked, operator, operand }, derive(seed, "filter"));
  const sort = ORDERS[order]?.(isSortable ? name : "id");
  // A file's name selects addresses, which only the service that created them knows (H-2).
  const shown =
    walked.kind === "json path" ? "json" : type.startsWith("file") ? `${name}.size` : name;
  const selected = SELECTIONS[columns]?.(shown, table);
  const kinds =
    page === "query" || page === "offset" ? [] : [...(LEADING[page] ?? []), page as PageKind]; // a level
  const query =
    traits.tier === "strict" ? { filter, ...(sort && { sort }) } : orderTotally(filter, sort);
  const sizes = row.page === undefined ? [20] : kinds.length === 0 ? [3, 20] : [1, 2, 2];
  const size = choose(seed, "size", sizes);
  const offset = { offset: 1 };
  const isFirst = skip === "first" || page === "offset" || (skip === "last" && kinds.length === 0);
  return {
    table,
    query: {
      ...(query as QueryRequest), // valid for the types of its columns
      ...(selected && { columns: selected }),
      page: { size, ...(isFirst && offset) },
    },
    steps: kinds.map((kind, i) => ({
      ...{ kind, of: kind === "range" ? 2 : 0, until: 0 },
      ...(skip === "last" && i === kinds.length - 1 && offset),
    })),
  };
}

interface ConditionPlan {
  readonly row: Row;
  readonly walked: WalkedPath;
  readonly operator: string;
  /** `near`: in place of the own operand. */
  readonly operand: string | undefined;
}

/** The filter of a row, with an operator in place of its own. */
function renderFilter(
  schema: QueriedSchema,
  { row, walked, operator, operand: which }: ConditionPlan,
  seed: number,
): JsonObject {
  const { combinator = "" } = row;
  const levels = row as Row & Pick<Condition, "operator" | "literal">; // levels of a condition
  const [own = null] = Object.values(makeCondition(schema, walked, levels, seed));
  const operand = which === "near" ? nearOf(own) : own;
  const isOfPaths = OPERATORS[levels.operator].operand === "paths";
  const paths = levels.literal === "list" ? [walked.names.join("."), "id"] : operand;
  const condition = { [operator]: isOfPaths ? paths : operand };
  const spelling = derive(seed, combinator);
  const connectives = combinator.match(/\$\w+/g) ?? [];
  const combine = (
    inner: JsonObject,
    beside: { readonly [name: string]: JsonObject },
  ): JsonObject =>
    connectives.reduceRight<JsonObject>((part, name) => {
      if (name === "$not") return { $not: part };
      return { [name]: [part, beside[name] ?? []].flat() };
    }, inner);
  if (isOfPaths) return combine(condition, BESIDE);
  if (combinator.startsWith("below")) return atPath(walked.names, combine(condition, {}), spelling);
  return combine(atPath(walked.names, condition, spelling), BESIDE);
}

/** Conditions that change no answer beside another: they match no record, or every one. */
const BESIDE: { readonly [name: string]: JsonObject } = {
  $any: { id: "" },
  $none: { id: "" },
  $all: { id: { $isNot: "" } },
};
