import { describe, expect, it } from "vitest";
import { createEngine, type ProfileOption } from "../../src/index.js";
import { expectRefused, openShop, openTable, refusalOf, untyped } from "./fixture.js";
import { numbered, openNumbers, pageOf, tens, walkBackward, walkForward } from "./page-walks.js";

describe("page size and offset", () => {
  it("G-1: the size is 20 by default, the offset 0", () => {
    const table = openNumbers(tens(45));
    expect(pageOf(table)).toMatchObject({ ns: tens(20), more: true, size: 20 });
    expect(pageOf(table, { offset: 30 })).toMatchObject({ ns: tens(45).slice(30), more: false });
    expect(pageOf(table, { size: undefined, offset: undefined }).ns).toEqual(tens(20));
    expect(pageOf(table, { size: 1 }).ns).toEqual([10]);
  });

  it.each<[ProfileOption, number, number]>([
    ["documented", 200, 800],
    ["xata", 1000, 49_000],
    [{ base: "xata", maxPageSize: 200, maxPageOffset: 800 }, 200, 800],
    [{ maxPageSize: 7, maxPageOffset: 0 }, 7, 0],
  ])("G-1, L-1: profile %j allows size %i and offset %i", (profile, maxSize, maxOffset) => {
    const table = openTable({ n: "int" }, profile);
    table.load(Array.from({ length: 1100 }, (_, n) => ({ n })));
    expect(table.query({ page: { size: maxSize } }).records).toHaveLength(maxSize);
    expect(table.query({ page: { offset: maxOffset, size: 1 } }).meta.page.size).toBe(1);
    for (const size of [maxSize + 1, 1e9, Number.MAX_SAFE_INTEGER]) {
      const call = (): unknown => table.query({ page: { size } });
      expectRefused(call, "invalid_page G-1 /page/size");
      expect(refusalOf(call).message).toBe(`page size exceeds max limit of ${maxSize}`);
    }
    const call = (): unknown => table.query({ page: { offset: maxOffset + 1 } });
    expectRefused(call, "invalid_page G-1 /page/offset");
    expect(refusalOf(call).message).toBe(`page offset must not exceed ${maxOffset}`);
  });

  it("G-1: rejects numbers that are not integers", () => {
    const table = openNumbers(tens(3));
    const odd = [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "5", null, true, [], {}, 2n, 1e300];
    for (const size of [0, ...odd]) {
      expectRefused(() => table.query({ page: { size } }), "invalid_page G-1 /page/size");
    }
    for (const offset of odd) {
      expectRefused(() => table.query({ page: { offset } }), "invalid_page G-1 /page/offset");
    }
    for (const page of [null, 1, "end", [], true]) {
      expectRefused(() => table.query({ page }), "invalid_page G-1 /page");
    }
    expectRefused(() => table.query({ page: { limit: 5 } }), "invalid_request E-3 /page/limit");
  });

  it("G-2: pages forward and backward are slices, with every size and offset", () => {
    for (let count = 0; count <= 7; count++) {
      const table = openNumbers(tens(count));
      const all = tens(count);
      for (let size = 1; size <= 4; size++) {
        for (let offset = 0; offset <= 8; offset++) {
          expect(pageOf(table, { size, offset }), `${count} ${size} ${offset}`).toMatchObject({
            ns: all.slice(offset, offset + size),
            more: count > offset + size,
            size,
          });
          const end = Math.max(0, count - offset);
          expect(pageOf(table, { size, offset, before: "end" })).toMatchObject({
            ns: all.slice(Math.max(0, end - size), end),
            more: end - size > 0,
            size,
          });
        }
      }
    }
  });

  it("G-2, G-5: pages after and before a page are slices, with every size and offset", () => {
    const all = tens(6);
    const table = openNumbers(all);
    for (let from = 0; from < 6; from++) {
      for (let length = 1; from + length <= 6; length++) {
        const { cursor, ns } = pageOf(table, { offset: from, size: length });
        expect(ns).toEqual(all.slice(from, from + length));
        for (let size = 1; size <= 3; size++) {
          for (let offset = 0; offset <= 3; offset++) {
            const label = `${from}+${length}, ${size} at ${offset}`;
            const next = all.slice(from + length + offset);
            expect(pageOf(table, { after: cursor, size, offset }), label).toMatchObject({
              ns: next.slice(0, size),
              more: next.length > size,
            });
            const previous = all.slice(0, Math.max(0, from - offset));
            expect(pageOf(table, { before: cursor, size, offset }), label).toMatchObject({
              ns: previous.slice(-size),
              more: previous.length > size,
            });
          }
        }
      }
    }
  });

  it("G-3: meta.page is cursor, more and the effective size, for an empty page too", () => {
    const table = openNumbers(tens(3));
    const { cursor, ...rest } = table.query({ page: { size: 2 } }).meta.page;
    expect(rest).toEqual({ more: true, size: 2 });
    expect(table.query({ page: { after: cursor } }).meta).toEqual({
      page: { cursor: expect.any(String), more: false, size: 2 },
    });
    for (const page of [{ after: "end" }, { offset: 9 }, { before: "end", offset: 9 }]) {
      const { records, meta } = table.query({ page });
      expect(records).toEqual([]);
      expect(meta.page).toEqual({ cursor: expect.stringMatching(/./), more: false, size: 20 });
    }
    expect(Object.keys(table.query())).toEqual(["records", "meta"]);
    expect(openTable([]).query().meta.page.cursor).not.toBe("");
  });
});

