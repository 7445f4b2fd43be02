import type { Json, QueryRequest } from "../../types.js";
import type { LawCase } from "../arbitraries/cases.js";
import { CLOCK_START } from "../arbitraries/domains.js";
import {
  evaluateQuery,
  type OraclePage,
  type OracleRequest,
  sameUpToTies,
} from "../oracle/evaluate.js";
import type { JsonObject, OracleDatabase } from "../oracle/model.js";
import { instantText } from "../oracle/values.js";
import { fillDatabase } from "../oracle/world.js";
import type { Fixture, TargetTraits } from "../target/target.js";
import type { Scene, ScenePage } from "./scene.js";

const OTHERWISE = "the oracle's answer differs";

/** Creates the oracle's database of a fixture, with its own times. */
export function databaseOf(
  { profile }: Pick<TargetTraits, "profile">,
  { tables }: Fixture,
): OracleDatabase {
  return fillDatabase(profile, tables, CLOCK_START);
}

/** Creates the oracle's database of a filled branch, with the service's times. */
export async function readDatabase(scene: Scene, { fixture }: LawCase): Promise<OracleDatabase> {
  let db = databaseOf(scene.traits, fixture);
  for (const { name } of fixture.tables) db = await readTimes(scene, db, name);
  return db;
}

export async function readTimes(
  scene: Scene,
  db: OracleDatabase,
  name: string,
  branch?: string,
): Promise<OracleDatabase> {
  const found = new Map((await scene.peek(name, branch)).map((record) => [record.id, record]));
  const tables = db.tables.map((table) => {
    if (table.name !== name) return table;
    const timed = table.columns.filter(({ defaultValue }) => defaultValue === "now");
    const records = table.records.map((record) => {
      const held = found.get(record.id);
      if (held === undefined) return record;
      const times = held[db.profile.metadataColumn] as typeof record.metadata;
      const columns = timed.map((column) => [column.name, held[column.name] ?? null]);
      return {
        ...record,
        metadata: { ...times, version: record.metadata.version },
        columns: { ...record.columns, ...(Object.fromEntries(columns) as JsonObject) }, // from JSON
      };
    });
    return { ...table, records };
  });
  return { ...db, tables };
}

export type ComparePage = (scene: Scene, page: ScenePage, expected: OraclePage) => void;

/** Compares records, page metadata and the order of keys (P-10). */
export const comparePage: ComparePage = (scene, page, { records: expected, more, size }) => {
  const records = expected as unknown as Json[]; // from JSON
  const ids = expected.map(({ id }) => id);
  scene.expect({ status: 200, ids: { exact: ids }, page: { more, size } }, OTHERWISE);
  if (JSON.stringify(page.records) === JSON.stringify(records)) return;
  scene.expect({ status: 200, records: { exact: records } }, OTHERWISE);
  scene.fail("the order of keys differs", records, page.records as unknown as Json);
};

/** As {@link comparePage}, ignoring metadata, the page's size and the order of keys. */
export const comparePlainPage: ComparePage = (scene, _page, { records: expected, more }) => {
  const { metadataColumn } = scene.traits.profile;
  const records = withAnyMetadata(expected as unknown as Json[], metadataColumn); // JSON
  const ids = expected.map(({ id }) => id);
  scene.expect({ status: 200, ids: { exact: ids }, page: { more } }, OTHERWISE);
  scene.expect({ status: 200, records: { exact: records }, page: { more } }, OTHERWISE);
};

/** Replaces metadata at every level by a pattern. */
function withAnyMetadata(records: readonly Json[], metadata: string): Json[] {
  return JSON.parse(JSON.stringify(records), (key, member) =>
    key === metadata ? { $metadata: true } : member,
  );
}

const NOW = instantText(BigInt(CLOCK_START) * 1000n);

/** Replaces the oracle's own time by a pattern. */
export function withAnyTimes<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, member) =>
    member === NOW ? { $type: "datetime" } : member,
  );
}

/** The oracle's records of a table as patterns. */
export function tablePatterns(db: OracleDatabase, table: string): Json[] {
  const { records } = evaluateQuery(db, table, { page: { size: 1e9 } });
  return withAnyTimes(records as unknown as Json[]); // JSON
}

/** Compares a page in a random order: its length, and its records up to ties. */
export function compareRandomPage(
  db: OracleDatabase,
  { table, query }: { readonly table: string; readonly query: QueryRequest },
): ComparePage {
  return (scene, page, { records, more, size }) => {
    scene.expect({ status: 200, count: records.length, page: { more, size } }, "a random order");
    const request = query as OracleRequest; // generated without cursors
    const found = page.records as OraclePage["records"]; // from JSON
    if (sameUpToTies(db, table, request, request.page?.offset ?? 0, found)) return;
    const { records: all } = evaluateQuery(db, table, { ...request, page: { size: 1e9 } });
    scene.fail(
      "a random page violates the sort keys",
      all as unknown as Json,
      found as unknown as Json,
    ); // JSON
  };
}
