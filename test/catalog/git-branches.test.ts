import { describe, expect, it } from "vitest";
import {
  addBranch as addBranchIn,
  removeBranch as removeBranchIn,
} from "../../src/catalog/branches.js";
import { type CatalogDraft, produceCatalog } from "../../src/catalog/draft.js";
import {
  addGitBranch,
  listGitBranches,
  removeGitBranch as removeGitBranchIn,
  resolveGitBranch,
} from "../../src/catalog/git-branches.js";
import { PROFILES } from "../../src/profile.js";
import { applied, createMaking, createShop, MAIN, SHOP } from "./fixture.js";
import { expectRefusal } from "./refusal.js";

const making = createMaking();
const removeGitBranch = applied(removeGitBranchIn);
const addBranch = applied(addBranchIn);
const removeBranch = applied(removeBranchIn);

const { documented, xata } = PROFILES;
const DEV = { ...SHOP, branch: "dev" };
const shop = addBranch(createShop(), DEV, {}, making);

function add(state: typeof shop, gitBranch: string, serviceBranch: string) {
  const mapping = { gitBranch, serviceBranch };
  const recipe = (draft: CatalogDraft) => addGitBranch(draft, SHOP, mapping, documented);
  const { state: after, result: warning } = produceCatalog(state, recipe);
  return { state: after, warning };
}

describe("addGitBranch", () => {
  it("B-2: lists mappings in the order first added, overwritten ones included", () => {
    let { state } = add(shop, "b", "dev");
    state = add(state, "10", "dev").state;
    state = add(state, "2", "dev").state;
    state = add(state, "__proto__", "dev").state;
    state = add(state, "b", "main").state;
    expect(listGitBranches(state, SHOP, documented)).toEqual({
      mappings: [
        { gitBranch: "b", serviceBranch: "main" },
        { gitBranch: "10", serviceBranch: "dev" },
        { gitBranch: "2", serviceBranch: "dev" },
        { gitBranch: "__proto__", serviceBranch: "dev" },
      ],
    });
  });

  it("B-2: speaks the profile's names", () => {
    const mapping = { gitBranch: "g", xataBranch: "main" };
    const state = applied(addGitBranch)(shop, SHOP, mapping, xata);
    expect(listGitBranches(state, SHOP, xata)).toEqual({ mapping: [mapping] });
    expectRefusal(() => applied(addGitBranch)(shop, SHOP, mapping, documented), {
      code: "invalid_request",
      path: "/xataBranch",
      rule: "E-3",
    });
  });

  it("B-3: warns when it overwrites, naming the git branch", () => {
    const first = add(shop, "feature/x", "main");
    expect(first.warning).toBeUndefined();
    expect(add(first.state, "feature/x", "dev").warning).toMatch(/^[A-Z].*feature\/x.*\.$/);
    expect(add(first.state, "feature/x", "main").warning).toContain("feature/x");
  });

  it.each(["nope", "Main", "a b", "constructor", ""])("B-3: unknown branch %j", (branch) => {
    expectRefusal(() => add(shop, "g", branch), {
      code: "branch_not_found",
      status: 400,
      path: "/serviceBranch",
      rule: "B-3",
    });
  });

  it.each([
    [undefined, "/gitBranch"],
    [{}, "/gitBranch"],
    [{ serviceBranch: "main" }, "/gitBranch"],
    [{ gitBranch: "g" }, "/serviceBranch"],
    [{ gitBranch: 1, serviceBranch: "main" }, "/gitBranch"],
    [{ gitBranch: "", serviceBranch: "main" }, "/gitBranch"],
    [{ gitBranch: "g".repeat(1025), serviceBranch: "main" }, "/gitBranch"],
    [{ gitBranch: "g", serviceBranch: 1 }, "/serviceBranch"],
    [{ gitBranch: "g", serviceBranch: "main", more: 1 }, "/more"],
    ["g", ""],
  ])("B-3: %j is refused", (mapping, path) => {
    expectRefusal(() => applied(addGitBranch)(shop, SHOP, mapping, documented), {
      code: "invalid_request",
      status: 400,
      path,
    });
  });
});

describe("removeGitBranch", () => {
  it("B-4: takes one entry out; added again it stands last", () => {
    let { state } = add(add(shop, "a", "main").state, "b", "dev");
    state = add(removeGitBranch(state, SHOP, "a"), "a", "dev").state;
    expect(listGitBranches(state, SHOP, documented).mappings?.map((m) => m.gitBranch)).toEqual([
      "b",
      "a",
    ]);
  });

  it("B-4: an unknown one is a 404, a missing one a 400", () => {
    expectRefusal(() => removeGitBranch(shop, SHOP, "a"), {
      code: "git_branch_not_found",
      status: 404,
      rule: "B-4",
    });
    expectRefusal(() => removeGitBranch(shop, SHOP, undefined), {
      code: "invalid_request",
      path: "/gitBranch",
      rule: "B-4",
    });
  });
});

describe("resolveGitBranch", () => {
  const { state } = add(shop, "dev", "main");

  it.each([
    [{ gitBranch: "dev", fallbackBranch: "dev" }, "main", "FOUND_IN_MAPPING"],
    [{ gitBranch: "main", fallbackBranch: "dev" }, "main", "BRANCH_EXISTS"],
    [{ gitBranch: "x", fallbackBranch: "dev" }, "dev", "FALLBACK_BRANCH"],
    [{ fallbackBranch: "dev" }, "dev", "FALLBACK_BRANCH"],
    [{ gitBranch: "x", fallbackBranch: "y" }, "main", "DEFAULT_BRANCH"],
    [{ gitBranch: "", fallbackBranch: "" }, "main", "DEFAULT_BRANCH"],
    [{ gitBranch: "__proto__" }, "main", "DEFAULT_BRANCH"],
    [undefined, "main", "DEFAULT_BRANCH"],
  ])("B-5: %j is %s by %s", (request, branch, code) => {
    expect(resolveGitBranch(state, SHOP, request)).toEqual({
      branch,
      reason: { code, message: expect.stringContaining(branch) },
    });
  });

  it("B-5: without main the oldest branch is the default", () => {
    const withoutMain = removeBranch(
      addBranch(shop, { ...SHOP, branch: "a" }, {}, making),
      MAIN,
      making,
    );
    expect(resolveGitBranch(withoutMain, SHOP, {}).branch).toBe("dev");
  });

  it("E-3: rejects unknown members and values that are not strings", () => {
    expectRefusal(() => resolveGitBranch(state, SHOP, { branch: "x" }), {
      code: "invalid_request",
      path: "/branch",
    });
    expectRefusal(() => resolveGitBranch(state, SHOP, { gitBranch: 1 }), {
      code: "invalid_request",
      path: "/gitBranch",
    });
  });
});
