import { beforeEach, describe, expect, it } from "vitest";
import { subscribe } from "../../src/changes.js";
import { createEngine } from "../../src/index.js";
import { expectRefused, idsOf, openShop, untyped } from "./fixture.js";

const COLUMNS = [{ name: "n", type: "int" }];

let { shop } = openShop();

beforeEach(() => {
  ({ shop } = openShop());
});

describe("branches", () => {
  it("B-1: a renamed branch keeps its position and its mappings", () => {
    shop.createBranch("dev");
    for (const [gitBranch, serviceBranch] of Object.entries({ a: "main", b: "dev" })) {
      shop.gitBranches.add({ gitBranch, serviceBranch });
    }
    shop.renameBranch("main", "trunk");
    expect(shop.branches().map(({ name }) => name)).toEqual(["trunk", "dev"]);
    expect(shop.gitBranches.list().mappings).toEqual([
      { gitBranch: "a", serviceBranch: "trunk" },
      { gitBranch: "b", serviceBranch: "dev" },
    ]);
    expectRefused(() => shop.renameBranch("trunk", "dev"), "branch_exists", "B-1", "/name");
    expectRefused(() => shop.renameBranch("main", "x"), "branch_not_found", "M-4");
  });

  it("B-3: add warns of an entry that it overwrites, and reads the mapping once", () => {
    let reads = 0;
    const mapping = {
      get gitBranch() {
        return ["g", "other"][reads++] ?? "";
      },
      serviceBranch: "main",
    };
    shop.gitBranches.add({ gitBranch: "g", serviceBranch: "main" });
    const warning = "The git branch g was mapped to main before; it is now mapped to main.";
    expect(shop.gitBranches.add(mapping)).toEqual({ warning });
  });

  it("B-1: under xata a branch copies the schema, with `data` the records too", () => {
    const db = openShop({ profile: "xata" }).shop;
    const rows = untyped(db.branch("main")).createTable("rows", COLUMNS);
    rows.insert({ id: "a", n: 1 });
    const { cursor } = rows.query().meta.page;
    const bare = untyped(db.createBranch("bare", { from: "main" })).table("rows");
    expect(bare.schema()).toEqual({ columns: COLUMNS });
    expect(bare.count()).toBe(0);
    bare.insert({ id: "b", n: 2 });
    expect(rows.count()).toBe(1);
    // G-13: it is the same table, so its cursors are valid.
    expect(idsOf(bare.query({ page: { after: cursor } }).records)).toEqual(["b"]);
    const full = db.createBranch("full", { from: "main", data: true }).table("rows");
    expect(full.count()).toBe(1);
    expect(shop.createBranch("none", { from: "main", data: false }).tables()).toEqual([]);
    expectRefused(
      () => db.createBranch("x", { from: "main", data: "yes" as never }),
      "invalid_request",
      "B-1",
      "/data",
    );
    const mixed = createEngine({ profile: { base: "xata", branchCopies: "records" } });
    expect(mixed.profile.branchCopies).toBe("records");
    expect(() => createEngine({ profile: { branchCopies: "none" as never } })).toThrow(
      "branchCopies",
    );
  });

  it("B-1: a branch copied without records is reported as created tables", () => {
    const { engine: other, shop: db, main: trunk } = openShop({ profile: "xata" });
    trunk.createTable("rows", COLUMNS).insert({ id: "a" });
    const kinds: string[] = [];
    subscribe(other, (changes) => kinds.push(...changes.map(({ kind }) => kind)));
    db.createBranch("bare", { from: "main" });
    expect(kinds).toEqual(["branch_created", "table_created"]);
  });
});
