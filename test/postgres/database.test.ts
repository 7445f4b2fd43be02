import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPostgres, type PostgresDatabase } from "../../src/postgres.js";

const PLACE = { database: "shop" } as const;
let folder: string;
let db: PostgresDatabase;

async function open(): Promise<PostgresDatabase> {
  return openPostgres({ pglite: folder }, { workspace: "w", workspaces: ["w"] });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "twinbase-"));
  db = await open();
  await db.change((engine) => {
    const main = engine.workspace("w").createDatabase("shop").branch("main");
    main.createTable("teams", [{ name: "name", type: "string", unique: true }]);
    main.createTable("users", [
      { name: "email", type: "email", unique: true },
      { name: "age", type: "int" },
      { name: "team", type: "link", link: { table: "teams" } },
    ]);
  });
}, 240_000);

afterAll(async () => {
  await db.close();
  await rm(folder, { recursive: true, force: true });
});

describe("a transaction", () => {
  it("writes all or nothing, over several tables", async () => {
    await db.transact(PLACE, (main) => {
      main.table("teams").insert({ id: "red", name: "Red" });
      main.table("users").insert({ id: "ada", email: "ada@example.org", age: 36, team: "red" });
    });
    await expect(
      db.transact(PLACE, (main) => {
        main.table("users").update("ada", { age: 99 });
        main.table("users").update("nobody", { age: 1 });
      }),
    ).rejects.toMatchObject({ code: "record_not_found" });
    const { records } = await db.query(
      { ...PLACE, table: "users" },
      { columns: ["age", "team.name"] },
    );
    expect(records).toMatchObject([{ id: "ada", age: 36, team: { name: "Red" } }]);
  });

  it("T-16: lets records take each other's unique values, and no value twice", async () => {
    await db.transact(PLACE, (main) => {
      main.table("teams").insert([
        { id: "a", name: "A" },
        { id: "b", name: "B" },
      ]);
    });
    await db.transact(PLACE, (main) => {
      main.table("teams").update("a", { name: "C" });
      main.table("teams").update("b", { name: "A" });
      main.table("teams").update("a", { name: "B" });
    });
    await expect(
      db.transact(PLACE, (main) => main.table("teams").insert({ name: "A" })),
    ).rejects.toMatchObject({ code: "invalid_record", rule: "T-16" });
    const { records } = await db.query({ ...PLACE, table: "teams" }, { sort: { name: "asc" } });
    expect(records.map(({ id, name }) => [id, name])).toEqual([
      ["b", "A"],
      ["a", "B"],
      ["red", "Red"],
    ]);
  });

  it("gives back what a link leads to", async () => {
    const user = await db.transact(PLACE, (main) =>
      main.table("users").update("ada", { age: { $increment: 1 } }, { columns: ["age", "team.*"] }),
    );
    expect(user).toMatchObject({ age: 37, team: { id: "red", name: "Red" } });
  });

  it("R-3: makes ids that sort as they were made", async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) {
      ids.push(await db.transact(PLACE, (main) => main.table("users").insert({}).id));
    }
    expect([...ids].sort()).toEqual(ids);
    await db.transact(PLACE, (main) => ids.map((id) => main.table("users").delete(id)));
  });
});

describe("concurrent transactions", () => {
  it("lose no update", async () => {
    const before = (await db.query({ ...PLACE, table: "users" })).records[0]!.age as number;
    const increment = (): Promise<unknown> =>
      db.transact(PLACE, (main) => main.table("users").update("ada", { age: { $increment: 1 } }));
    await Promise.all(Array.from({ length: 20 }, increment));
    const { records } = await db.query({ ...PLACE, table: "users" });
    expect(records[0]).toMatchObject({ age: before + 20 });
  });
});

describe("what is closed and opened again", () => {
  it("is as it was, cursors among it (rule G-4)", async () => {
    const query = { sort: { name: "asc" }, page: { size: 1 } } as const;
    const first = await db.query({ ...PLACE, table: "teams" }, query);
    await db.close();
    db = await open();
    const { cursor } = first.meta.page;
    const next = await db.query({ ...PLACE, table: "teams" }, { page: { after: cursor, size: 1 } });
    expect(next.records).toMatchObject([{ id: "a", name: "B" }]);
  });
});

describe("branches", () => {
  it("B-1: begin with the records of another, and go their own way", async () => {
    await db.change((engine) => {
      engine.workspace("w").database("shop").createBranch("feature", { from: "main" });
    });
    await db.transact({ ...PLACE, branch: "feature" }, (branch) =>
      branch.table("teams").update("a", { name: "Other" }),
    );
    const names = async (branch: string): Promise<unknown[]> => {
      const { records } = await db.query({ ...PLACE, branch, table: "teams" });
      return records.map(({ name }) => name);
    };
    expect(await names("feature")).toEqual(["Other", "A", "Red"]);
    expect(await names("main")).toEqual(["B", "A", "Red"]);
  });
});
