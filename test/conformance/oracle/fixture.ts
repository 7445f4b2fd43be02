import { evaluateQuery, matchingRecords } from "../../../src/conformance/oracle/evaluate.js";
import { matches } from "../../../src/conformance/oracle/filter.js";
import type {
  JsonObject,
  OracleDatabase,
  OracleProfile,
  OracleRecord,
} from "../../../src/conformance/oracle/model.js";
import type { ColumnDefinition, Filter, QueryRequest, Sort } from "../../../src/types.js";

const DOCUMENTED: OracleProfile = {
  base: "documented",
  metadataColumn: "service",
  nullComparison: "complement",
};
const SQL: OracleProfile = { ...DOCUMENTED, nullComparison: "sql" };
export const XATA: OracleProfile = { base: "xata", metadataColumn: "xata", nullComparison: "sql" };

const MADE = "2024-01-01T00:00:00Z";

/** A stored record; its metadata can be told by version. */
export function stored(id: string, columns: JsonObject = {}, version = 0): OracleRecord {
  return { id, columns, metadata: { version, createdAt: MADE, updatedAt: MADE } };
}

/** `service` as every record of this fixture returns it. */
export function metadata(version = 0): JsonObject {
  return { version, createdAt: MADE, updatedAt: MADE };
}

const TEAM: readonly ColumnDefinition[] = [
  { name: "name", type: "string" },
  { name: "owner", type: "link", link: { table: "users" } },
  { name: "site", type: "object", columns: [{ name: "city", type: "string" }] },
];

const USER: readonly ColumnDefinition[] = [
  { name: "name", type: "string" },
  { name: "mail", type: "email" },
  { name: "age", type: "int" },
  { name: "rate", type: "float" },
  { name: "live", type: "bool" },
  { name: "seen", type: "datetime" },
  { name: "tags", type: "multiple" },
  { name: "team", type: "link", link: { table: "teams" } },
  { name: "lost", type: "link", link: { table: "nowhere" } },
  {
    name: "home",
    type: "object",
    columns: [
      { name: "zip", type: "int" },
      { name: "city", type: "string" },
      { name: "geo", type: "object", columns: [{ name: "lat", type: "float" }] },
      { name: "club", type: "link", link: { table: "teams" } },
    ],
  },
  { name: "doc", type: "json" },
  { name: "vec", type: "vector", vector: { dimension: 2 } },
];

/** Users and teams with the given records. */
export function database(
  users: readonly OracleRecord[],
  teams: readonly OracleRecord[] = [],
  profile: OracleProfile = DOCUMENTED,
): OracleDatabase {
  return {
    profile,
    tables: [
      { name: "users", columns: USER, records: users },
      { name: "teams", columns: TEAM, records: teams },
    ],
  };
}

/** The ids of the users that match. */
export function matching(db: OracleDatabase, filter: Filter): string {
  return idsOf(evaluateQuery(db, "users", { filter, page: { size: 200 } }).records);
}

/** Whether one user with these columns matches, under complement and under sql. */
export function verdicts(columns: JsonObject, filter: Filter): [boolean, boolean] {
  const [complement, sql] = [DOCUMENTED, SQL].map((profile) => {
    const user = stored("u", columns);
    const db = database([user], [stored("t", { name: "T", owner: "u" })], profile);
    const match = matches(db, "users", filter, user);
    if (match !== (matchingRecords(db, "users", filter).length === 1))
      throw new Error("count differs");
    return match;
  });
  return [complement ?? false, sql ?? false];
}

/** The ids of the users in order. */
export function sorted(db: OracleDatabase, sort?: Sort): string {
  return idsOf(evaluateQuery(db, "users", { ...(sort && { sort }), page: { size: 200 } }).records);
}

/** The first record of the answer, for its selection of columns. */
export function projected(db: OracleDatabase, columns?: QueryRequest["columns"]): unknown {
  return evaluateQuery(db, "users", { columns, page: { size: 1 } }).records[0];
}

export function idsOf(records: readonly { id: string }[]): string {
  return records.map((record) => record.id).join(" ");
}