describe("cursors", () => {
  it("G-4: a cursor is text of A-Z a-z 0-9 - _", () => {
    const table = openTable({ s: "string", at: "datetime" });
    const odd = ["é😀\u2028", "\0\u001f", '"\\', "\uffff", "<-/+=", " "];
    table.insert(
      odd.map((s, i) => ({ id: `${s.replaceAll(/\p{Cc}/gu, "")}${i}`, s, at: new Date(i) })),
    );
    for (const filter of [undefined, { s: { $any: odd } }, { s: { $isNot: "💥" } }]) {
      const sort = [{ s: "desc" }, { at: "asc" }];
      const first = table.query({ filter, sort, columns: ["s"], page: { size: 2 } });
      expect(first.meta.page.cursor).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(walkForward(table, { filter, sort, page: { size: 1 } })).toHaveLength(odd.length);
      expect(walkBackward(table, { filter, sort }, 1)).toEqual(
        walkForward(table, { filter, sort }),
      );
    }
  });

  it("G-4: a cursor needs no memory in the engine", () => {
    const { engine, main } = openShop({ seed: 9 });
    const table = main.createTable("items", [{ name: "n", type: "int" }]);
    table.insert(tens(9).map(numbered));
    const { cursor } = pageOf(table, { size: 2 });
    const other = createEngine({ now: 0, seed: 1 });
    other.restore(engine.snapshot());
    for (const held of [engine.fork(), other]) {
      const there = untyped(held.workspace("acme").database("shop").branch("main")).table("items");
      expect(pageOf(there, { after: cursor })).toEqual(pageOf(table, { after: cursor }));
    }
    // The same page always has the same cursor.
    expect(pageOf(table, { size: 2 }).cursor).toBe(cursor);
  });

  it("G-12: a walk returns untouched records exactly once", () => {
    const table = openNumbers(tens(30));
    const untouched = new Set(tens(30).filter((n) => n % 30 !== 0));
    const seen: number[] = [];
    let page = pageOf(table, { size: 4 });
    for (let turn = 0; ; turn++) {
      seen.push(...page.ns);
      // Moves, deletes and inserts records before and after the page.
      table.upsert(numbered(turn * 30 + 30).id, { n: turn % 2 === 0 ? 5 : 500 + turn });
      table.delete(numbered((turn * 90) % 300).id);
      table.insert({ n: 115 + turn, s: "new" });
      if (!page.more) break;
      page = pageOf(table, { after: page.cursor });
    }
    const once = seen.filter((n) => untouched.has(n));
    expect(once).toEqual([...untouched]);
  });
});
