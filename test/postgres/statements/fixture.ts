import {
  openPostgres,
  type PostgresDatabase,
  type PostgresOptions,
  type PostgresTarget,
} from "../../../src/postgres.js";
import { defineColumns } from "../../columns.js";

export interface Answer {
  readonly status: number;
  readonly records: Record<string, unknown>[];
  readonly rows: unknown[][];
  readonly columns: { name: string; type: string }[];
  readonly total: number;
  readonly results: Answer[];
  readonly message: string;
  readonly code: string;
  readonly path: string;
  readonly rule: string;
}

export interface Shop {
  readonly db: PostgresDatabase;
  /** Sends a statement to the branch `main` of the database `shop`. */
  readonly sql: (statement: string, params?: readonly unknown[]) => Promise<Answer>;
  readonly batch: (...statements: (string | [string, unknown[]])[]) => Promise<Answer>;
  readonly post: (path: string, body: unknown, key?: string) => Promise<Answer>;
}

export const NOW: number = Date.parse("2024-01-31T12:00:00Z");

/** Opens a database a second time, like another process. */
export async function openAgain(target: PostgresTarget): Promise<PostgresDatabase> {
  return openPostgres(target, { profile: "xata", workspace: "w", seed: 2, indexes: "never" });
}

/** Opens two databases with records. */
export async function openShop(
  target: PostgresTarget,
  options: PostgresOptions = {},
): Promise<Shop> {
  const db = await openPostgres(target, {
    profile: "xata",
    workspaces: ["w"],
    seed: 1,
    now: NOW,
    indexes: "never",
    ...options,
  });
  await db.change((engine) => {
    const main = engine.workspace("w").createDatabase("shop").branch("main");
    main.createTable("teams", [
      { name: "name", type: "string", unique: true },
      { name: "Size", type: "int", notNull: true, defaultValue: "3" },
    ]);
    main.createTable(
      "users",
      defineColumns({
        name: "string",
        email: "email unique",
        age: "int",
        rating: "float",
        active: "bool",
        bio: "text",
        born: "datetime",
        labels: "multiple",
        team: "-> teams",
        settings: "json",
        place: "vector 2",
        portrait: "file",
        papers: "file[]",
        address: { city: "string", zip: "int" },
      }),
    );
    engine.workspace("w").database("shop").createBranch("empty");
    const other = engine.workspace("w").createDatabase("secrets").branch("main");
    other.createTable("passwords", [{ name: "word", type: "string" }]);
  });
  await db.transact({ database: "shop" }, (main) => {
    main.table("teams").insert([
      { id: "t1", name: "Ants" },
      { id: "t2", name: "Bees", Size: 5 },
    ]);
    main.table("users").insert([
      {
        id: "u1",
        name: "Ann",
        email: "ann@example.com",
        age: 30,
        rating: 4.5,
        active: true,
        born: "1994-01-02T03:04:05.006007Z",
        labels: ["red", 'a"b'],
        team: "t1",
        settings: { theme: { dark: true }, "zero\u0000": 1 },
        place: [0.5, -1],
        portrait: { name: "a.png", mediaType: "image/png", base64Content: "aGVsbG8=" },
        papers: [{ name: "b.txt", mediaType: "text/plain", base64Content: "aGVsbG8=" }],
        address: { city: "Oslo" },
      },
      { id: "u2", name: "Bob\u0000\u0001", email: "bob@example.com", age: 40 },
    ]);
  });
  await db.transact({ database: "secrets" }, (main) => {
    main.table("passwords").insert({ id: "p1", word: "hunter2" });
  });
  const post = async (path: string, body: unknown, key?: string): Promise<Answer> => {
    const response = await db.fetch(`http://localhost/db/${path}`, {
      method: "POST",
      body: JSON.stringify(body),
      ...(key !== undefined && { headers: { authorization: `Bearer ${key}` } }),
    });
    return { status: response.status, ...((await response.json()) as Omit<Answer, "status">) };
  };
  return {
    db,
    post,
    sql: (statement, params) => post("shop:main/sql", { statement, params }),
    batch: (...statements) =>
      post("shop:main/sql/batch", {
        statements: statements.map((given) =>
          typeof given === "string"
            ? { statement: given }
            : { statement: given[0], params: given[1] },
        ),
      }),
  };
}
