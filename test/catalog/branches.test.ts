import { describe, expect, it } from "vitest";
import {
  addBranch as addBranchIn,
  changeBranchMetadata as changeBranchMetadataIn,
  listBranches,
  removeBranch as removeBranchIn,
  renameBranch as renameBranchIn,
} from "../../src/catalog/branches.js";
import { findBranch, findDatabase, findTable } from "../../src/catalog/find.js";
import { addGitBranch as addGitBranchIn } from "../../src/catalog/git-branches.js";
import type { CatalogState } from "../../src/catalog/state.js";
import { addTables } from "../../src/catalog/tables.js";
import { PROFILES } from "../../src/profile.js";
import { compileSchema } from "../../src/schema/declare.js";
import { createTableVersion } from "../../src/storage/table.js";
import { AT, applied, createMaking, createShop, MAIN, SHOP } from "./fixture.js";
import { expectRefusal } from "./refusal.js";

const making = createMaking();
const changeBranchMetadata = applied(changeBranchMetadataIn);
const addGitBranch = applied(addGitBranchIn);
const addBranch = applied(addBranchIn);
const renameBranch = applied(renameBranchIn);
const removeBranch = applied(removeBranchIn);

const DEV = { ...SHOP, branch: "dev" };

function map(state: CatalogState, gitBranch: string, serviceBranch: string): CatalogState {
  return addGitBranch(state, SHOP, { gitBranch, serviceBranch }, PROFILES.documented);
}

function mappings(state: CatalogState): [string, string][] {
  return [...findDatabase(state, SHOP).branchesByGitBranch];
}

describe("addBranch", () => {
  it("B-1: is empty without from", () => {
    const state = addBranch(createShop(), DEV, undefined, {
      ...making,
      now: () => ({ ms: AT.ms, micros: 5 }),
    });
    expect(findBranch(state, DEV).tables.size).toBe(0);
    expect(listBranches(state, SHOP)).toEqual([
      { name: "main", createdAt: "2022-01-31T10:20:30Z" },
      { name: "dev", createdAt: "2022-01-31T10:20:30.000005Z" },
    ]);
  });

  it("B-1: shares the tables of the branch it starts from", () => {
    const version = createTableVersion("id", compileSchema([], PROFILES.documented));
    const key = making.addTable(version);
    const shop = applied(addTables)(createShop(), MAIN, new Map([["t", key]]), {
      createdAt: AT,
      operations: [],
    });
    const state = addBranch(shop, DEV, { from: "main" }, making);
    const copied = findTable(state, { ...DEV, table: "t" });
    expect(copied).not.toBe(key);
    expect(making.tableAt(copied)).toBe(version);
  });

  it("B-1: a taken name is refused", () => {
    expectRefusal(() => addBranch(createShop(), MAIN, { from: 1 }, making), {
      code: "branch_exists",
      status: 422,
    });
  });

  it.each(["nope", "shop:main", "__proto__", 1, null])("B-1: from %j is a 400 (E-1)", (from) => {
    expectRefusal(() => addBranch(createShop(), DEV, { from }, making), {
      code: "branch_not_found",
      status: 400,
      path: "/from",
    });
  });

  it.each([
    [{ form: "main" }, "/form"],
    [{ metadata: [] }, "/metadata"],
    [{ metadata: { stage: 1 } }, "/metadata/stage"],
    [{ metadata: { labels: ["a", 1] } }, "/metadata/labels/1"],
    [{ metadata: { other: 1 } }, "/metadata/other"],
  ])("X-5: %j is refused", (options, path) => {
    expectRefusal(() => addBranch(createShop(), DEV, options, making), {
      code: "invalid_request",
      path,
    });
  });

  it("N-1: a bad name is refused", () => {
    expectRefusal(() => addBranch(createShop(), { ...DEV, branch: "a/b" }, {}, making), {
      code: "invalid_name",
    });
  });
});

describe("renameBranch", () => {
  const state = map(addBranch(createShop(), DEV, {}, making), "feature/1", "main");

  it("keeps its place, and the mappings to it", () => {
    const renamed = renameBranch(state, MAIN, "trunk", making);
    expect(listBranches(renamed, SHOP).map(({ name }) => name)).toEqual(["trunk", "dev"]);
    expect(mappings(renamed)).toEqual([["feature/1", "trunk"]]);
  });

  it("refuses a taken, a bad and a missing name", () => {
    expectRefusal(() => renameBranch(state, MAIN, "dev", making), {
      code: "branch_exists",
      path: "/name",
    });
    expectRefusal(() => renameBranch(state, MAIN, "a b", making), {
      code: "invalid_name",
      path: "/name",
    });
    expectRefusal(() => renameBranch(state, { ...SHOP, branch: "x" }, "y", making), {
      code: "branch_not_found",
      status: 404,
    });
  });
});

describe("removeBranch", () => {
  it("B-1: the last branch cannot be deleted", () => {
    expectRefusal(() => removeBranch(createShop(), MAIN, making), {
      code: "last_branch",
      status: 422,
      rule: "B-1",
    });
    expectRefusal(() => removeBranch(createShop(), DEV, making), { code: "branch_not_found" });
  });

  it("B-1: main can go when another is left", () => {
    const state = removeBranch(addBranch(createShop(), DEV, {}, making), MAIN, making);
    expect(listBranches(state, SHOP).map(({ name }) => name)).toEqual(["dev"]);
    expectRefusal(() => removeBranch(state, DEV, making), { code: "last_branch" });
  });

  it("B-6: takes the mappings to it along, and no others", () => {
    let state = addBranch(createShop(), DEV, {}, making);
    state = map(map(map(state, "a", "dev"), "b", "main"), "c", "dev");
    expect(mappings(removeBranch(state, DEV, making))).toEqual([["b", "main"]]);
  });
});

describe("changeBranchMetadata", () => {
  it("X-5: replaces it", () => {
    const metadata = {
      repository: "https://example.com/r",
      branch: "b",
      stage: "s",
      labels: ["l"],
    };
    const state = addBranch(createShop(), DEV, { metadata }, making);
    expect(findBranch(state, DEV).metadata).toEqual(metadata);
    const changed = changeBranchMetadata(state, DEV, { stage: "prod" });
    expect(findBranch(changed, DEV).metadata).toEqual({ stage: "prod" });
    expectRefusal(() => changeBranchMetadata(state, DEV, { stage: {} }), {
      code: "invalid_request",
      path: "/stage",
    });
  });
});
