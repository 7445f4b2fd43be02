import { describe, expect, it } from "vitest";
import {
  addDatabase as addDatabaseIn,
  changeDatabase as changeDatabaseIn,
  changeDatabaseSettings as changeDatabaseSettingsIn,
  describeDatabase,
  listDatabases,
  removeDatabase as removeDatabaseIn,
  renameDatabase as renameDatabaseIn,
} from "../../src/catalog/databases.js";
import { findBranch, findDatabase } from "../../src/catalog/find.js";
import { addGitBranch as addGitBranchIn } from "../../src/catalog/git-branches.js";
import { PROFILES } from "../../src/profile.js";
import { AT, applied, createMaking, createShop, MAIN, SHOP } from "./fixture.js";
import { expectRefusal } from "./refusal.js";

const making = createMaking();
const addDatabase = applied(addDatabaseIn);
const changeDatabase = applied(changeDatabaseIn);
const changeDatabaseSettings = applied(changeDatabaseSettingsIn);
const addGitBranch = applied(addGitBranchIn);
const removeDatabase = applied(removeDatabaseIn);
const renameDatabase = applied(renameDatabaseIn);

const OTHER = { workspace: "acme", database: "other" };

describe("addDatabase", () => {
  it("B-1: has the branch main, or the one named", () => {
    const state = addDatabase(createShop(), OTHER, { branchName: "dev" }, AT);
    expect([...findDatabase(state, SHOP).branches.keys()]).toEqual(["main"]);
    expect([...findDatabase(state, OTHER).branches.keys()]).toEqual(["dev"]);
    expect(findBranch(state, MAIN).tables.size).toBe(0);
  });

  it("D-2: describes name, region, time and colour", () => {
    const options = { region: "eu-west-1", ui: { color: "RED" } };
    const state = addDatabase(createShop(), OTHER, options, AT);
    expect(listDatabases(state, "acme")).toEqual([
      { name: "shop", region: "us-east-1", createdAt: "2022-01-31T10:20:30Z" },
      {
        name: "other",
        region: "eu-west-1",
        createdAt: "2022-01-31T10:20:30Z",
        ui: { color: "RED" },
      },
    ]);
    expect(Object.keys(describeDatabase("shop", findDatabase(state, SHOP)))).not.toContain("ui");
  });

  it("D-1: rejects a taken name before other faults of the request (E-6)", () => {
    expectRefusal(() => addDatabase(createShop(), SHOP, { nope: 1 }, AT), {
      code: "database_exists",
      status: 422,
      rule: "D-1",
    });
  });

  it.each([
    [{ nope: 1 }, "invalid_request", "/nope"],
    [{ region: "" }, "invalid_request", "/region"],
    [{ region: 1 }, "invalid_request", "/region"],
    [{ branchName: "a b" }, "invalid_name", "/branchName"],
    [{ branchName: null }, "invalid_name", "/branchName"],
    [{ ui: "RED" }, "invalid_request", "/ui"],
    [{ ui: { color: "" } }, "invalid_request", "/ui/color"],
    [{ ui: { color: "x".repeat(33) } }, "invalid_request", "/ui/color"],
    [{ ui: { color: "RED", other: 1 } }, "invalid_request", "/ui/other"],
    [JSON.parse('{"__proto__": {"region": "x"}}'), "invalid_request", "/__proto__"],
    [[], "invalid_request", ""],
  ] as const)("D-1: %j is refused", (options, code, path) => {
    expectRefusal(() => addDatabase(createShop(), OTHER, options, AT), { code, path, status: 400 });
  });

  it("N-1: a bad name is refused", () => {
    expectRefusal(() => addDatabase(createShop(), { ...OTHER, database: "a:b" }, {}, AT), {
      code: "invalid_name",
    });
  });
});

describe("changeDatabase", () => {
  it("D-3: sets the colour", () => {
    const state = changeDatabase(createShop(), SHOP, { ui: { color: "💜".repeat(32) } });
    expect(findDatabase(state, SHOP).color).toBe("💜".repeat(32));
  });

  it.each([
    [undefined, "/ui/color"],
    [{}, "/ui/color"],
    [{ ui: {} }, "/ui/color"],
    [{ ui: { color: null } }, "/ui/color"],
    [{ ui: { color: "a" }, region: "x" }, "/region"],
    [{ ui: { color: "a", colour: "b" } }, "/ui/colour"],
  ])("D-3: %j is refused", (changes, path) => {
    expectRefusal(() => changeDatabase(createShop(), SHOP, changes), {
      code: "invalid_request",
      path,
    });
  });

  it("D-2: an unknown database is a 404 on every route", () => {
    expectRefusal(() => changeDatabase(createShop(), OTHER, { nope: 1 }), {
      code: "database_not_found",
    });
  });
});

describe("renameDatabase", () => {
  const state = addDatabase(createShop(), OTHER, {}, AT);

  it("keeps everything else, the place in the list too", () => {
    const renamed = renameDatabase(state, SHOP, "store", making);
    expect(listDatabases(renamed, "acme").map(({ name }) => name)).toEqual(["store", "other"]);
    expect(findDatabase(renamed, { ...SHOP, database: "store" })).toBe(findDatabase(state, SHOP));
    expectRefusal(() => findDatabase(renamed, SHOP), { code: "database_not_found" });
  });

  it("refuses a taken, a bad and a missing name", () => {
    expectRefusal(() => renameDatabase(state, SHOP, "other", making), {
      code: "database_exists",
      path: "/name",
    });
    expectRefusal(() => renameDatabase(state, SHOP, "shop", making), { code: "database_exists" });
    expectRefusal(() => renameDatabase(state, SHOP, undefined, making), {
      code: "invalid_name",
      path: "/name",
    });
    expectRefusal(() => renameDatabase(state, { ...SHOP, database: "nope" }, "x", making), {
      code: "database_not_found",
    });
  });
});

describe("removeDatabase", () => {
  it("D-4: takes branches and mappings with it", () => {
    const mapping = { gitBranch: "g", serviceBranch: "main" };
    const mapped = addGitBranch(createShop(), SHOP, mapping, PROFILES.documented);
    const again = addDatabase(
      removeDatabase(mapped, SHOP, making),
      SHOP,
      { branchName: "dev" },
      AT,
    );
    expect(findDatabase(again, SHOP).branchesByGitBranch.size).toBe(0);
    expect([...findDatabase(again, SHOP).branches.keys()]).toEqual(["dev"]);
    expectRefusal(() => removeDatabase(again, OTHER, making), { code: "database_not_found" });
  });
});

describe("changeDatabaseSettings", () => {
  it("X-5: are stored as given", () => {
    const state = changeDatabaseSettings(createShop(), SHOP, { searchEnabled: true });
    expect(findDatabase(state, SHOP).settings).toEqual({ searchEnabled: true });
    expectRefusal(() => changeDatabaseSettings(state, SHOP, "x"), { code: "invalid_request" });
  });
});
