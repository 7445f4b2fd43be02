import { describe, expect, it } from "vitest";
import { defineColumns } from "../columns.js";
import {
  expectRefused,
  idsOf,
  matching,
  openBranch,
  openShop,
  openTable,
  refused,
  type UntypedTable,
} from "./fixture.js";

const COLUMNS = defineColumns({
  name: "string",
  n: "int",
  address: { zip: "int" },
  tags: "multiple",
  doc: "json",
});

const open = (): UntypedTable => openTable(COLUMNS);

describe("returned records", () => {
  it("R-6: belong to the caller", () => {
    const table = open();
    const given = { id: "a", tags: ["x"], doc: { list: [1, { deep: true }] }, address: { zip: 1 } };
    const inserted = table.insert(given);
    const kept = structuredClone(inserted);
    ruin(given);
    ruin(inserted);
    for (let i = 0; i < 2; i++) {
      const answers = [table.get("a"), table.query().records[0], [...table.scan()][0]];
      for (const answer of answers) {
        expect(answer).toEqual(kept);
        ruin(answer);
      }
    }
    const [one, two] = [table.query().records[0], table.query().records[0]];
    expect(one?.doc).not.toBe(two?.doc);
    expect(table.query().records).not.toBe(table.query().records);

    function ruin(value: unknown): void {
      if (typeof value !== "object" || value === null) return;
      for (const member of Object.values(value)) ruin(member);
      if (Array.isArray(value)) value.push("ruined");
      else Object.assign(value, { ruined: true, id: "ruined" });
    }
  });
});

describe("ids", () => {
  it("R-3: ids ascend over all tables of an engine, and after a delete", () => {
    const main = openBranch();
    const [one, two] = [main.createTable("one"), main.createTable("two")];
    const ids: string[] = [];
    for (const table of [one, two, one, two]) {
      const { id } = table.insert({});
      ids.push(id);
      table.delete(id);
    }
    main.transaction([{ insert: { table: "one", record: {} } }]);
    ids.push(...idsOf(one.scan()));
    expect(ids).toEqual([...new Set(ids)].sort());
  });

  it("R-3: begins with the time, and ascends though the clock was turned back", () => {
    let now = Date.UTC(2024, 0);
    const { engine, main } = openShop({ now: () => now });
    const table = main.createTable("items", COLUMNS);
    const secondsOf = (id: string) => Number.parseInt(id.slice(4, 11), 32) / 8;
    const made: string[] = [];
    for (const time of [now, now + 999, Date.UTC(2020, 0), Date.UTC(2024, 6), 0]) {
      now = time;
      made.push(table.insert({}).id, ...idsOf(table.insert([{}, {}])));
    }
    expect(made).toEqual([...new Set(made)].sort());
    expect(secondsOf(made[0]!)).toBe(Date.UTC(2024, 0) / 1000);
    expect(secondsOf(made.at(-1)!)).toBe(Date.UTC(2024, 6) / 1000);
    now = Date.UTC(2025, 0);
    table.insert({ id: "rec_cnh0s7ss9bgdmu2t5ke0" }); // of 2024, by the service
    expect(table.insert({}).id > "rec_cnh0s7ss9bgdmu2t5ke0").toBe(true);
    const saved = engine.snapshot();
    const { id } = table.insert({});
    engine.restore(saved);
    expect(table.insert({}).id, "repeats at the same time").toBe(id);
  });

  it("R-3: generated ids skip taken ones, also after a restore", () => {
    const { engine, main } = openShop();
    const table = main.createTable("items", COLUMNS);
    const saved = engine.snapshot();
    const next = idsOf([table.insert({}), table.insert({}), table.insert({})]);
    engine.restore(saved);
    expect(table.insert({}).id, "continues from the snapshot").toBe(next[0]);
    engine.restore(saved);
    table.insert({ id: next[0], name: "given" });
    table.insert([{}, { id: next[2], name: "given" }, {}]);
    expect(table.count()).toBe(4);
    expect(table.count({ name: "given" })).toBe(2);
    const last = table.insert({});
    expect(new Set(idsOf(table.scan())).size).toBe(5);
    expect(idsOf(table.scan()).at(-1)).toBe(last.id);
  });
});

describe("batches", () => {
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
  it("R-8: refuses Dates, functions and records in a list of one", () => {
    const table = open();
    table.insert({ id: "a" });
    for (const record of [new Date(0), () => ({}), null]) {
      expectRefused(() => table.insert(record), "invalid_record", "R-8", "");
      expectRefused(() => table.insert([record]), "invalid_record", "R-8", "/0");
      expectRefused(() => table.update("a", record), "invalid_record", "R-8", "");
      expectRefused(() => table.put("a", record), "invalid_record", "R-8", "");
    }
    expectRefused(() => table.insert([[{}]]), "invalid_record", "R-8", "/0");
    expectRefused(() => table.update("a", []), "invalid_record", "R-8", "");
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

  it("R-9: no record has an id that is no string", () => {
    const table = open();
    table.insert({ id: "a" });
    for (const id of [undefined, null, 7, true, {}, ["a"], Symbol("a"), 10n, () => "a"]) {
      expect(table.get(id)).toBeNull();
      expect(table.delete(id)).toBe(false);
      expect(refused(() => table.update(id, {})).code).toBe("record_not_found");
      expect(refused(() => table.replace(id, {})).code).toBe("record_not_found");
      expect(refused(() => table.put(id, {})).code).toBe("invalid_record");
      expect(refused(() => table.upsert(id, {})).code).toBe("invalid_record");
    }
    expect(table.count()).toBe(1);
  });
});
