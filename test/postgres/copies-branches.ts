import { expect } from "vitest";
import { openPostgres, type PostgresTarget } from "../../src/postgres.js";

const BRANCHES = "http://localhost/db";

/** K-4: copies records into a branch of equal schema, in one transaction. */
export async function requireBranchCopies(target: PostgresTarget): Promise<void> {
  await using db = await openPostgres(target, { workspaces: ["w"], seed: 1 });
  await db.change((engine) => {
    const shop = engine.workspace("w").createDatabase("shop");
    const main = shop.branch("main");
    main.createTable("teams", [{ name: "name", type: "string", unique: true }]);
    main.createTable("users", [{ name: "team", type: "link", link: { table: "teams" } }]);
    shop.createBranch("twig", { from: "main" });
  });
  const twig = { database: "shop", branch: "twig" };
  await db.transact({ database: "shop" }, (main) => {
    main.table("teams").insert(["b", "a", "c"].map((id) => ({ id, name: id.toUpperCase() })));
    main.table("users").insert({ id: "ann", team: "a" });
  });
  await db.transact(twig, (branch) => {
    branch.table("teams").insert({ id: "a", name: "old" });
    branch.table("teams").insert({ id: "z", name: "kept" });
  });
  const copy = async (body: unknown): Promise<Record<string, unknown>> => {
    const sent = { method: "POST", body: JSON.stringify(body) };
    const response = await db.fetch(`${BRANCHES}/shop:main/copy`, sent);
    return { status: response.status, ...((await response.json()) as object) };
  };
  const teams = async (): Promise<unknown[]> => {
    const { records } = await db.query({ ...twig, table: "teams" });
    return records.map(({ id, name, service }) => {
      return [id, name, (service as { version: number }).version];
    });
  };

  const first = await copy({ destinationBranch: "twig", limit: 1 });
  expect(first).toMatchObject({ status: 200, branchName: "twig", dbBranchID: "shop:twig" });
  expect(await teams()).toEqual([
    ["a", "A", 1],
    ["z", "kept", 0],
  ]);
  const second = await copy({ destinationBranch: "twig" });
  expect(second).toMatchObject({ status: 200 });
  expect(second.copyID).not.toBe(first.copyID);
  const copied = [
    ["a", "A", 2],
    ["b", "B", 0],
    ["c", "C", 0],
    ["z", "kept", 0],
  ];
  expect(await teams()).toEqual(copied);
  const { records } = await db.query({ ...twig, table: "users" }, { columns: ["team.name"] });
  expect(records).toMatchObject([{ id: "ann", team: { id: "a", name: "A" } }]);

  // A violation of `unique` is refused, and nothing is written.
  await db.transact({ database: "shop" }, (main) => {
    main.table("teams").insert([
      { id: "d", name: "D" },
      { id: "e", name: "kept" },
    ]);
  });
  expect(await copy({ destinationBranch: "twig" })).toMatchObject({ code: "invalid_record" });
  expect(await teams()).toEqual(copied);
}
