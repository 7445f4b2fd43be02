import { describe, expect, it } from "vitest";
import { defineColumns } from "../columns.js";
import { expectRefused, idsOf, openShop, type UntypedTable, untyped } from "./fixture.js";

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
    expectRefused(call, `invalid_cursor G-13 /page/${key}`);
  }
}

function expectGood(table: UntypedTable, cursor: string): void {
  expect(idsOf(table.query({ page: { after: cursor } }).records)).toEqual(["r3", "r2"]);
}

describe("validity of cursors", () => {
  it("G-13: rejects a cursor whose path leads through a recreated table", () => {
    const { main, items } = open();
    const cursor = cursorOf(items);
    main.deleteTable("teams");
    expectInvalid(items, cursor);
    main.createTable("teams", [{ name: "label", type: "string" }]);
    expectInvalid(items, cursor);
  });

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

  it("G-13: rejects a cursor with a column that is removed, renamed or of another type", () => {
    const named: [string, object][] = [
      ["n", { sort: { n: "asc" } }],
      ["n", { filter: { $any: [{ n: 1 }, { s: "x" }] } }],
      ["n", { columns: ["s", "n"] }],
      ["n", { filter: { $exists: "n" } }],
      ["o.p", { filter: { o: { p: { $ge: 0 } } } }],
      ["o.p", { columns: ["o.p"] }],
      ["o", { filter: { $exists: "o.p" } }],
      ["doc", { filter: { "doc->a": null } }],
      ["team", { filter: { "team.label": "Red" } }],
      ["team", { columns: ["team.label"] }],
      ["team", { sort: ["team.id"] }],
    ];
    for (const [column, request] of named) {
      const removed = open().items;
      const cursor = cursorOf(removed, request);
      removed.removeColumn(column);
      expectInvalid(removed, cursor);
      expectInvalid(removed, cursor, { size: 5 });
      const renamed = open().items;
      const other = cursorOf(renamed, request);
      renamed.renameColumn(column, "renamed");
      expectInvalid(renamed, other);
      // Other columns and a new column of the old name make no difference.
      expect(() => renamed.query({ columns: [], page: { after: other } })).toThrow("cursor");
      const retyped = open().items;
      const third = cursorOf(retyped, request);
      retyped.removeColumn(column);
      const type = column === "n" ? "float" : "int";
      retyped.addColumn({ name: column, type });
      expectInvalid(retyped, third);
    }
  });

  it("G-13: rejects a cursor with a changed column of a linked table", () => {
    const changes: ((parts: ReturnType<typeof open>) => void)[] = [
      ({ teams }) => teams.removeColumn("label"),
      ({ teams }) => teams.renameColumn("label", "title"),
      ({ main }) => main.deleteTable("teams"),
    ];
    for (const change of changes) {
      for (const request of [REQUEST, { sort: ["team.label"] }, { columns: ["team.label"] }]) {
        const parts = open();
        const cursor = cursorOf(parts.items, request);
        change(parts);
        expectInvalid(parts.items, cursor);
      }
    }
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

  it("G-13: checks every cursor of a request", () => {
    const { items } = open();
    const cursor = cursorOf(items);
    const call = (page: object) => () => items.query({ page });
    expectRefused(call({ after: cursor, before: "x" }), "invalid_cursor G-13 /page/before");
    expectRefused(call({ after: "x", before: "end" }), "invalid_cursor G-13 /page/after");
    expectRefused(call({ after: "x", before: "y" }), "invalid_cursor G-13 /page/after");
  });
});
