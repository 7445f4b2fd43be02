import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { defineColumns } from "../columns.js";
import {
  expectFilterRefused,
  expectRefused,
  openBranch,
  openShop,
  openTable,
  refusalOf,
} from "./fixture.js";

const GOOD_NAMES = ["a", "A-Z_0~9", "-", "_", "~", "0", "10", "constructor", "x".repeat(255)];
const BAD_NAMES: unknown[] = [
  ...["", "x".repeat(256), "a b", "a.b", "a:b", "a/b", "$a", "é", "😀", "a\n", "\ud800"],
  ...[null, undefined, 0, 10n, true, {}, [], ["a"], Symbol("a"), () => "a"],
];

describe("names", () => {
  it("N-1: databases, branches and tables accept 1 to 255 characters A-Z a-z 0-9 _ - ~", () => {
    const { acme, shop, main } = openShop();
    for (const name of GOOD_NAMES) {
      expect(acme.createDatabase(name).metadata().name).toBe(name);
      expect(shop.createBranch(name).name).toBe(name);
      expect(main.createTable(name).name).toBe(name);
    }
    expect(main.tables().map(({ name }) => name)).toEqual(GOOD_NAMES);
  });

  it.each(BAD_NAMES.map((name) => [String(name).slice(0, 20), name]))(
    "N-1: refuses %j",
    (_, bad) => {
      const { acme, shop, main } = openShop();
      main.createTable("teams");
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
      for (const call of address) expectRefused(call, "invalid_name N-1");
      const body = [
        () => acme.renameDatabase("shop", name),
        () => shop.renameBranch("main", name),
        () => main.renameTable("teams", name),
        () => main.table("teams").rename(name),
      ];
      for (const call of body) expectRefused(call, "invalid_name N-1 /name");
      if (bad !== undefined) {
        const call = (): unknown => acme.createDatabase("new", { branchName: name });
        expectRefused(call, "invalid_name N-1 /branchName");
      }
      expect(acme.databases().map((database) => database.name)).toEqual(["shop"]);
      expect(shop.branches().map((branch) => branch.name)).toEqual(["main"]);
      expect(main.tables()).toEqual([{ name: "teams" }]);
    },
  );
});

describe("column names", () => {
  it.each(["a", "A-Z_~9", "01", "00", "-1", "1e3", "4294967295", "constructor", "x".repeat(255)])(
    "N-3: accepts %j",
    (name) => {
      const table = openTable([
        { name, type: "int" },
        { name: "o", type: "object", columns: [{ name, type: "int" }] },
      ]);
      table.insert({ id: "a", [name]: 1, o: { [name]: 2 } });
      expect(table.get("a")).toMatchObject({ [name]: 1, o: { [name]: 2 } });
      expect(table.count({ [name]: 1, [`o.${name}`]: 2 })).toBe(1);
    },
  );

  it.each([
    ...["", "x".repeat(256), "a b", "a.b", "é", "$a", "$", "id", "service", "0", "10"],
    ...["4294967294", "__proto__", "->", "*", null, 1, {}],
  ])("N-3: refuses %j", (name) => {
    const branch = openBranch();
    const table = branch.createTable("items", [{ name: "o", type: "object" }]);
    const column = { name, type: "int" };
    const place = "/0/name";
    expectRefused(() => branch.createTable("t", [column]), `invalid_schema N-3 ${place}`);
    const inObject = { name: "o", type: "object", columns: [{ name: "a", type: "int" }, column] };
    expectRefused(
      () => branch.createTable("t", [inObject]),
      "invalid_schema N-3 /0/columns/1/name",
    );
    // A dotted name adds to an object column.
    if (name !== "a.b") {
      expectRefused(() => table.addColumn(column), "invalid_schema N-3 /name");
    }
    expect(refusalOf(() => table.renameColumn("o", name)).code).toBe("invalid_schema");
    expect(branch.tables()).toEqual([{ name: "items" }]);
  });

  it("N-3: reserves the metadata column of its own profile only", () => {
    const columns = (name: string) => [{ name, type: "int" }];
    expect(openTable(columns("xata")).schema().columns).toEqual(columns("xata"));
    expect(openTable(columns("service"), "xata").schema().columns).toEqual(columns("service"));
    expectRefused(() => openTable(columns("xata"), "xata"), "invalid_schema N-3 /0/name");
  });

  it("N-3: names are unique without regard to case, in a table and in an object", () => {
    const branch = openBranch();
    const twice = defineColumns({ Name: "int", nAME: "string" });
    expectRefused(() => branch.createTable("t", twice), "invalid_schema N-3 /1/name");
    const inObject = [{ name: "o", type: "object", columns: twice }];
    const place = "/0/columns/1/name";
    expectRefused(() => branch.createTable("t", inObject), `invalid_schema N-3 ${place}`);
    // Tables and objects may have columns of the same name.
    const table = branch.createTable(
      "t",
      defineColumns({ name: "int", o: { name: "int" }, p: { NAME: "int" } }),
    );
    expectRefused(() => table.addColumn({ name: "NAME", type: "int" }), "column_exists N-3 /name");
    expect(refusalOf(() => table.renameColumn("o", "Name")).code).toBe("column_exists");
    table.renameColumn("name", "NAME");
    expect(table.schema().columns).toMatchObject([{ name: "NAME" }, { name: "o" }, { name: "p" }]);
  });
});

