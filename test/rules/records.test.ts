import { describe, expect, it } from "vitest";
import { expectRefused, idsOf, NOW_TEXT, openBranch, openShop } from "./fixture.js";
import { RECORD_COLUMNS as COLUMNS, openRecords as open } from "./record-columns.js";

describe("returned records", () => {
  it("R-1: have an id and metadata with version and times", () => {
    const metadata = { version: 0, createdAt: NOW_TEXT, updatedAt: NOW_TEXT };
    expect(open().insert({ id: "a" })).toEqual({ id: "a", service: metadata });
    expect(open("xata").insert({ id: "a" })).toEqual({ id: "a", xata: metadata });
    const table = open();
    table.insert({ id: "a", name: "x" });
    const records = [table.get("a"), ...table.query().records, ...table.scan()];
    for (const record of records) expect(record).toMatchObject({ id: "a", service: metadata });
    expect(records).toHaveLength(3);
  });

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
  it("R-3: a generated id is rec_ and 20 characters, later ones sort after earlier ones", () => {
    const table = open();
    const ids = [
      ...idsOf([table.insert({}), table.insert({})]),
      ...idsOf(table.insert([{}, {}, {}])),
    ];
    table.load(Array.from({ length: 2000 }, () => ({})));
    for (const id of ids) expect(id).toMatch(/^rec_[0-9a-v]{20}$/);
    expect(ids).toEqual([...ids].sort());
    const all = idsOf(table.scan());
    expect(new Set(all).size).toBe(2005);
    expect(all.slice(0, 5)).toEqual(ids);
    expect(table.insert({}).id > all.at(-1)!).toBe(true);
  });

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

  it("R-3: a given id has 1 to 255 characters, no control characters", () => {
    const table = open();
    const good = ["a", "0", " ", "é", "😀".repeat(255), "constructor", "a/b.c:d", "x".repeat(255)];
    for (const id of good) {
      expect(table.insert({ id }).id).toBe(id);
      expect(table.get(id)?.id).toBe(id);
    }
    const bad = ["", "x".repeat(256), "a\n", "\0", "\u007f", "\u0085", "\ud83d", 1, true, null, {}];
    for (const id of bad) {
      expectRefused(() => table.insert({ id }), "invalid_record R-3 /id");
      expectRefused(() => table.insert([{}, { id }]), "invalid_record R-3 /1/id");
    }
    for (const id of bad.filter((id) => typeof id === "string")) {
      expectRefused(() => table.put(id, {}), "invalid_record R-3");
      expectRefused(() => table.upsert(id, {}), "invalid_record R-3");
    }
    expect(table.count()).toBe(good.length);
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
