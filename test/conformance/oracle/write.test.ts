import { describe, expect, it } from "vitest";
import type {
  JsonObject,
  OracleDatabase,
  OracleRecord,
} from "../../../src/conformance/oracle/model.js";
import { applyWrite, type OracleWrite } from "../../../src/conformance/oracle/write.js";
import { database, stored, XATA } from "./fixture.js";

const NOW = Date.parse("2024-05-06T07:08:09.5Z");
const TIME = "2024-05-06T07:08:09.5Z";
const old = stored("u", { name: "Ann", age: 3, home: { zip: 1, city: "Ulm" } }, 4);
const db = database([old]);

function write(change: OracleWrite, from: OracleDatabase = db): OracleRecord[] {
  const outcome = applyWrite(from, change, NOW);
  if (typeof outcome === "string") throw new Error(outcome);
  return [...(outcome.tables[0]?.records ?? [])];
}

function columnsAfter(kind: "update" | "replace", record: JsonObject): unknown {
  return write({ kind, table: "users", id: "u", record })[0]?.columns;
}

describe("the oracle's writes", () => {
  it("R-2: the version is 0 on insert and grows with every write", () => {
    const [, added] = write({ kind: "insert", table: "users", records: [{ id: "v" }] });
    expect(added?.metadata).toEqual({ version: 0, createdAt: TIME, updatedAt: TIME });
    const [same] = write({ kind: "update", table: "users", id: "u", record: {} });
    expect(same?.metadata).toEqual({ ...old.metadata, version: 5, updatedAt: TIME });
  });

  it("R-3, R-5: a taken id refuses the whole batch", () => {
    const insert = (ids: string[]): OracleWrite => ({
      kind: "insert",
      table: "users",
      records: ids.map((id) => ({ id })),
    });
    expect(applyWrite(db, insert(["v", "u"]), NOW)).toBe("id_in_use");
    expect(applyWrite(db, insert(["v", "v"]), NOW)).toBe("id_in_use");
  });

  it("R-7: an update leaves missing keys and sets nulls, in objects too", () => {
    expect(columnsAfter("update", { age: null, home: { city: null } })).toMatchObject({
      name: "Ann",
      age: null,
      home: { zip: 1, city: null },
    });
    expect(columnsAfter("update", { "home.zip": 2 })).toMatchObject({
      home: { zip: 2, city: "Ulm" },
    });
    expect(columnsAfter("update", { home: null })).toMatchObject({ home: null });
  });

  it("R-7: a replace sets absent columns to null", () => {
    expect(columnsAfter("replace", { age: 5 })).toMatchObject({ name: null, age: 5 });
  });

  it("R-9: missing records", () => {
    const change = (kind: "update" | "replace" | "upsert"): OracleWrite => ({
      kind,
      table: "users",
      id: "new",
      record: {},
    });
    expect(applyWrite(db, change("update"), NOW)).toBe("record_not_found");
    expect(applyWrite(db, change("replace"), NOW)).toBe("record_not_found");
    expect(write(change("upsert")).map((record) => record.id)).toEqual(["u", "new"]);
    expect(write({ kind: "delete", table: "users", id: "new" })).toEqual([old]);
    expect(write({ kind: "delete", table: "users", id: "u" })).toEqual([]);
  });

  it("T-3, T-7, T-9: values are stored in their form", () => {
    const record = { rate: -0, seen: "2024-01-01T01:00:00+01:00", team: { id: "t", name: "x" } };
    const stored = columnsAfter("replace", record);
    expect(stored).toMatchObject({ rate: 0, seen: "2024-01-01T00:00:00Z", team: "t" });
  });

  it("T-11: json given as text is read under xata", () => {
    const change: OracleWrite = {
      kind: "update",
      table: "users",
      id: "u",
      record: { doc: '{"a":1}' },
    };
    expect(write(change)[0]?.columns.doc).toBe('{"a":1}');
    expect(write(change, database([old], [], XATA))[0]?.columns.doc).toEqual({ a: 1 });
  });

  it("T-16: defaults fill missing keys, not given nulls, and never on an update", () => {
    const table = {
      name: "users",
      columns: [
        { name: "n", type: "int" as const, defaultValue: "7" },
        { name: "s", type: "string" as const, defaultValue: "7" },
        { name: "at", type: "datetime" as const, defaultValue: "now" },
      ],
      records: [stored("u", { n: 1 })],
    };
    const from = { ...db, tables: [table] };
    const insert: OracleWrite = { kind: "insert", table: "users", records: [{ id: "v", n: null }] };
    expect(write(insert, from)[1]?.columns).toEqual({ n: null, s: "7", at: TIME });
    const replace: OracleWrite = { kind: "replace", table: "users", id: "u", record: {} };
    expect(write(replace, from)[0]?.columns).toEqual({ n: 7, s: "7", at: TIME });
    const update: OracleWrite = { kind: "update", table: "users", id: "u", record: { s: "x" } };
    expect(write(update, from)[0]?.columns).toEqual({ n: 1, s: "x", at: null });
  });

  it("X-2: arithmetic in an update", () => {
    expect(columnsAfter("update", { age: { $multiply: 2 } })).toMatchObject({ age: 6 });
    expect(columnsAfter("update", { "home.zip": { $decrement: 2 } })).toMatchObject({
      home: { zip: -1 },
    });
    expect(columnsAfter("update", { rate: { $divide: 2 } })).toMatchObject({ rate: null });
    for (const by of [0, 2]) {
      const change = { age: { $divide: by } };
      expect(() => columnsAfter("update", change)).toThrow("invalid_record");
    }
    expect(() => columnsAfter("replace", { age: { $increment: 1 } })).toThrow("invalid_record");
  });
});
