import { describe, expect, it } from "vitest";
import type { ProfileOption } from "../../src/index.js";
import { defineColumns } from "../columns.js";
import {
  expectRefused,
  idsOf,
  openShop,
  openTable,
  refusalOf,
  type UntypedTable,
  untyped,
} from "./fixture.js";

const COLUMNS = defineColumns({
  n: "int",
  s: "string",
  o: { p: "int" },
  doc: "json",
  team: "-> teams",
});

function open() {
  const { engine, shop, main } = openShop();
  const teams = main.createTable("teams", [{ name: "label", type: "string" }]);
  const items = main.createTable("items", COLUMNS);
  teams.insert({ id: "red", label: "Red" });
  items.insert(
    Array.from({ length: 6 }, (_, n) => ({ id: `r${n}`, n, s: "x", o: { p: n }, team: "red" })),
  );
  return { engine, shop, main, teams, items };
}

const REQUEST = { filter: { "team.label": "Red" }, sort: { n: "desc" }, page: { size: 2 } };

function cursorOf(table: UntypedTable, request: object = REQUEST): string {
  return table.query(request).meta.page.cursor;
}

function expectInvalid(table: UntypedTable, cursor: unknown, page: object = {}): void {
  for (const key of ["after", "before", "start", "end"]) {
    const call = (): unknown => table.query({ page: { ...page, [key]: cursor } });
    expectRefused(call, "invalid_cursor", "G-13", `/page/${key}`);
  }
}

function expectGood(table: UntypedTable, cursor: string): void {
  expect(idsOf(table.query({ page: { after: cursor } }).records)).toEqual(["r3", "r2"]);
}

describe("page size and offset", () => {
  it.each<[ProfileOption, number, number]>([
    [{ base: "xata", maxPageSize: 200, maxPageOffset: 800 }, 200, 800],
    [{ maxPageSize: 7, maxPageOffset: 0 }, 7, 0],
  ])("G-1, L-1: profile %j allows size %i and offset %i", (profile, maxSize, maxOffset) => {
    const table = openTable({ n: "int" }, profile);
    table.load(Array.from({ length: 1100 }, (_, n) => ({ n })));
    expect(table.query({ page: { size: maxSize } }).records).toHaveLength(maxSize);
    expect(table.query({ page: { offset: maxOffset, size: 1 } }).meta.page.size).toBe(1);
    for (const size of [maxSize + 1, 1e9, Number.MAX_SAFE_INTEGER]) {
      const call = (): unknown => table.query({ page: { size } });
      expectRefused(call, "invalid_page", "G-1", "/page/size");
      expect(refusalOf(call).message).toBe(`page size exceeds max limit of ${maxSize}`);
    }
    const call = (): unknown => table.query({ page: { offset: maxOffset + 1 } });
    expectRefused(call, "invalid_page", "G-1", "/page/offset");
    expect(refusalOf(call).message).toBe(`page offset must not exceed ${maxOffset}`);
  });

  it("G-1: refuses numbers that JSON cannot say", () => {
    const table = openTable({ n: "int" });
    for (const odd of [Number.NaN, Number.POSITIVE_INFINITY, 2n]) {
      for (const key of ["size", "offset"]) {
        expectRefused(
          () => table.query({ page: { [key]: odd } }),
          "invalid_page",
          "G-1",
          `/page/${key}`,
        );
      }
    }
    expect(table.query({ page: { size: undefined, offset: undefined } }).meta.page.size).toBe(20);
  });
});

describe("validity of cursors", () => {
  it("G-13: rejects a cursor of a table that a restore removed and that was created again", () => {
    const { engine, main } = open();
    const saved = engine.snapshot();
    const cursor = cursorOf(main.createTable("new"), {});
    engine.restore(saved);
    expectInvalid(main.createTable("new"), cursor);
  });

  it("G-13: rename, branch, snapshot and fork keep a table's identity", () => {
    const { engine, shop, main, items } = open();
    const cursor = cursorOf(items);
    const saved = engine.snapshot();
    const dev = untyped(shop.createBranch("dev", { from: "main" }));
    expectGood(dev.table("items"), cursor);
    expectGood(items, cursorOf(dev.table("items")));
    items.rename("things");
    expectGood(main.table("things"), cursor);
    main.renameTable("teams", "clubs");
    expectGood(main.table("things"), cursor);
    const fork = engine.fork().workspace("acme").database("shop");
    expectGood(untyped(fork.branch("main")).table("things"), cursor);
    engine.restore(saved);
    expectGood(main.table("items"), cursor);
    shop.renameBranch("main", "trunk");
    expectGood(untyped(shop.branch("trunk")).table("items"), cursor);
  });

  it("G-13: accepts a cursor after changes of other columns", () => {
    const { items, teams } = open();
    const cursor = cursorOf(items);
    items.addColumn({ name: "later", type: "int", defaultValue: 1 });
    items.renameColumn("s", "title");
    items.removeColumn("o");
    teams.addColumn({ name: "won", type: "int" });
    expectGood(items, cursor);
    // A star selects the current columns.
    const all = cursorOf(items, { columns: ["*"], page: { size: 1 } });
    items.renameColumn("title", "name");
    expect(items.query({ page: { after: all } }).records[0]).toMatchObject({ name: "x", later: 1 });
  });
});
