import { describe, expect, it } from "vitest";
import { createCatalog } from "../../src/catalog/empty.js";
import { findTable, findWorkspace } from "../../src/catalog/find.js";
import {
  addWorkspace as addWorkspaceIn,
  changeWorkspace as changeWorkspaceIn,
  changeWorkspaceSettings as changeWorkspaceSettingsIn,
  listWorkspaces,
  removeWorkspace as removeWorkspaceIn,
} from "../../src/catalog/workspaces.js";
import { applied, createMaking, createShop, MAIN } from "./fixture.js";
import { expectRefusal } from "./refusal.js";

const making = createMaking();
const addWorkspace = applied(addWorkspaceIn);
const changeWorkspace = applied(changeWorkspaceIn);
const changeWorkspaceSettings = applied(changeWorkspaceSettingsIn);
const removeWorkspace = applied(removeWorkspaceIn);

const empty = createCatalog("documented");

describe("workspaces", () => {
  it("are listed in the order they were made, whatever they are called", () => {
    const ids = ["b", "10", "2", "__proto__", "constructor", "a"];
    const state = ids.reduce((before, id) => addWorkspace(before, id, undefined), empty);
    expect(listWorkspaces(state)).toEqual(ids.map((id) => ({ id, name: id, slug: id })));
    expect(listWorkspaces(empty)).toEqual([]);
  });

  it("have a name beside their id, which can change", () => {
    const state = addWorkspace(empty, "acme", { name: "Acme Ltd" });
    expect(listWorkspaces(state)).toEqual([{ id: "acme", name: "Acme Ltd", slug: "acme" }]);
    expect(listWorkspaces(changeWorkspace(state, "acme", { name: "Acme", slug: "A" }))).toEqual([
      { id: "acme", name: "Acme", slug: "A" },
    ]);
    expectRefusal(() => changeWorkspace(state, "acme", { name: "" }), {
      code: "invalid_request",
      path: "/name",
    });
  });

  it("E-1: a taken id is refused", () => {
    expectRefusal(() => addWorkspace(createShop(), "acme", {}), { code: "invalid_request" });
  });

  it("N-1: a bad id is refused", () => {
    expectRefusal(() => addWorkspace(empty, "a b", {}), { code: "invalid_name", rule: "N-1" });
  });

  it("X-5: settings add up", () => {
    const first = changeWorkspaceSettings(createShop(), "acme", { a: { b: 1 }, c: 2 });
    const second = changeWorkspaceSettings(first, "acme", { a: 3 });
    expect(findWorkspace(second, "acme").settings).toEqual({ a: 3, c: 2 });
    expect(findWorkspace(first, "acme").settings).toEqual({ a: { b: 1 }, c: 2 });
  });

  it("N-5: a setting may be called __proto__", () => {
    const given: unknown = JSON.parse('{"__proto__": {"a": 1}}');
    const first = changeWorkspaceSettings(createShop(), "acme", given);
    const { settings } = findWorkspace(changeWorkspaceSettings(first, "acme", { b: 2 }), "acme");
    expect(JSON.stringify(settings)).toBe('{"__proto__":{"a":1},"b":2}');
    expect(settings.a).toBeUndefined();
  });

  it("go with everything in them", () => {
    const state = addWorkspace(removeWorkspace(createShop(), "acme", making), "acme", {});
    expect(findWorkspace(state, "acme").databases.size).toBe(0);
  });
});

describe("an address that leads nowhere", () => {
  const state = createShop();
  it("D-5: names the workspace; 404, or 401 under xata", () => {
    const missing = {
      code: "workspace_not_found",
      rule: "D-5",
      message: /nobody.* not found$/,
    } as const;
    expectRefusal(() => findWorkspace(state, "nobody"), { ...missing, status: 404 });
    expectRefusal(() => findWorkspace(createShop("xata"), "nobody"), { ...missing, status: 401 });
  });

  it.each([
    [{ workspace: "nobody" }, "workspace_not_found", /nobody/],
    [{ database: "nope" }, "database_not_found", /^database \[nope\] not found; there is shop$/],
    [{ branch: "dev" }, "branch_not_found", /^branch \[shop:dev\] not found; there is main$/],
    [{ table: "teams" }, "table_not_found", /^table \[shop:main\/teams\] not found$/],
  ] as const)("M-4: %j", (part, code, message) => {
    const address = { ...MAIN, table: "t", ...part };
    expectRefusal(() => findTable(state, address), { code, status: 404, message });
  });

  it.each(["workspace", "database", "branch", "table"])("E-6: a bad %s name is a 400", (part) => {
    const address = { ...MAIN, table: "t", [part]: "a b" };
    expectRefusal(() => findTable(state, address), { code: "invalid_name", rule: "N-1" });
  });

  it("E-6: the first missing part is reported", () => {
    expectRefusal(() => findTable(state, { ...MAIN, branch: "dev", table: "a b" }), {
      code: "branch_not_found",
    });
  });

  it("N-6: names are case-sensitive", () => {
    expectRefusal(() => findTable(state, { ...MAIN, database: "Shop", table: "t" }), {
      code: "database_not_found",
    });
  });
});
