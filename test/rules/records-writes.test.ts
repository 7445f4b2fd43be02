import { describe, expect, it } from "vitest";
import { expectRefused, matching, openTable, refused } from "./fixture.js";
import { openRecords as open } from "./record-columns.js";

describe("batches", () => {
  it("R-5: one bad record refuses a batch; all bad ones are listed", () => {
    const table = open();
    table.insert({ id: "held" });
    const before = [...table.scan()];
    const records = [
      { id: "a" },
      { n: "x" },
      { id: "held" },
      { id: "b" },
      { nope: 1 },
      7,
      { id: "" },
    ];
    for (const call of [() => table.insert(records), () => table.load(records)]) {
      const { errors = [], status, code } = refused(call);
      expect({ status, code }).toEqual({ status: 400, code: "invalid_record" });
      expect(errors.map(({ index, code, path, rule }) => [index, code, path, rule])).toEqual([
        [1, "invalid_record", "/1/n", "T-2"],
        [2, "id_in_use", "/2/id", "R-3"],
        [4, "invalid_record", "/4/nope", "R-8"],
        [5, "invalid_record", "/5", "R-8"],
        [6, "invalid_record", "/6/id", "R-3"],
      ]);
      for (const { message } of errors) expect(message).toContain("items");
      expect([...table.scan()]).toEqual(before);
    }
  });

  it("R-5: a refused batch uses no ids", () => {
    const one = open();
    const two = open();
    refused(() => one.insert([{}, {}, { n: "x" }]));
    expect(one.insert({})).toEqual(two.insert({}));
    expect(one.insert([])).toEqual([]);
    expect(one.load([])).toBe(0);
  });
});

describe("changing records", () => {
  it("R-8: accepts a sub-column nested or dotted, not both", () => {
    const table = open();
    const given = { "address.street": "s", address: { zip: 1 }, "address.geo.lat": 2 };
    const wanted = { street: "s", zip: 1, geo: { lat: 2 } };
    expect(table.insert(given).address).toEqual(wanted);
    expect(table.insert({ "address.geo": { lat: 2 } }).address).toEqual({ geo: { lat: 2 } });
    const twice: [object, string][] = [
      [{ address: { zip: 1 }, "address.zip": 1 }, "/address.zip"],
      [{ "address.zip": 1, address: { zip: 1 } }, "/address/zip"],
      [{ "address.zip": null, address: { zip: null } }, "/address/zip"],
      [{ "address.geo.lat": 1, "address.geo": { lat: 1 } }, "/address.geo/lat"],
    ];
    for (const [record, path] of twice) {
      expectRefused(() => table.insert(record), `invalid_record R-8 ${path}`);
    }
  });

  it("R-8: refuses an unknown key, and names the nearest column", () => {
    const table = open();
    const cases: [object, string, string][] = [
      [{ nmae: "x" }, "/nmae", "R-8"],
      [{ Name: "x" }, "/Name", "R-8"],
      [{ "address.nope": 1 }, "/address.nope", "R-8"],
      [{ "address.zip.x": 1 }, "/address.zip.x", "R-8"],
      [{ "name.x": 1 }, "/name.x", "R-8"],
      [{ "": 1 }, "/", "R-8"],
      [{ ".": 1 }, "/.", "R-8"],
      [{ "a/b~c": 1 }, "/a~1b~0c", "R-8"],
      [{ $set: {} }, "/$set", "R-8"],
      [{ "boss.name": "x" }, "/boss.name", "R-8"],
      [{ address: { zpi: 1 } }, "/address/zpi", "T-10"],
    ];
    for (const [record, path, rule] of cases) {
      expectRefused(() => table.insert(record), `invalid_record ${rule} ${path}`);
    }
    expect(refused(() => table.insert({ nmae: "x" })).message).toMatch(/name\?/);
  });

  it("R-8: rejects records that are not objects", () => {
    const table = open();
    table.insert({ id: "a" });
    for (const record of [null, 1, "x", true, new Date(0), () => ({})]) {
      expectRefused(() => table.insert(record), 'invalid_record R-8 ""');
      expectRefused(() => table.insert([record]), "invalid_record R-8 /0");
      expectRefused(() => table.update("a", record), 'invalid_record R-8 ""');
      expectRefused(() => table.put("a", record), 'invalid_record R-8 ""');
    }
    expectRefused(() => table.insert([[{}]]), "invalid_record R-8 /0");
    expectRefused(() => table.update("a", []), 'invalid_record R-8 ""');
  });

  it("R-9: undefined counts as absent, a Date as its RFC 3339 string", () => {
    const table = openTable({ at: "datetime", s: "string", doc: "json", o: { n: "int" } });
    const at = new Date(Date.UTC(2022, 0, 31, 10, 20, 30, 7));
    const given = { id: undefined, nope: undefined, at, s: at, doc: { at, x: undefined } };
    const record = table.insert({ ...given, o: { n: undefined, m: undefined } });
    expect(record).toMatchObject({
      at: "2022-01-31T10:20:30.007Z",
      s: "2022-01-31T10:20:30.007Z",
      doc: { at: "2022-01-31T10:20:30.007Z" },
    });
    expect(record).not.toHaveProperty("o");
    expect(table.update(record.id, { at: undefined, s: "x" })).toMatchObject({
      at: "2022-01-31T10:20:30.007Z",
    });
    expect(matching(table, { at, s: undefined, nope: undefined })).toEqual([record.id]);
    expect(matching(table, { at: { $ge: at, $lt: undefined } })).toEqual([record.id]);
    const request = { columns: undefined, filter: undefined, sort: undefined, page: undefined };
    expect(table.query({ ...request, nope: undefined }).records).toHaveLength(1);
  });

  it("R-9: with a missing id get returns null, delete false, update and replace fail", () => {
    const table = open();
    expect(table.get("nope")).toBeNull();
    expect(table.delete("nope")).toBe(false);
    expectRefused(() => table.update("nope", { n: 1 }), "record_not_found R-9");
    expectRefused(() => table.replace("nope", {}), "record_not_found R-9");
    expect(refused(() => table.update("nope", {})).status).toBe(404);
    table.insert({ id: "a" });
    expect(table.delete("a")).toBe(true);
    expect(table.delete("a")).toBe(false);
    expect(table.get("a")).toBeNull();
    expect(table.upsert("a", { n: 1 }).n).toBe(1);
    expect(table.put("b", { n: 1 }).n).toBe(1);
  });

  it.each([undefined, null, 7, true, {}, [], ["a"], Symbol("a"), 10n, () => "a"].map((id) => [id]))(
    "R-9: no record has the id %o",
    (id) => {
      const table = open();
      table.insert({ id: "a" });
      expect(table.get(id)).toBeNull();
      expect(table.delete(id)).toBe(false);
      expect(refused(() => table.update(id, {})).code).toBe("record_not_found");
      expect(refused(() => table.replace(id, {})).code).toBe("record_not_found");
      expect(refused(() => table.put(id, {})).code).toBe("invalid_record");
      expect(refused(() => table.upsert(id, {})).code).toBe("invalid_record");
      expect(table.count()).toBe(1);
    },
  );
});
