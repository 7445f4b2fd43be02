import { describe, expect, it } from "vitest";
import { produceCatalog } from "../../src/catalog/draft.js";
import { createCatalog } from "../../src/catalog/empty.js";
import { findWorkspace } from "../../src/catalog/find.js";
import {
  addKey as addKeyIn,
  findKeyByName,
  listKeys,
  removeKey as removeKeyIn,
} from "../../src/catalog/keys.js";
import {
  addMember as addMemberIn,
  removeMember as removeMemberIn,
} from "../../src/catalog/members.js";
import type { CatalogState } from "../../src/catalog/state.js";
import {
  addUser as addUserIn,
  BUILT_IN_USER,
  BUILT_IN_USER_ID,
  changeUser as changeUserIn,
  findUser,
  listUsers,
  removeUser as removeUserIn,
  type UserRecord,
} from "../../src/catalog/users.js";
import { AT, applied, createShop } from "./fixture.js";
import { expectRefusal } from "./refusal.js";

const ANN = { email: "ann@example.com", fullname: "Ann" };

const addKey = applied(addKeyIn);
const removeKey = applied(removeKeyIn);
const addMember = applied(addMemberIn);
const removeMember = applied(removeMemberIn);
const changeUser = applied(changeUserIn);
const removeUser = applied(removeUserIn);

function addUser(state: CatalogState, options: unknown): { state: CatalogState; id: string } {
  const made = produceCatalog(state, (draft) => addUserIn(draft, options, AT));
  return { state: made.state, id: made.result };
}

function findUserByKey(state: CatalogState, key: string): UserRecord | null {
  return findUser(state, state.keys.get(key)?.userId ?? "");
}

describe("addUser", () => {
  it("U-2: has an id, email, fullname and image", () => {
    const { state, id } = addUser(createCatalog("documented"), { ...ANN, image: "a.png" });
    expect(findUser(state, id)).toEqual({ id, ...ANN, image: "a.png" });
    expect(findUser(addUser(state, ANN).state, "usr_2")?.image).toBe("");
  });

  it("U-1: its keys stand for it, its workspaces have it as a member", () => {
    const options = { ...ANN, keys: ["k1", "__proto__"], workspaces: ["acme"] };
    const { state, id } = addUser(createShop(), options);
    expect(findUserByKey(state, "k1")?.id).toBe(id);
    expect(findUserByKey(state, "__proto__")?.id).toBe(id);
    expect(findUserByKey(state, "constructor")).toBeNull();
    expect([...findWorkspace(state, "acme").members]).toEqual([[id, "owner"]]);
  });

  it.each([
    [{ fullname: "Ann" }, "/email"],
    [{ email: "a@b.c" }, "/fullname"],
    [{ ...ANN, email: "ann" }, "/email"],
    [{ ...ANN, email: "a@b@c" }, "/email"],
    [{ ...ANN, fullname: "" }, "/fullname"],
    [{ ...ANN, image: null }, "/image"],
    [{ ...ANN, id: "x" }, "/id"],
    [{ ...ANN, keys: "k" }, "/keys"],
    [{ ...ANN, keys: ["k", ""] }, "/keys/1"],
    [{ ...ANN, keys: ["taken"] }, "/keys/0"],
  ])("U-2: %j is refused", (options, path) => {
    const { state } = addUser(createShop(), { ...ANN, keys: ["taken"] });
    expectRefusal(() => addUser(state, options), { code: "invalid_request", status: 400, path });
  });

  it("D-5: an unknown workspace is refused", () => {
    expectRefusal(() => addUser(createShop(), { ...ANN, workspaces: ["nope"] }), {
      code: "workspace_not_found",
    });
  });
});

describe("changeUser", () => {
  it("U-2: requires email and fullname; an omitted image is unchanged", () => {
    const { state, id } = addUser(createShop(), { ...ANN, image: "a.png" });
    const changed = changeUser(state, id, { email: "bob@example.com", fullname: "Bob" });
    expect(findUser(changed, id)).toEqual({
      id,
      email: "bob@example.com",
      fullname: "Bob",
      image: "a.png",
    });
    expectRefusal(() => changeUser(state, id, { email: "bob@example.com" }), {
      code: "invalid_request",
      path: "/fullname",
      rule: "U-2",
    });
    expectRefusal(() => changeUser(state, id, { ...ANN, keys: [] }), {
      code: "invalid_request",
      path: "/keys",
    });
    expectRefusal(() => changeUser(state, "__proto__", ANN), { code: "invalid_request" });
  });
});

