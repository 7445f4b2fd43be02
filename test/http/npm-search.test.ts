import type { SearchPluginResult } from "@xata.io/client";
import { afterEach, beforeEach, expect, it } from "vitest";
import {
  type Client,
  type DatabaseSchema,
  describeClients,
  type Setup,
  setUp,
  WAYS,
} from "./npm-clients.js";

type Answer<T> = { readonly records: T; readonly totalCount: number };

function recordsOf<T>(answer: Answer<T>): T {
  return "totalCount" in answer ? answer.records : answer;
}

/** Expects a total count, if the client returns one. */
function expectCount(answer: Answer<unknown>, expected: number): void {
  if ("totalCount" in answer) expect(answer.totalCount).toBe(expected);
}

describeClients(WAYS, "searches of @xata.io/client $title", ({ version, way }) => {
  let setup: Setup;
  let client: Client;
  let search: SearchPluginResult<DatabaseSchema>;

  beforeEach(async () => {
    setup = await setUp(version, way);
    ({ client } = setup);
    search = client.search as SearchPluginResult<DatabaseSchema>; // as the plugin is typed
    const main = setup.engine!.workspace("acme").database("shop").branch("main");
    main.table("users").addColumn({ name: "meaning", type: "vector", vector: { dimension: 2 } });
    main.table("teams").insert([
      { id: "t1", name: "Red Ants" },
      { id: "t2", name: "Bees" },
    ]);
    main.table("users").insert([
      { id: "u1", name: "Ann", bio: "Likes red <ants>.", age: 30, meaning: [1, 0], team: "t1" },
      { id: "u2", name: "Red", born: "2024-01-21T12:00:00Z", meaning: [0, 1] },
      { id: "u3", name: "Bob", labels: ["read", "blue"], age: 40, meaning: [1, 1], team: "t1" },
      { id: "u4", name: "Dee" },
    ]);
  });

  afterEach(() => setup.close());

  it("Q-6: searches a table, with highlights", async () => {
    const answer = await client.db.users.search("red");
    const records = recordsOf(answer);
    expectCount(answer, 3);
    expect(records.map(({ id }) => id)).toEqual(["u3", "u2", "u1"].sort(byScore(records)));
    const ann = records.find(({ id }) => id === "u1");
    expect(ann?.getMetadata()).toMatchObject({
      table: "users",
      score: expect.any(Number),
      highlight: { bio: ["Likes <em>red</em> &lt;ants&gt;."] },
    });
    expect(ann?.team?.id).toBe("t1");
  });

  it("Q-1 … Q-7: accepts every option of a table search", async () => {
    const find = async (
      query: string,
      options: Parameters<Client["db"]["users"]["search"]>[1],
    ): Promise<string[]> =>
      recordsOf(await client.db.users.search(query, options))
        .map(({ id }) => id)
        .sort();
    expect(await find("red", { fuzziness: 0 })).toEqual(["u1", "u2"]);
    expect(await find("like re", { prefix: "phrase" })).toEqual([]);
    expect(await find("likes re", { prefix: "phrase" })).toEqual(["u1"]);
    expect(await find("red", { target: ["name", { column: "labels", weight: 5 }] })).toEqual([
      "u2",
      "u3",
    ]);
    expect(await find("red", { filter: { age: { $gt: 30 } } })).toEqual(["u3"]);
    expect(await find("red", { page: { size: 1, offset: 5 } })).toEqual([]);
    expect(await find("red", { highlight: { enabled: false } })).toHaveLength(3);
    const boosted = await client.db.users.search("red", {
      boosters: [
        { numericBooster: { column: "age", factor: 10, modifier: "log1p" } },
        { valueBooster: { column: "name", value: "Ann", factor: 9, ifMatchesFilter: { age: 5 } } },
        { dateBooster: { column: "born", scale: "10d", decay: 0.5, factor: 100 } },
      ],
    });
    expect(recordsOf(boosted).map(({ id }) => id)).toEqual(["u2", "u3", "u1"]);
    const plain = await client.db.users.search("red ants", {
      target: ["bio"],
      highlight: { encodeHTML: false },
    });
    expect(recordsOf(plain)[0]?.getMetadata().highlight).toEqual({
      bio: ["Likes <em>red</em> <<em>ants</em>>."],
    });
  });

  it("Q-5: searches the tables of a branch, as one list or by table", async () => {
    const all = await search.all("red");
    expectCount(all, 4);
    expect(
      recordsOf(all)
        .map(({ table, record }) => `${table} ${record.id}`)
        .sort(),
    ).toEqual(["teams t1", "users u1", "users u2", "users u3"]);
    const byTable = await search.byTable<"teams" | "users">("ants", {
      tables: ["teams", { table: "users", target: ["bio"], filter: { age: 30 } }],
      fuzziness: 0,
      prefix: "disabled",
      page: { size: 10 },
    });
    expectCount(byTable, 2);
    expect(recordsOf(byTable).teams?.map(({ id }) => id)).toEqual(["t1"]);
    expect(recordsOf(byTable).users?.map(({ id }) => id)).toEqual(["u1"]);
    await expect(search.all("")).rejects.toMatchObject({ status: 400 });
  });

  it.each([
    ["cosineSimilarity", ["u1", "u3", "u2"], 2],
    ["l1", ["u1", "u3", "u2"], 1 / 2],
    ["l2", ["u1", "u3", "u2"], 1 / 2],
  ])("V-2: orders vectors by %s", async (similarityFunction, ids, score) => {
    const column = "meaning" as never; // has a type that the generated schema lacks
    const answer = await client.db.users.vectorSearch(column, [2, 0], {
      similarityFunction,
      size: 3,
    });
    const records = recordsOf(answer);
    expect(records.map(({ id }) => id)).toEqual(ids);
    expectCount(answer, 3);
    expect(records[0]?.getMetadata().score).toBeCloseTo(score, 12);
    const some = await client.db.users.vectorSearch(column, [2, 0], { filter: { age: 40 } });
    expect(recordsOf(some).map(({ id }) => id)).toEqual(["u3"]);
  });
});

interface Scored {
  readonly id: string;
  getMetadata(): { readonly score?: number };
}

/** Orders ids by falling score. */
function byScore(records: readonly Scored[]): (a: string, b: string) => number {
  const scores = new Map(records.map((record) => [record.id, record.getMetadata().score ?? 0]));
  return (a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0);
}