describe("names that JavaScript objects have", () => {
  const HOSTILE = ["constructor", "toString", "valueOf", "hasOwnProperty", "isPrototypeOf"];
  const PROTO = JSON.parse('{"__proto__": {"polluted": true}}') as unknown;

  it.each(HOSTILE)("N-5: %s is an ordinary name", (name) => {
    const branch = openBranch();
    const column = { name, type: "string", unique: true };
    const table = branch.createTable(name, [
      column,
      { name: "o", type: "object", columns: [column] },
    ]);
    table.insert({ id: name, [name]: "x", o: { [name]: "y" } });
    expect(table.get(name)).toMatchObject({ id: name, [name]: "x", o: { [name]: "y" } });
    expect(table.query({ columns: [name], sort: { [name]: "asc" } }).records).toEqual([
      { id: name, [name]: "x", service: expect.anything() },
    ]);
    expect(table.count({ [name]: { $startsWith: "x" }, [`o.${name}`]: "y" })).toBe(1);
    expect(table.schema().columns[0]).toEqual(column);
  });

  it("N-5: __proto__ is an unknown column everywhere", () => {
    const branch = openBranch();
    const table = branch.createTable(
      "t",
      defineColumns({ a: "int", o: { b: "int" }, self: "-> t" }),
    );
    for (const path of ["__proto__", "o.__proto__", "self.__proto__", "__proto__.a"]) {
      const filter = JSON.parse(`{${JSON.stringify(path)}: 1}`) as unknown;
      expectFilterRefused(table, filter, `unknown_column P-9 /${path}`);
      expectRefused(() => table.query({ columns: [path] }), "unknown_column P-9 /columns/0");
      expectRefused(() => table.query({ sort: [path] }), "unknown_column P-9 /sort/0");
    }
    expectRefused(() => table.insert(PROTO), "invalid_record R-8 /__proto__");
    expectRefused(() => table.insert({ o: PROTO }), "invalid_record T-10 /o/__proto__");
    expectRefused(() => table.query(PROTO), "invalid_request E-3 /__proto__");
    expectRefused(() => table.query({ page: PROTO }), "invalid_request E-3 /page/__proto__");
    expectRefused(() => table.renameColumn("a", "__proto__"), 'invalid_schema N-3 ""');
    expectRefused(() => table.removeColumn("__proto__"), "column_not_found X-4");
    expectRefused(() => branch.table("__proto__"), "table_not_found M-4");
    expect(table.schema().columns).toHaveLength(3);
  });

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
    table.insert({ id: "a", doc: PROTO });
    const { doc } = table.get("a") as { doc?: object } & Record<string, unknown>;
    expect(JSON.stringify(doc)).toBe('{"__proto__":{"polluted":true}}');
    expect(Object.getPrototypeOf(doc)).toBe(Object.prototype);
    expect(table.count({ "doc->__proto__->polluted": true })).toBe(1);
    expect(table.count({ $exists: "doc->constructor" })).toBe(0);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