describe("removeUser", () => {
  it("U-2: refuses its keys from then on, and ends its memberships", () => {
    const options = { ...ANN, keys: ["k"], workspaces: ["acme"] };
    const { state, id } = addUser(createShop(), options);
    const removed = removeUser(addUser(state, { ...ANN, keys: ["other"] }).state, id);
    expect(findUser(removed, id)).toBeNull();
    expect(findUserByKey(removed, "k")).toBeNull();
    expect(findUserByKey(removed, "other")?.id).toBe("usr_2");
    expect(findWorkspace(removed, "acme").members.size).toBe(0);
    expect(addUser(removed, { ...ANN, keys: ["k"] }).id).toBe("usr_3");
    expect(removeUser(removed, id)).toBe(removed);
  });

  it("U-2: the built-in user is reset instead", () => {
    const state = addKey(
      changeUser(createShop(), BUILT_IN_USER_ID, ANN),
      BUILT_IN_USER_ID,
      "k",
      AT,
    );
    const reset = removeUser(state, BUILT_IN_USER_ID);
    expect(listUsers(reset)).toEqual([{ id: BUILT_IN_USER_ID, ...BUILT_IN_USER }]);
    expect(findUserByKey(reset, "k")).toBeNull();
  });
});

describe("keys and members", () => {
  const { state, id } = addUser(createShop(), ANN);

  it("U-1: a key stands for one user at most", () => {
    const keyed = addKey(state, id, "k", AT);
    expectRefusal(() => addKey(keyed, BUILT_IN_USER_ID, "k", AT), { code: "invalid_request" });
    expect(findUserByKey(removeKey(keyed, "k"), "k")).toBeNull();
    expect(removeKey(keyed, "k").deletedKeys).toEqual(new Map([["k", true]]));
    expect(removeKey(keyed, "other")).toBe(keyed);
  });

  it("A-1: of deleted keys the last thousand are known", () => {
    const deletedKeys = new Map(Array.from({ length: 1000 }, (_, n) => [`k${n}`, true] as const));
    const keyed = removeKey(addKey({ ...state, deletedKeys }, id, "last", AT), "last");
    expect([...keyed.deletedKeys.keys()]).toEqual([...deletedKeys.keys(), "last"].slice(1));
  });

  it("A-1: keys have names, unique for a user, default ones where they are given without", () => {
    let keyed = addKey(addKey(state, id, "a", AT), id, "b", AT);
    keyed = addKey(addKey(keyed, id, "c", AT, "mine"), BUILT_IN_USER_ID, "d", AT, "mine");
    expect(listKeys(keyed, id)).toEqual(
      ["default", "default-2", "mine"].map((name) => ({ name, createdAt: "2022-01-31T10:20:30Z" })),
    );
    expectRefusal(() => addKey(keyed, id, "e", AT, "mine"), { code: "key_exists", status: 422 });
    expectRefusal(() => addKey(keyed, id, "e", AT, "m i"), { code: "invalid_name", rule: "N-1" });
    expect(findKeyByName(keyed, BUILT_IN_USER_ID, "mine")).toBe("d");
    expectRefusal(() => findKeyByName(keyed, id, "d"), { code: "key_not_found", status: 404 });
    expect(listKeys(addKey(removeKey(keyed, "a"), id, "f", AT), id)[2]?.name).toBe("default");
  });

  it("U-1: memberships begin and end", () => {
    const joined = addMember(addMember(state, "acme", BUILT_IN_USER_ID), "acme", id);
    expect(findWorkspace(joined, "acme").members.has(id)).toBe(true);
    expect(findWorkspace(removeMember(joined, "acme", id), "acme").members.has(id)).toBe(false);
    expectRefusal(() => addMember(state, "nope", id), { code: "workspace_not_found" });
    expectRefusal(() => addMember(state, "acme", "nobody"), { code: "invalid_request" });
    expectRefusal(() => removeMember(state, "nope", id), { code: "workspace_not_found" });
  });

  it("A-3: the last owner can be neither removed nor made maintainer", () => {
    const refusal = { code: "forbidden", status: 403, rule: "A-3" } as const;
    const joined = addMember(addMember(state, "acme", BUILT_IN_USER_ID, "maintainer"), "acme", id);
    expectRefusal(() => removeMember(joined, "acme", id), refusal);
    expectRefusal(() => addMember(joined, "acme", id, "maintainer"), refusal);
    const two = addMember(joined, "acme", BUILT_IN_USER_ID, "owner");
    const left = removeMember(addMember(two, "acme", id, "maintainer"), "acme", id);
    expect([...findWorkspace(left, "acme").members]).toEqual([[BUILT_IN_USER_ID, "owner"]]);
    expectRefusal(() => addMember(two, "acme", id, "king"), { code: "invalid_request" });
  });
});
