import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import {
  type ColumnDefinition,
  createEngine,
  type Engine,
  type IndexOption,
  type Snapshot,
  TwinbaseError,
} from "../../src/index.js";
import { CHUNK_ROWS } from "../../src/storage/chunk.js";
import { type UntypedTable, untyped } from "../rules/fixture.js";

/** Columns that steps write to; `extra` is added and removed. */
export const COLUMNS: readonly ColumnDefinition[] = [
  { name: "s", type: "string" },
  { name: "t", type: "text" },
  { name: "n", type: "int" },
  { name: "u", type: "string", unique: true },
  { name: "tags", type: "multiple" },
  { name: "at", type: "datetime" },
  { name: "link", type: "link", link: { table: "items" } },
];
export const EXTRA: ColumnDefinition = { name: "extra", type: "text", defaultValue: "filled" };

const DAY = "2022-01-01T00:00:00Z";

export type Fields = Readonly<Record<string, unknown>>;

export interface Model {
  readonly rows: Map<string, { readonly fields: Fields; readonly version: number }>;
  hasExtra: boolean;
}

/** An engine and the models of its branches with a table, by name. */
export interface Twin {
  readonly engine: Engine;
  branches: Map<string, Model>;
}

/** A scan, and the model of its table when it began. */
export interface OpenScan {
  readonly expected: Model;
  readonly read: () => Iterable<Fields>;
}

/** Forks of one engine, with snapshots and open scans. */
export interface World {
  readonly twins: Twin[];
  readonly snapshots: { readonly snapshot: Snapshot; readonly branches: Map<string, Model> }[];
  readonly scans: OpenScan[];
}

export function openModels(indexes: IndexOption): World {
  const engine = createEngine({ seed: 1, now: 0, indexes });
  engine.createWorkspace("w").createDatabase("d").branch("main").createTable("items", COLUMNS);
  const branches = new Map([["main", { rows: new Map(), hasExtra: false }]]);
  return { twins: [{ engine, branches }], snapshots: [], scans: [] };
}

export function tableOf(engine: Engine, branch: string): UntypedTable {
  return untyped(engine.workspace("w").database("d").branch(branch)).table("items");
}

export function copyModel({ rows, hasExtra }: Model): Model {
  return { rows: new Map(rows), hasExtra };
}

export function copyBranches(branches: ReadonlyMap<string, Model>): Map<string, Model> {
  return new Map(Array.from(branches, ([name, model]) => [name, copyModel(model)]));
}

/** The fields that are not null. */
export function compact(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** Whether another row of the model has the unique value. */
export function isHeld(model: Model, u: unknown, except: string): boolean {
  if (u === null || u === undefined) return false;
  for (const [id, { fields }] of model.rows) if (id !== except && fields.u === u) return true;
  return false;
}

/** The error code of a call; undefined if it succeeds. */
export function refusalCode(call: () => unknown): string | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    if (error instanceof TwinbaseError) return error.code;
    throw error;
  }
}

/** A record in the form of the model. */
function toRow(record: Fields): { fields: Fields; version: number } {
  const { id: _, service, link, ...fields } = record;
  const target = link === undefined ? {} : { link: (link as { id: string }).id };
  return { fields: { ...fields, ...target }, version: (service as { version: number }).version };
}

export function expectRows(records: Iterable<Fields>, model: Model): void {
  const found = new Map(Array.from(records, (record) => [record.id as string, toRow(record)]));
  for (const [id, row] of model.rows) expectSame(found.get(id), row, id);
  expectSame(found.size, model.rows.size, "rows");
}

/** Ten times as fast as `expect` alone for millions of equal values. */
function expectSame(found: unknown, expected: unknown, what: string): void {
  if (!isDeepStrictEqual(found, expected)) expect(found, what).toEqual(expected);
}

/** Compares scans, counts, filters, sorts, pages and single records with the model. */
export function expectTable(table: UntypedTable, model: Model): void {
  expectRows(table.scan(), model);
  expect(table.count()).toBe(model.rows.size);
  const rows = Array.from(model.rows, ([id, { fields, version }]) => ({ id, version, ...fields }));
  rows.sort((a, b) => byText(a.id, b.id));
  const asked: [object, (row: Fields) => boolean][] = [
    [{ s: "a" }, ({ s }) => s === "a"],
    [{ t: { $startsWith: "text " } }, ({ t }) => String(t).startsWith("text ")],
    [{ n: { $ge: 2 } }, ({ n }) => typeof n === "number" && n >= 2],
    [{ n: { $isNot: 2 } }, ({ n }) => n !== 2],
    [{ tags: { $includes: "a" } }, ({ tags }) => ((tags ?? []) as string[]).includes("a")],
    [{ tags: { $includesNone: "a" } }, ({ tags }) => !((tags ?? []) as string[]).includes("a")],
    [{ $notExists: "u" }, ({ u }) => u === undefined],
    [{ "service.version": { $gt: 0 } }, ({ version }) => (version as number) > 0],
    [{ at: { $lt: DAY } }, ({ at }) => at !== undefined && (at as string) < DAY],
    [{ "link.s": "a" }, ({ link }) => model.rows.get(link as string)?.fields.s === "a"],
    [{ link: { $isNot: null } }, ({ link }) => link !== undefined],
  ];
  // A large table runs a third of the queries, chosen by its size.
  const every = rows.length > CHUNK_ROWS ? 3 : 1;
  for (const [filter, keep] of asked.filter((_, i) => (i + rows.length) % every === 0)) {
    const found = Array.from(table.scan({ filter, columns: [] }), ({ id }) => id);
    const expected = rows.filter(keep).map(({ id }) => id);
    expectSame(found, expected, JSON.stringify(filter));
    expect(table.count(filter)).toBe(found.length);
  }
  const keyOf = ({ n = Infinity }: Fields): number => n as number; // null is greatest (S-3)
  const byN = (a: Fields, b: Fields): number => keyOf(b) - keyOf(a) || 0;
  // Ties stay in the order of their ids.
  const order = rows.toSorted(byN).map(({ id }) => id);
  const sorted = Array.from(table.scan({ sort: { n: "desc" }, columns: [] }), ({ id }) => id);
  expectSame(sorted, order, "sorted by n");
  const page = table.query({ sort: { n: "desc" }, columns: [], page: { size: 7, offset: 3 } });
  expect(page.records.map(({ id }) => id)).toEqual(order.slice(3, 10));
  const next = table.query({ page: { after: page.meta.page.cursor } });
  expect(next.records.map(({ id }) => id)).toEqual(
    page.records.length < 7 ? [] : order.slice(10, 17),
  );
  for (const [id, { fields }] of [...model.rows].slice(-3)) {
    expect(toRow(table.get(id) ?? {}).fields).toEqual(fields);
    if (fields.u !== undefined) {
      expect(table.count({ u: fields.u })).toBe(1);
      expect(refusalCode(() => table.insert({ u: fields.u }))).toBe("invalid_record");
    }
  }
}

/** The ids of the model are ASCII, so that code units order them as code points do. */
function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
