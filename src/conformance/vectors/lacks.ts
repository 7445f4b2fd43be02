import type { ColumnDefinition, Json } from "../../types.js";
import { PAGES } from "../arbitraries/walk.js";
import type { Fixture, FixtureTable } from "../target/target.js";
import { isObject } from "./pattern.js";

/** Features that a service refused, such as `operator $gt`, `type email` or `page last`. */
export type Lacks = ReadonlySet<string>;

export type Dropped = ReadonlyMap<string, string>;

export interface ReducedFixture {
  readonly fixture: Fixture;
  /** The missing feature by the name of a column left out. */
  readonly dropped: Dropped;
}

const REDUCED = new WeakMap<Lacks, Map<Fixture, ReducedFixture>>();

/** Leaves out columns of missing types; returns equal objects for equal ones. */
export function withoutTypes(lacks: Lacks, fixture: Fixture): ReducedFixture {
  if (lacks.size === 0) return { fixture, dropped: new Map() };
  const known = REDUCED.get(lacks) ?? new Map<Fixture, ReducedFixture>();
  const reduced = known.get(fixture) ?? reduce(lacks, fixture);
  REDUCED.set(lacks, known.set(fixture, reduced));
  return reduced;
}

function reduce(lacks: Lacks, fixture: Fixture): ReducedFixture {
  const dropped = new Map<string, string>();
  // Vectors may have templates instead of arrays; those stay.
  const keep = (columns: readonly ColumnDefinition[]): readonly ColumnDefinition[] => {
    if (!Array.isArray(columns)) return columns;
    return columns.flatMap((column) => {
      const inner = column.columns && keep(column.columns);
      const isGone = lacks.has(`type ${column.type}`) || inner?.length === 0;
      if (isGone) dropped.set(column.name, `type ${column.type}`);
      return isGone ? [] : [inner === undefined ? column : { ...column, columns: inner }];
    });
  };
  const tables = fixture.tables.map((table) => ({ ...table, columns: keep(table.columns) }));
  if (dropped.size === 0) return { fixture, dropped };
  const clean = (value: Json): Json => {
    if (!isObject(value)) return value;
    const left = Object.entries(value).filter(
      ([key]) => !key.split(".").some((name) => dropped.has(name)),
    );
    return Object.fromEntries(left.map(([key, member]) => [key, clean(member)]));
  };
  const cleanRecord = (record: FixtureTable["records"][number]) => clean(record) as typeof record; // fewer keys
  return {
    fixture: {
      tables: tables.map((table) => ({
        ...table,
        records: Array.isArray(table.records) ? table.records.map(cleanRecord) : table.records,
      })),
    },
    dropped,
  };
}

/** Finds a missing feature that requests or expectations mention. */
export function findLack(
  lacks: Lacks,
  dropped: Dropped,
  requests: readonly { readonly path: string; readonly body?: unknown }[],
): string | undefined {
  if (lacks.size === 0) return undefined;
  let found: string | undefined;
  const visitText = (text: string): void => {
    const features = ["operator", "type", "order"].map((factor) => `${factor} ${text}`);
    found ??= features.find((feature) => lacks.has(feature));
    for (const name of text.split(/\.|->/)) found ??= dropped.get(name);
  };
  const visit = (value: unknown): void => {
    if (typeof value === "string") visitText(value);
    if (typeof value !== "object" || value === null || found !== undefined) return;
    for (const [key, member] of Object.entries(value)) {
      if (!Array.isArray(value)) visitText(key);
      if (key === "page") found ??= findPage(lacks, member);
      visit(member);
    }
  };
  for (const request of requests) {
    const operation = request.path.split("/").at(-1) ?? "";
    if (lacks.has(`operation ${operation}`)) found ??= `operation ${operation}`;
    // A search looks into all columns.
    if (/search$/i.test(operation)) found ??= [...dropped.values()][0];
    visit({ ...request, path: operation });
  }
  return found;
}

function findPage(lacks: Lacks, page: unknown): string | undefined {
  if (!isObject(page)) return undefined;
  if (Number(page.offset ?? 0) > 0 && lacks.has("page offset")) return "page offset";
  const uses = ([key, mark]: [string, string]): boolean =>
    page[key] !== undefined && ((page[key] === "end") === (mark === "end") || key === "end");
  return Object.entries(PAGES)
    .filter(([, keys]) => Object.keys(keys).length > 0 && Object.entries(keys).every(uses))
    .map(([kind]) => `page ${kind}`)
    .find((feature) => lacks.has(feature));
}
