import { beforeEach, describe, expect, it } from "vitest";
import { subscribe } from "../../src/changes.js";
import { createEngine } from "../../src/index.js";
import { expectRefused, idsOf, NOW_TEXT, openShop, refusalOf, untyped } from "./fixture.js";

const COLUMNS = [{ name: "n", type: "int" }];

let { acme, shop } = openShop();

beforeEach(() => {
  ({ acme, shop } = openShop());
});

function branchNames(): string[] {
  return shop.branches().map(({ name }) => name);
}

describe("branches", () => {
  it("B-1: a new database has the branch main, or the given one", () => {
    expect(branchNames()).toEqual(["main"]);
    const named = acme.createDatabase("named", { branchName: "trunk" });
    expect(named.branches()).toEqual([{ name: "trunk", createdAt: NOW_TEXT }]);
    expectRefused(() => named.branch("main"), "branch_not_found M-4");
  });

  it("B-1: a renamed branch keeps its position and its mappings", () => {
    shop.createBranch("dev");
    for (const [gitBranch, serviceBranch] of Object.entries({ a: "main", b: "dev" })) {
      shop.gitBranches.add({ gitBranch, serviceBranch });
    }
    shop.renameBranch("main", "trunk");
    expect(branchNames()).toEqual(["trunk", "dev"]);
    expect(shop.gitBranches.list().mappings).toEqual([
      { gitBranch: "a", serviceBranch: "trunk" },
      { gitBranch: "b", serviceBranch: "dev" },
    ]);
    expectRefused(() => shop.renameBranch("trunk", "dev"), "branch_exists B-1 /name");
    expectRefused(() => shop.renameBranch("main", "x"), "branch_not_found M-4");
  });

  it("X-5: replaces metadata, and checks its types", () => {
    const metadata = {
      repository: "https://example.com/r",
      branch: "b",
      stage: "s",
      labels: ["l"],
    };
    const dev = shop.createBranch("dev", { metadata });
    expect(dev.metadata()).toEqual(metadata);
    dev.setMetadata({ stage: "prod" });
    expect(dev.metadata()).toEqual({ stage: "prod" });
    const bad: [unknown, string, string][] = [
      [{ stage: 1 }, "X-5", "/stage"],
      [{ labels: "a" }, "X-5", "/labels"],
      [{ labels: ["a", 1] }, "X-5", "/labels/1"],
      [{ other: 1 }, "E-3", "/other"],
      [[], "X-5", ""],
    ];
    for (const [given, rule, path] of bad) {
      const made = { metadata: given } as never;
      const itself = path === "" ? '""' : path;
      expectRefused(() => shop.createBranch("x", made), `invalid_request ${rule} /metadata${path}`);
      expectRefused(() => dev.setMetadata(given as never), `invalid_request ${rule} ${itself}`);
    }
    const misspelt = { form: "main" } as never;
    expectRefused(() => shop.createBranch("x", misspelt), "invalid_request E-3 /form");
  });
});

describe("git mapping", () => {
  const mappings = (): unknown => shop.gitBranches.list().mappings;

  it("B-2: the xata profile uses the keys of its client", () => {
    const xata = openShop({ profile: "xata" }).shop;
    xata.gitBranches.add({ gitBranch: "g", xataBranch: "main" });
    expect(xata.gitBranches.list()).toEqual({ mapping: [{ gitBranch: "g", xataBranch: "main" }] });
    const call = (): unknown => xata.gitBranches.add({ gitBranch: "g", serviceBranch: "main" });
    expectRefused(call, "invalid_request E-3 /serviceBranch");
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

  it("B-3: add takes two strings and an existing branch", () => {
    const add = (mapping: unknown) => () => shop.gitBranches.add(mapping as never);
    expect(add({ gitBranch: "g", serviceBranch: "main" })()).toEqual({});
    for (const gitBranch of [undefined, null, 1, "", {}, "g".repeat(1025)]) {
      expectRefused(add({ gitBranch, serviceBranch: "main" }), "invalid_request B-3 /gitBranch");
    }
    for (const serviceBranch of [undefined, null, 1, {}]) {
      const call = add({ gitBranch: "g", serviceBranch });
      expectRefused(call, "invalid_request B-3 /serviceBranch");
    }
    const unknown = add({ gitBranch: "g", serviceBranch: "gone" });
    expectRefused(unknown, "branch_not_found B-3 /serviceBranch");
    expect(refusalOf(unknown).status).toBe(400);
    const extra = add({ gitBranch: "g", serviceBranch: "main", more: 1 });
    expectRefused(extra, "invalid_request E-3 /more");
    expect(mappings()).toEqual([{ gitBranch: "g", serviceBranch: "main" }]);
  });

  it("B-4: remove deletes an entry, or fails", () => {
    shop.gitBranches.add({ gitBranch: "g", serviceBranch: "main" });
    const remove = (name: unknown) => () => shop.gitBranches.remove(name as string);
    expectRefused(remove("G"), "git_branch_not_found B-4");
    expect(refusalOf(remove("G")).status).toBe(404);
    for (const name of [undefined, null, "", 1]) {
      expectRefused(remove(name), "invalid_request B-4 /gitBranch");
    }
    remove("g")();
    expect(mappings()).toEqual([]);
    expectRefused(remove("g"), "git_branch_not_found B-4");
  });

  it("B-5: resolves by mapping, branch name, fallback and default, in this order", () => {
    shop.createBranch("dev");
    shop.createBranch("old");
    shop.gitBranches.add({ gitBranch: "dev", serviceBranch: "old" });
    const resolve = (request?: object): string[] => {
      const { branch, reason } = shop.gitBranches.resolve(request);
      expect(reason.message).not.toBe("");
      return [branch, reason.code];
    };
    expect(resolve({ gitBranch: "dev", fallbackBranch: "main" })).toEqual([
      "old",
      "FOUND_IN_MAPPING",
    ]);
    expect(resolve({ gitBranch: "old", fallbackBranch: "main" })).toEqual(["old", "BRANCH_EXISTS"]);
    expect(resolve({ gitBranch: "x", fallbackBranch: "dev" })).toEqual(["dev", "FALLBACK_BRANCH"]);
    expect(resolve({ fallbackBranch: "dev" })).toEqual(["dev", "FALLBACK_BRANCH"]);
    expect(resolve({ gitBranch: "x", fallbackBranch: "y" })).toEqual(["main", "DEFAULT_BRANCH"]);
    expect(resolve({})).toEqual(["main", "DEFAULT_BRANCH"]);
    expect(resolve()).toEqual(["main", "DEFAULT_BRANCH"]);
    shop.renameBranch("main", "trunk");
    shop.deleteBranch("trunk");
    expect(resolve()).toEqual(["dev", "DEFAULT_BRANCH"]);
    for (const request of [{ gitBranch: 1 }, { fallbackBranch: null }]) {
      expect(refusalOf(() => resolve(request)).code).toBe("invalid_request");
    }
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
      "invalid_request B-1 /data",
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
