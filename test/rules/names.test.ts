import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { expectRefused, openShop, openTable } from "./fixture.js";

/** Values that no JSON body or address holds, beside two that it does. */
const BAD_NAMES: readonly unknown[] = [
  ...["", "\ud800", null, undefined, 0, 10n, {}, ["a"], Symbol("a"), () => "a"],
];

describe("names", () => {
  it("N-1: every method refuses what is no name, and changes nothing", () => {
    const { acme, shop, main } = openShop();
    main.createTable("teams");
    for (const bad of BAD_NAMES) {
      const name = bad as string;
      const address = [
        () => acme.createDatabase(name),
        () => acme.database(name),
        () => acme.deleteDatabase(name),
        () => shop.createBranch(name),
        () => shop.branch(name),
        () => shop.deleteBranch(name),
        () => main.createTable(name),
        () => main.table(name),
        () => main.deleteTable(name),
      ];
      for (const call of address) expectRefused(call, "invalid_name", "N-1");
      const body = [
        () => acme.renameDatabase("shop", name),
        () => shop.renameBranch("main", name),
        () => main.renameTable("teams", name),
        () => main.table("teams").rename(name),
      ];
      for (const call of body) expectRefused(call, "invalid_name", "N-1", "/name");
      if (bad !== undefined) {
        const call = (): unknown => acme.createDatabase("new", { branchName: name });
        expectRefused(call, "invalid_name", "N-1", "/branchName");
      }
    }
    expect(acme.databases().map((database) => database.name)).toEqual(["shop"]);
    expect(shop.branches().map((branch) => branch.name)).toEqual(["main"]);
    expect(main.tables()).toEqual([{ name: "teams" }]);
  });
});

describe("names that JavaScript objects have", () => {
  it("N-5: inherited properties are no part of a record", () => {
    const table = openTable({ n: "int", box: { sub: "int" } });
    const record: unknown = runInNewContext(`
      Object.assign(Object.prototype, { n: 7, sub: 8, other: 9 });
      ({ id: "a", box: {} });
    `);
    expect(table.insert(record)).toEqual({ id: "a", service: expect.anything() });
  });

  it("N-5: values never change a prototype", () => {
    const table = openTable({ doc: "json" });
    table.insert({ id: "a", doc: JSON.parse('{"__proto__": {"polluted": true}}') });
    const { doc } = table.get("a") as { doc?: object } & Record<string, unknown>;
    expect(JSON.stringify(doc)).toBe('{"__proto__":{"polluted":true}}');
    expect(Object.getPrototypeOf(doc)).toBe(Object.prototype);
    expect(table.count({ "doc->__proto__->polluted": true })).toBe(1);
    expect(table.count({ $exists: "doc->constructor" })).toBe(0);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
