import { describe, expect, it } from "vitest";
import { createFetch } from "../../src/http.js";
import { createEngine } from "../../src/index.js";
import { expectRefusal } from "../refusal.js";

function setUp() {
  const engine = createEngine({ now: 0, seed: 1 });
  const acme = engine.createWorkspace("acme");
  const shop = acme.createDatabase("shop");
  const main = shop.branch("main");
  main.createTable("users", [{ name: "team", type: "link", link: { table: "teams" } }]);
  return { engine, acme, shop, main };
}

describe("M-4: the error of an unknown name suggests the nearest one", () => {
  const { engine, acme, shop, main } = setUp();
  it.each([
    [
      "workspace_not_found",
      "workspace [akme] not found; did you mean acme?",
      () => engine.workspace("akme"),
    ],
    [
      "database_not_found",
      "database [shpo] not found; did you mean shop?",
      () => acme.database("shpo"),
    ],
    [
      "branch_not_found",
      "branch [shop:mian] not found; did you mean main?",
      () => shop.branch("mian"),
    ],
    [
      "table_not_found",
      "table [shop:main/user] not found; did you mean users?",
      () => main.table("user"),
    ],
    [
      "table_not_found",
      "table [shop:main/orders] not found; there is users",
      () => main.table("orders"),
    ],
  ] as const)("%s: %s", (code, message, act) => {
    expectRefusal(act, { code, message: new RegExp(`^${message.replaceAll(/[[\]?]/g, "\\$&")}$`) });
  });

  it("P-9: lists all names if there are at most five", () => {
    const message = /^column \[a\] does not exist; there is team$/;
    const query = () => main.table("users").query({ filter: { a: 1 } });
    expectRefusal(query, { code: "unknown_column", rule: "P-9", message });
    const columns = [1, 2, 3, 4, 5, 6].map((n) => ({ name: `column${n}`, type: "int" }) as const);
    const wide = main.createTable("wide", columns);
    const refusal = { code: "unknown_column", message: /does not exist$/ } as const;
    expectRefusal(() => wide.query({ sort: { a: "asc" } } as object), refusal);
  });

  it("D-5: does not reveal workspaces of others", async () => {
    engine.createUser({ email: "a@b.c", fullname: "A", keys: ["k"], workspaces: [] });
    const fetch = createFetch(engine);
    const headers = { authorization: "Bearer k" };
    for (const name of ["acme", "akme"]) {
      const answer = await fetch(`http://localhost/workspaces/${name}/dbs`, { headers });
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ message: `workspace [${name}] not found` });
    }
  });
});

describe("T-17: the error of a path through a link to a missing table names the table", () => {
  const { main } = setUp();
  const users = main.table("users");
  const refusal = {
    code: "unknown_column" as const,
    rule: "P-9",
    message: /^column \[team\.name\] does not exist: team links to the table \[teams\], not found$/,
  };
  it.each([
    ["filter", () => users.query({ filter: { "team.name": "x" } })],
    ["sort", () => users.query({ sort: { "team.name": "asc" } })],
    ["columns", () => users.query({ columns: ["team.name"] })],
    ["summary", () => users.summarize({ columns: ["team.name"] })],
  ])("in %s", (_, act) => expectRefusal(act, refusal));

  it("suggests the link if that is misspelt", () => {
    expectRefusal(() => users.query({ columns: ["taem.name"] }), {
      code: "unknown_column",
      message: /did you mean team\?$/,
    });
  });
});
