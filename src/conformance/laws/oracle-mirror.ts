import { resolveProfile } from "../../profile.js";
import type { Json } from "../../types.js";
import type { GeneratedBranch } from "../arbitraries/cases.js";
import { CLOCK_START } from "../arbitraries/domains.js";
import type { OraclePage } from "../oracle/evaluate.js";
import type { OracleDatabase } from "../oracle/model.js";
import { applyWrite } from "../oracle/write.js";
import type { JsonObject } from "./cases.js";
import type { Scene, ScenePage } from "./scene.js";

/** What the oracle knows of a database just filled; only times are read from the service. */
export async function readDatabase(scene: Scene, given: GeneratedBranch): Promise<OracleDatabase> {
  let db: OracleDatabase = {
    profile: resolveProfile(given.profile),
    tables: given.tables.map((table) => ({ ...table, records: [] })),
  };
  for (const { name } of given.tables) {
    const records = given.records[name] ?? [];
    const written = applyWrite(db, { kind: "insert", table: name, records }, CLOCK_START);
    if (typeof written === "string") throw new Error(`a generated record is ${written}`);
    db = await readTimes(scene, written, name);
  }
  return db;
}

/** Takes over the times that a service gave to the records of a table. */
export async function readTimes(
  scene: Scene,
  db: OracleDatabase,
  name: string,
): Promise<OracleDatabase> {
  const found = new Map((await scene.peek(name)).map((record) => [record.id, record]));
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

/** Compares a page with the one that the oracle gives. */
export function comparePage(scene: Scene, page: ScenePage, expected: OraclePage): void {
  const records = expected.records as unknown as Json[]; // from JSON
  const { more, size } = expected;
  scene.expect(
    { status: 200, ids: { exact: expected.records.map(({ id }) => id) }, page: { more, size } },
    "the oracle answers otherwise",
  );
  scene.expect({ status: 200, records: { exact: records } }, "the oracle answers otherwise");
  // P-10: the order of keys is part of the answer.
  if (JSON.stringify(page.records) !== JSON.stringify(records)) {
    scene.fail("keys are in another order", records, page.records as unknown as Json);
  }
}
