import type { AnyDatabase } from "../engine/database.js";
import { type AnyEngine, createEngine } from "../engine.js";
import { recordNames } from "../schema/record-names.js";
import type { AnyTable } from "../typed/table.js";
import type { QueryRequest, QueryResult } from "../types.js";
import { listMigrationRequests } from "./requests.js";

/** Queries the migration requests of a database like the records of a table (K-3). */
export function queryMigrationRequests(
  database: AnyDatabase,
  { profile, limits }: AnyEngine,
  request: QueryRequest,
): { migrationRequests: object[]; meta: QueryResult["meta"] } {
  const reserved = recordNames(profile);
  const [id = ""] = reserved;
  const table: AnyTable = createEngine({ profile, limits, now: 0, seed: 0 })
    .createWorkspace("w")
    .createDatabase("d")
    .branch("main")
    .createTable("requests", [
      { name: "number", type: "int" },
      { name: "source", type: "string" },
      { name: "target", type: "string" },
      { name: "title", type: "string" },
      { name: "body", type: "text" },
      { name: "status", type: "string" },
      { name: "createdAt", type: "datetime" },
      { name: "modifiedAt", type: "datetime" },
      { name: "closedAt", type: "datetime" },
      { name: "mergedAt", type: "datetime" },
    ]);
  table.load(
    listMigrationRequests(database).map((each) => ({
      [id]: String(each.number).padStart(9, "0"),
      ...each,
    })),
  );
  const { records, meta } = table.query(request);
  const migrationRequests = records.map((record) =>
    Object.fromEntries(Object.entries(record).filter(([key]) => !reserved.includes(key))),
  );
  return { migrationRequests, meta };
}
