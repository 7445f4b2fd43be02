import { beforeEach, describe, expect, it } from "vitest";
import { createFetch } from "../../src/http.js";
import { createEngine } from "../../src/index.js";
import { expectRefused, openShop, refusalOf } from "./fixture.js";

const COLUMNS = [{ name: "n", type: "int" }];

let { engine, acme, shop, main } = openShop();

beforeEach(() => {
  ({ engine, acme, shop, main } = openShop());
});

describe("tables", () => {
  it("M-4: the error names the missing entity", () => {
    const table = main.createTable("items", COLUMNS);
    const notFound = (call: () => unknown, code: string, name: RegExp): void => {
      const refusal = refusalOf(call);
      expect(refusal).toMatchObject({ code, status: 404, rule: "M-4" });
      expect(refusal.message).toMatch(name);
      expect(refusal.message).toMatch(/ not found(; there is .*)?$/);
    };
    notFound(() => acme.database("nope"), "database_not_found", /nope/);
    notFound(() => shop.branch("nope"), "branch_not_found", /nope/);
    const none = openShop().main;
    notFound(() => none.table("nope"), "table_not_found", /^table \[shop:main\/nope\] not found$/);
    notFound(() => main.table("nope"), "table_not_found", /nope/);
    shop.createBranch("dev");
    main.deleteTable("items");
    const calls = [
      () => table.query(),
      () => table.scan(),
      () => table.count(),
      () => table.get("a"),
      () => table.insert({}),
      () => table.load([]),
      () => table.update("a", {}),
      () => table.put("a", {}),
      () => table.delete("a"),
      () => table.schema(),
      () => table.explain(),
      () => table.addColumn({ name: "s", type: "int" }),
      () => table.rename("new"),
    ];
    for (const call of calls) notFound(call, "table_not_found", /items/);
    shop.deleteBranch("main");
    for (const call of [...calls, () => main.tables(), () => main.createTable("new")]) {
      notFound(call, "branch_not_found", /main/);
    }
    acme.deleteDatabase("shop");
    for (const call of [...calls, () => shop.branches(), () => shop.createBranch("new")]) {
      notFound(call, "database_not_found", /shop/);
    }
  });
});

describe("databases", () => {
  it("D-5: an unknown workspace is 404, under the xata profile 401", () => {
    const unknown = () => engine.workspace("nope");
    expectRefused(unknown, "workspace_not_found", "D-5");
    expect(refusalOf(unknown).status).toBe(404);
    engine.deleteWorkspace("acme");
    for (const call of [() => acme.databases(), () => shop.metadata(), () => main.tables()]) {
      expectRefused(call, "workspace_not_found", "D-5");
    }
    expect(refusalOf(() => createEngine({ profile: "xata" }).workspace("nope")).status).toBe(401);
  });
});

describe("users", () => {
  const ANN = { email: "ann@example.com", fullname: "Ann" };

  it("U-1: keys identify users, who see their workspaces", () => {
    const ann = engine.createUser({ ...ANN, keys: ["k1", "k2"], workspaces: ["acme"] });
    expect(engine.userByKey("k1")).toEqual(ann);
    expect(engine.userByKey("k2")).toEqual(ann);
    expect(engine.userByKey("K1")).toBeNull();
    expect(engine.isMember("acme", ann.id)).toBe(true);
    engine.createWorkspace("other");
    for (const id of ["other", "nope"]) expect(engine.isMember(id, ann.id)).toBe(false);
    engine.addMember("other", ann.id);
    engine.addMember("other", engine.users()[0]!.id);
    engine.removeMember("other", ann.id);
    expect(engine.isMember("other", ann.id)).toBe(false);
    expect(refusalOf(() => engine.createUser({ ...ANN, keys: ["k1"] })).rule).toBe("U-1");
    expect(refusalOf(() => engine.createUser({ ...ANN, workspaces: ["nope"] })).rule).toBe("D-5");
    expect(engine.users()).toHaveLength(2);
  });

  it("U-2: have id, email, fullname and image; their details are checked", () => {
    const ann = engine.createUser({ ...ANN, image: "a.png" });
    expect(ann).toEqual({ id: expect.any(String), ...ANN, image: "a.png" });
    expect(engine.user(ann.id)).toEqual(ann);
    const changed = engine.updateUser(ann.id, { email: "b@example.com", fullname: "Bea" });
    expect(changed).toEqual({
      id: ann.id,
      email: "b@example.com",
      fullname: "Bea",
      image: "a.png",
    });
    const bad = { email: "x", fullname: "x" };
    expectRefused(() => engine.updateUser(ann.id, bad), "invalid_request", "U-2", "/email");
    expectRefused(() => engine.createUser(bad), "invalid_request", "U-2", "/email");
    expect(refusalOf(() => engine.updateUser("__proto__", ANN)).code).toBe("invalid_request");
    const keys = { ...ANN, keys: ["k", ""] };
    expectRefused(() => engine.createUser(keys), "invalid_request", "U-1", "/keys/1");
    const extra = { ...ANN, id: "x" } as never;
    expectRefused(() => engine.updateUser(ann.id, extra), "invalid_request", "E-3", "/id");
    expect(engine.user(ann.id)).toEqual(changed);
  });

  it("U-2: a deleted user's keys are refused; the built-in user is reset instead", () => {
    const ann = engine.createUser({ ...ANN, keys: ["k"], workspaces: ["acme"] });
    expect([1, 2].map(() => engine.deleteUser(ann.id))).toEqual([true, false]);
    expect(engine.userByKey("k")).toBeNull();
    expect(engine.user(ann.id)).toBeNull();
    expect(engine.isMember("acme", ann.id)).toBe(false);
    const [builtIn] = engine.users();
    engine.updateUser(builtIn!.id, ANN);
    engine.deleteUser(builtIn!.id);
    expect(engine.users()).toEqual([builtIn]);
    expect(engine.createUser(ANN).id).not.toBe(ann.id);
  });

  it("A-1: key names are unique for a user, and have defaults", () => {
    const [builtIn] = engine.users();
    const { id } = engine.createUser({ ...ANN, keys: ["a", "__proto__"] });
    expect(engine.userByKey("__proto__")?.id).toBe(id);
    expect(engine.userByKey("constructor")).toBeNull();
    engine.createKey(id, "mine");
    engine.createKey(builtIn!.id, "mine");
    const names = () => engine.keys(id).map(({ name }) => name);
    expect(names()).toEqual(["default", "default-2", "mine"]);
    expectRefused(() => engine.createKey(id, "mine"), "key_exists", "A-1");
    expect(refusalOf(() => engine.createKey(id, "m i")).rule).toBe("N-1");
    engine.addKey(builtIn!.id, "d");
    expect(refusalOf(() => engine.addKey(id, "d")).code).toBe("invalid_request");
    engine.removeKey("a");
    engine.addKey(id, "f");
    expect(names()).toEqual(["default-2", "mine", "default"]);
  });

  it("A-1: in open mode the last thousand deleted keys are refused", async () => {
    const fetch = createFetch(engine, { auth: "open" });
    const statusOf = async (key: string): Promise<number> =>
      (await fetch("http://localhost/user", { headers: { authorization: `Bearer ${key}` } }))
        .status;
    const { id } = engine.users()[0]!;
    for (let n = 0; n <= 1000; n++) {
      engine.addKey(id, `k${n}`);
      engine.removeKey(`k${n}`);
    }
    expect(await Promise.all(["k0", "k1", "k1000"].map(statusOf))).toEqual([200, 401, 401]);
  });
});

describe("workspaces", () => {
  it("X-5: settings are merged, and may be called __proto__", () => {
    acme.updateSettings({ a: { b: 1 }, c: 2 });
    expect(acme.updateSettings({ a: 3 })).toEqual({ a: 3, c: 2 });
    const { a, ...settings } = acme.updateSettings(JSON.parse('{"__proto__": {"a": 1}, "b": 2}'));
    expect([a, JSON.stringify(settings)]).toEqual([3, '{"c":2,"__proto__":{"a":1},"b":2}']);
  });

  it("N-1, E-1: ids are unique names, listed in creation order", () => {
    const ids = ["b", "10", "2", "__proto__", "constructor", "a"];
    for (const id of ids) engine.createWorkspace(id);
    expect(engine.workspaces().map(({ id }) => id)).toEqual(["acme", ...ids]);
    expect(refusalOf(() => engine.createWorkspace("acme")).code).toBe("invalid_request");
    expect(refusalOf(() => engine.createWorkspace("a b")).rule).toBe("N-1");
    for (const id of ids) main.createTable(id);
    expect(main.tables().map(({ name }) => name)).toEqual(ids);
  });
});
